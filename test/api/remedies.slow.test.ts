import { KINDS } from '../../src/api/kind-table';
import { parseResource } from '../../src/api/kinds';
import { formatDiagnostic, relocate } from '../../src/base/diagnostic';
import { isMap } from '../../src/base/json';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

/** What users write in a field of another type, beyond its bounds, or of another format. `undefined` removes it. */
const WRONG_VALUES = ['Bad Name!', '', 'x'.repeat(5000), '22GB', -1, 1e15, 1.5, true, null, [], {}, undefined];

/** The deepest field of a document. */
const DEPTH = 16;

/** A copy with all values at a depth replaced. */
function replaceAt(depth: number, value: unknown, wrong: unknown): unknown {
  if (depth === 0) return wrong;
  if (Array.isArray(value)) return value.map((item) => replaceAt(depth - 1, item, wrong));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, replaceAt(depth - 1, inner, wrong)] as const);
  return Object.fromEntries([...entries, ...(depth === 1 ? [['unknownField', 1] as const] : [])]);
}

test.each(KINDS.map(({ kind }) => kind))('every error of a field of %s says what to do', (kind) => {
  const good = fullDocument(kind);
  const depths = Array.from({ length: DEPTH }, (_, i) => i + 1);
  const findings = depths.flatMap((depth) =>
    WRONG_VALUES.flatMap((wrong) => {
      const result = parseResource(replaceAt(depth, good, wrong));
      return 'findings' in result ? result.findings : [];
    }),
  );
  expect(findings.length).toBeGreaterThan(50);
  const without = findings.filter(({ hint }) => !hint);
  expect(without.map((one) => formatDiagnostic(relocate(one, (path) => path.join('.'))))).toEqual([]);
});

const DEVICE = 'spec.devices.0';

const remedies: Record<string, BadRow> = {
  'a missing field is described': {
    change: { [`${DEVICE}.name`]: undefined },
    want: [`${DEVICE}.name: the field 'name' is missing. Add the name of the device within the class: gpu.`],
  },
  'a missing map without a description is described by its fields': {
    change: { spec: undefined },
    want: [
      "spec: the field 'spec' is missing. Add a map with the fields description, from, provisioning, devices, counterSets, node, price.",
    ],
  },
  'a number in quotes loses them': {
    change: { [`${DEVICE}.count`]: '8' },
    want: [`${DEVICE}.count: expected a number, got the text "8". Remove the quotes.`],
  },
  'a number has its bounds': {
    change: { [`${DEVICE}.count`]: 'all' },
    want: [`${DEVICE}.count: expected a number, got the text "all". Write a whole number from 1 to 64.`],
  },
  'a number has no unit': {
    change: { 'spec.price': { perHour: '$24' } },
    want: ['spec.price.perHour: expected a number, got the text "$24". Write a number of at least 0, without a unit.'],
  },
  'a map in place of a list is its first item, if it has the fields of one': {
    change: { 'spec.devices': { name: 'gpu', count: 8 } },
    want: ["spec.devices: expected a list, got a map. Begin the map with '- ', as an item of a list."],
  },
  'a number in place of a map gets the map that is needed at least': {
    change: { 'spec.price': 24 },
    want: ["spec.price: expected a map, got a number. Write a map, as in '{ perHour: 1 }'."],
  },
  'a word for true becomes true': {
    change: { 'spec.provisioning.gke.spot': 'yes' },
    want: ['spec.provisioning.gke.spot: expected true or false, got the text "yes". Write true.'],
  },
  'one value becomes a list': {
    change: { 'spec.devices': 8 },
    want: ['spec.devices: expected a list, got a number. Put the value in square brackets.'],
  },
  'a number too large has its maximum': {
    change: { [`${DEVICE}.count`]: 65 },
    want: [`${DEVICE}.count: 65 is greater than the maximum of 64. Use at most 64.`],
  },
  'an empty text is written or removed': {
    change: { 'spec.provisioning.gke.machineType': '' },
    want: [
      'spec.provisioning.gke.machineType: an empty text is less than the minimum of 1. Write a text, or remove the field.',
    ],
  },
  'the name of a cloud becomes that of its Kubernetes': {
    change: { 'spec.provisioning.provider': 'Azure' },
    want: ["spec.provisioning.provider: unknown value 'Azure': expected GKE, EKS, AKS, Nebius, Vultr. Use 'AKS'."],
  },
  'an unknown value far from all known ones lists them': {
    change: { 'spec.provisioning.provider': 'Hetzner' },
    want: ["spec.provisioning.provider: unknown value 'Hetzner'. Use one of GKE, EKS, AKS, Nebius, Vultr."],
  },
};

test.each(Object.entries(remedies))('%s', (_, { change, want }) => {
  expect(reported(changed(fullDocument('InferenceClass'), change))).toEqual(want);
});
