import { readScenarios } from '../../src/analyze/what-if/read-scenarios';
import { type Diagnostic, formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { readModelDefinition } from '../../src/engine/model-definition';
import { assemble } from '../../src/fleet/fleet';
import { readCatalogue } from '../../src/fleet/hardware/read-catalogue';
import { readPrices } from '../../src/fleet/prices/read-price-file';
import { BUILT_IN_CATALOGUE } from '../../src/fleet/hardware/hardware';
import { parseKubeconfigs } from '../../src/live/client/kubeconfig';
import { parseProgramCommand } from '../../src/manifest/cdk8s-config';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import type { SourceFile } from '../../src/manifest/source-file';
import { readPolicies } from '../../src/plan/policy/read-policies';
import { readRecordedObjects } from '../../src/snapshot/read-objects';

/** The problems of a function that throws them. */
function caught(read: () => unknown): readonly Diagnostic[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    return error.diagnostics;
  }
}

/** Every kind of YAML file besides manifests and locks, with a file that is good but for its line ends. */
const FILES: Record<string, { text: string; problemsOf: (file: SourceFile) => readonly Diagnostic[] }> = {
  'a price file': {
    text: 'prices: []\n',
    problemsOf: (file) => readPrices(file, BUILT_IN_CATALOGUE, []).problems,
  },
  'a catalog': { text: 'gpus: []\n', problemsOf: (file) => readCatalogue(file).problems },
  'a policy file': { text: 'rules: []\n', problemsOf: (file) => readPolicies(file).problems },
  'a scenario file': { text: 'scenarios: []\n', problemsOf: (file) => readScenarios(file, assemble([])).problems },
  'a model definition': {
    text: 'models: [{}]\n',
    problemsOf: (file) => {
      const read = readModelDefinition(file);
      return 'problems' in read ? read.problems : [];
    },
  },
  'a snapshot': {
    text: 'apiVersion: v1\nkind: Node\nmetadata: { name: a }\n',
    problemsOf: (file) => [...readRecordedObjects(file, DEFAULT_LIMITS)].filter((one) => 'code' in one),
  },
  'a kubeconfig': { text: 'users: []\n', problemsOf: (file) => caught(() => parseKubeconfigs([file])) },
  'a cdk8s.yaml': {
    text: 'app: node main.js\n',
    problemsOf: ({ path, text }) => caught(() => parseProgramCommand(text, path)),
  },
};

describe.each(Object.entries(FILES))('%s', (_, { text, problemsOf }) => {
  const problems = (changed: string) => problemsOf({ path: '/f.yaml', text: changed }).map(formatDiagnostic);

  test('has LF or CRLF line ends', () => {
    expect(problems(`# ours\n${text}`)).toEqual([]);
    expect(problems(`# ours\r\n${text.replaceAll('\n', '\r\n')}`)).toEqual([]);
  });

  test('is refused with a carriage return alone, which would hide what follows a comment', () => {
    expect(problems(`# ours\r${text}`)).toEqual([
      '/f.yaml:1:7: a carriage return without a line feed is here, which only some programs read as the end of a line. Save the file with LF or CRLF line ends.',
    ]);
  });
});
