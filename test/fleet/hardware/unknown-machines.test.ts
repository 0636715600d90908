import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { checkFleet } from '../../../src/plan/check-fleet';
import { byPath, parsed } from '../../api/build';

const rows: readonly (readonly [does: string, from: string, hint: string])[] = [
  ['an unknown instance type names the nearest', 'aws/p5.48xlrge', "Use 'aws/p5.48xlarge'."],
  ['an instance type that is cut short is completed', 'aws/p5.48xl', "Use 'aws/p5.48xlarge'."],
  ['and lists the series where several begin so', 'aws/p6-b', 'Use one of aws/p6-b200.48xlarge, aws/p6-b300.48xlarge.'],
  ['an instance type without its cloud is found all the same', 'a3-ultragpu-8g', "Use 'gcp/a3-ultragpu-8g'."],
  ['and so is a misspelling of it', 'p5en.48xlarg', "Use 'aws/p5en.48xlarge'."],
  [
    'a GPU lists the instance types that have it, on the cloud that is named',
    'eks/a100',
    'Use one of aws/p4d.24xlarge, aws/p4de.24xlarge.',
  ],
  [
    'a machine of another size lists the sizes that there are',
    'gcp/a2-ultragpu-3g',
    'Use one of gcp/a2-ultragpu-1g, gcp/a2-ultragpu-2g, gcp/a2-ultragpu-4g, gcp/a2-ultragpu-8g.',
  ],
  [
    'a name that is near to none is sent to the catalog',
    'BM.HPC.E5.144',
    "Run 'fleetwright catalog' for the known names, or add it to the file at Fleet.spec.catalogue.",
  ],
  [
    'a machine without its cloud gets it, also of a cloud that others create clusters on',
    'BM.GPU.H100.8',
    "Use 'oci/BM.GPU.H100.8'.",
  ],
];

test.each(rows)('%s', (_, from, hint) => {
  const messages = checkFleet(assemble([parsed('InferenceClass', 'x', { from })]), byPath).map(formatDiagnostic);
  expect(messages).toEqual([
    `InferenceClass x spec.from: the catalog has no instance type or macro '${from}'. ${hint}`,
  ]);
});
