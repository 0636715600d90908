import type { CounterSet } from '../api/counter-sets';
import type { ClassDevice } from '../api/device';
import { groupBy, sortUnique } from '../base/order';
import { parseQuantity } from '../cel/values/quantity';
import type { DeviceDifference, DifferingDevice } from './device-difference';
import type { ClaimableDevice, CounterDraw } from './node-info';

type Amounts = Readonly<Record<string, string>>;

/**
 * Compares what a published partition draws on with the counter set of its class: what the set has of each counter, and
 * whether the class lists what the device takes. The plan packs partitions by both, so replicas may not start with
 * others.
 */
export function compareCounters(
  { counterSet: name, placements = [] }: ClassDevice,
  { draws }: Pick<ClaimableDevice, 'draws'>,
  sets: readonly CounterSet[],
): DeviceDifference[] {
  const set = sets.find((one) => one.name === name);
  if (!set) return [];
  const [draw, ...others] = draws;
  if (!draw || others.length > 0) {
    const published = draw && draws.map((one) => one.set).join(', ');
    // Devices that share nothing are all available at once, which is more than the plan counts on.
    return [describe('counter set', set.name, { declared: 'one', published, less: draw !== undefined })];
  }
  const counters = namesOf(set.counters, draw.has).flatMap((counter) => {
    const [declared, published] = [set.counters[counter], draw.has[counter]];
    const order = amountOf(published) - amountOf(declared);
    if (order === 0) return [];
    // A counter that the class omits may be what runs out first.
    const less = order < 0 || declared === undefined;
    return [describe('counter', counter, { declared: declared ?? 'none', published, less })];
  });
  if (placements.some((one) => isSameAmounts(one, draw.takes))) return counters;
  const facts = { declared: 'no such placement', published: formatAmounts(draw.takes), less: true };
  return [...counters, describe('placement', set.name, facts)];
}

/**
 * Finds devices that a class declares as if each had its own counters, and of which a set cannot provide all at once:
 * whole GPUs next to their partitions. One difference for each set, at a device without declared counters.
 */
export function findUndeclaredCounters(paired: readonly DifferingDevice[]): DifferingDevice[] {
  const draws = paired.flatMap((pair) => pair.published.draws.map((draw) => ({ pair, draw })));
  const sets = groupBy(draws, ({ pair: { published }, draw }) =>
    JSON.stringify([published.driver, published.pool, draw.set]),
  );
  return [...sets.values()].flatMap((sharing) => {
    const undeclared = sharing.find(({ pair }) => pair.entry.counterSet === undefined);
    const counter = undeclared && findExhausted(sharing.map(({ draw }) => draw));
    if (!undeclared || counter === undefined) return [];
    const { pair, draw } = undeclared;
    const published = `${draw.has[counter] ?? '0'} of '${counter}'`;
    return [{ ...pair, differences: [describe('counter set', draw.set, { declared: 'none', published, less: true })] }];
  });
}

/** The first counter of a set of which devices take more than it has. */
function findExhausted(draws: readonly CounterDraw[]): string | undefined {
  const [first] = draws;
  return namesOf(...draws.map(({ takes }) => takes)).find((counter) => {
    const taken = draws.reduce((sum, { takes }) => sum + amountOf(takes[counter]), 0);
    return taken > amountOf(first?.has[counter]);
  });
}

function describe(
  field: DeviceDifference['field'],
  name: string,
  facts: Pick<DeviceDifference, 'declared' | 'published' | 'less'>,
): DeviceDifference {
  return { field, name, ...facts, path: facts.published === undefined ? [] : ['consumesCounters'] };
}

function namesOf(...all: readonly Amounts[]): string[] {
  return sortUnique(all.flatMap((amounts) => Object.keys(amounts)));
}

function amountOf(quantity: string | undefined): number {
  return quantity === undefined ? 0 : parseQuantity(quantity).asApproximateFloat();
}

function isSameAmounts(a: Amounts, b: Amounts): boolean {
  return namesOf(a, b).every((name) => amountOf(a[name]) === amountOf(b[name]));
}

function formatAmounts(amounts: Amounts): string {
  return namesOf(amounts)
    .map((name) => `${name} ${amounts[name]}`)
    .join(', ');
}
