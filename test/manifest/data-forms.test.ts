import { catalogueFile } from '../../src/api/catalogue-file';
import { modelCatalogueFile } from '../../src/api/model-catalogue-file';
import { policyFile } from '../../src/api/policy-file';
import { priceFile } from '../../src/api/price-file';
import { scenarioFile } from '../../src/api/scenario-file';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { DATA_FILE_KINDS } from '../../src/manifest/document-contents';
import { loadManifests } from '../../src/manifest/load-manifests';
import { SMALL } from '../cli/cli';

const unnamed = (noun: string, field: string): string =>
  `data.yaml:1:1: these are ${noun} that no Fleet refers to. Set spec.${field} of the Fleet to this file, or move the file elsewhere.`;
const noManifest =
  "data.yaml:1:1: this map has no apiVersion and no kind. Write 'apiVersion: fleetwright.dev/v1alpha1', or remove the file if it has no manifests.";

const cases: Record<string, { text: string; want: string[] }> = {
  'scenarios are left to the command line': { text: 'scenarios: [{ name: a, drain: [us] }]', want: [] },
  'rules are to be named': { text: 'rules:\n  - name: a\n', want: [unnamed('rules', 'policies')] },
  'prices are to be named': {
    text: 'currency: EUR\nprices: []\ndiscounts: []\nstorage: []\n',
    want: [unnamed('prices', 'prices')],
  },
  'a catalog is to be named': {
    text: 'gpus: []\ninstanceTypes: []\n',
    want: [unnamed('rows of a catalog', 'catalogue')],
  },
  'other fields next to are of no such file': { text: 'scenarios: []\nother: 1\n', want: [noManifest] },
  'fields of two are of neither': { text: 'scenarios: []\nrules: []\n', want: [noManifest] },
  'nothing is of none': { text: '{}', want: [noManifest] },
};

test.each(Object.entries(cases))('among manifests, %s', (_, { text, want }) => {
  const { problems, resources, ignored } = loadManifests([
    { path: 'fleet.yaml', text: SMALL },
    { path: 'data.yaml', text },
  ]);
  expect(problems.map(formatDiagnostic)).toEqual(want);
  expect({ resources: resources.length, ignored }).toEqual({ resources: 3, ignored: [] });
});

test('forms are those of the schemas', () => {
  const schemas = [scenarioFile, policyFile, priceFile, catalogueFile, modelCatalogueFile];
  expect(DATA_FILE_KINDS.map(({ fields }) => fields)).toEqual(schemas.map(({ shape }) => Object.keys(shape)));
});
