import type { ClassDevice } from '../../api/device';
import type { CounterSet } from '../../api/counter-sets';
import { parseQuantity } from '../../cel/values/quantity';
import type { CounterSetShape } from '../packing/counter-sets';
import type { NodeShape } from './shapes';

/**
 * Adds the counter sets of a class to its node: each is a further kind, of which the kinds of device that draw on it
 * are partitions.
 *
 * @param devices the devices of the kinds, in the same order
 */
export function withCounterSets(
  node: NodeShape,
  sets: readonly CounterSet[],
  devices: readonly ClassDevice[],
): NodeShape {
  const used = sets.filter(({ name }) => devices.some(({ counterSet }) => counterSet === name));
  const counterSets = used.map((set, i) => compileSet(set, node.counts.length + i, devices));
  const kinds = node.kinds.map((kind, k) => {
    const name = devices[k]?.counterSet;
    const at = used.findIndex((set) => set.name === name);
    const set = counterSets[at];
    if (!set) return kind;
    const before = devices.slice(0, k).reduce((sum, one) => sum + placementsIn(used[at], one).length, 0);
    return { ...kind, partition: { set, devices: placementsIn(used[at], devices[k]).map((_, p) => before + p) } };
  });
  return { ...node, kinds, counterSets, counts: [...node.counts, ...used.map(({ count }) => count)] };
}

function compileSet(set: CounterSet, kind: number, devices: readonly ClassDevice[]): CounterSetShape {
  const names = Object.keys(set.counters).sort();
  const amountsOf = (amounts: Readonly<Record<string, string>>): number[] =>
    names.map((name) => parseQuantity(amounts[name] ?? '0').asApproximateFloat());
  const placements = devices.flatMap((device) => placementsIn(set, device));
  return { name: set.name, kind, count: set.count, of: amountsOf(set.counters), devices: placements.map(amountsOf) };
}

function placementsIn(
  set: CounterSet | undefined,
  device: ClassDevice | undefined,
): NonNullable<ClassDevice['placements']> {
  return set && device?.counterSet === set.name ? (device.placements ?? []) : [];
}
