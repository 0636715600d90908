import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { hintAtName } from '../base/name-suggestion';
import { parseQuantity } from '../cel/values/quantity';
import type { Path } from './resource';
import { fields } from './schema/fields';
import { namedList } from './schema/list';
import { integer, wholeAmount } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabel } from './schema/string-formats';

/** Kubernetes' limits for the counters of a set and the devices of a slice with counters. */
const MOST_COUNTERS = 32;
const MOST_PLACEMENTS = 64;

const amounts = z.record(z.string(), wholeAmount).check(
  rules(function* few(counters: Readonly<Record<string, string>>) {
    const count = Object.keys(counters).length;
    if (count > 0 && count <= MOST_COUNTERS) return;
    const what = `expected 1 to ${MOST_COUNTERS} counters, got ${count}`;
    yield errorAt('out-of-bounds', [], what, 'List the counters that the driver publishes');
  }),
);

/** The schema of the counters that devices of a node share, as in the `sharedCounters` of ResourceSlices. */
export const counterSets = namedList(
  fields({
    name: dnsLabel.describe('The name of the counter set within the class: gpu.'),
    count: integer(1, 64).default(1).describe('The sets of this form on a node, one for each GPU. Default: 1.'),
    counters: amounts.describe('What one set has of each counter: { multiprocessors: "132", memory-slice-0: "1" }.'),
  }),
  { max: 8 },
).describe(
  'What partitions of a GPU share, as its driver publishes it (KEP-4815). Needs Kubernetes 1.36. Default: none.',
);

/** Counters that devices of a node share, and how many such sets a node has. */
export type CounterSet = z.output<typeof counterSets>[number];

export const counterSet = dnsLabel
  .optional()
  .describe('The counter set of the class that the device draws on: its driver creates it on demand. Default: none.');

export const placements = z
  .array(amounts)
  .min(1)
  .max(MOST_PLACEMENTS)
  .optional()
  .describe(
    'With counterSet: what the device takes of each counter, one item for each device of a set that the driver publishes.',
  );

interface PartitionFields {
  readonly claim?: string | undefined;
  readonly count?: number | undefined;
  readonly counterSet?: string | undefined;
  readonly placements?: readonly unknown[] | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** Checks that a device with a counter set states what it takes, and nothing that contradicts it. */
export const partitionFields: SchemaRule<PartitionFields> = function* (device) {
  const { counterSet: set, placements: listed } = device;
  if ((set === undefined) !== (listed === undefined)) {
    const [has, lacks] = set === undefined ? ['placements', 'counterSet'] : ['counterSet', 'placements'];
    yield errorAt('missing-field', [lacks], `the field '${lacks}' is missing`, `Set it, or remove ${has}`);
  }
  if (set === undefined) return;
  if (device.claim === 'Synthetic') {
    const what = 'a device with claim Synthetic is not claimed, so it takes no counters';
    yield errorAt('contradiction', ['counterSet'], what, 'Remove it');
  }
  if (device.allowMultipleAllocations) {
    const what = 'a plan does not count shares of a device that takes counters';
    yield errorAt('contradiction', ['allowMultipleAllocations'], what, 'Remove it, or remove counterSet');
  }
};

/** Checks that a declared device with a counter set does not state a count, which follows from its placements. */
export const countFollows: SchemaRule<PartitionFields> = function* ({ count, counterSet: set }) {
  if (set === undefined || count === undefined) return;
  const what = 'the number of devices follows from placements and the count of the counter set';
  yield errorAt('contradiction', ['count'], what, 'Remove it');
};

type Amounts = Readonly<Record<string, string>>;

interface Partitioned {
  readonly counterSet?: string | undefined;
  readonly placements?: readonly Amounts[] | undefined;
}

interface Hardware {
  readonly counterSets?: readonly CounterSet[] | undefined;
  readonly devices?: readonly Partitioned[] | undefined;
}

/** Checks that devices draw on counters that the class declares, and on no more than a set has. */
export function* findCounterFaults({ counterSets: sets = [], devices = [] }: Hardware): Iterable<Diagnostic<Path>> {
  for (const [d, { counterSet: name, placements: listed = [] }] of devices.entries()) {
    if (name === undefined) continue;
    const set = sets.find((one) => one.name === name);
    if (!set) {
      const names = sets.map((one) => one.name);
      const hint = names.length > 0 ? hintAtName(name, names) : 'Declare it in spec.counterSets';
      yield errorAt('unknown-reference', ['devices', d, 'counterSet'], `there is no counter set '${name}'`, hint);
      continue;
    }
    for (const [p, takes] of listed.entries()) yield* findExcess(set, takes, ['devices', d, 'placements', p]);
  }
}

function* findExcess({ name, counters }: CounterSet, takes: Amounts, path: Path): Iterable<Diagnostic<Path>> {
  for (const [counter, amount] of Object.entries(takes)) {
    const has = counters[counter];
    if (has === undefined) {
      const hint = hintAtName(counter, Object.keys(counters));
      yield errorAt(
        'unknown-reference',
        [...path, counter],
        `the counter set '${name}' has no counter '${counter}'`,
        hint,
      );
    } else if (parseQuantity(amount).compare(parseQuantity(has)) > 0) {
      const what = `the device takes ${amount} of '${counter}', and the counter set '${name}' has ${has}`;
      yield errorAt('out-of-bounds', [...path, counter], what, 'State what the driver publishes');
    }
  }
}

/** Devices with the number of each that a node has: the driver publishes every placement on every set. */
export function countPartitions<T extends Partitioned & { readonly count: number }>(
  devices: readonly T[],
  sets: readonly CounterSet[],
): T[] {
  return devices.map((device) => {
    const set = sets.find(({ name }) => name === device.counterSet);
    return set ? { ...device, count: set.count * (device.placements?.length ?? 0) } : device;
  });
}
