import type { ClusterCost, Range } from './cost';
import { type Part, sumOf } from './sum';

/**
 * How much more a fleet costs than before: negative where it costs less. Of parts that did not change nobody needs the
 * price; those that changed and have none are unknown.
 */
export function costDelta(before: Bought, after: Bought): Range {
  return { least: deltaOf(before, after, 'least'), most: deltaOf(before, after, 'most') };
}

interface Bought {
  readonly clusters: readonly Pick<ClusterCost, 'cluster' | 'pools' | 'volumes'>[];
}

type Bound = keyof Range;

function deltaOf(before: Bought, after: Bought, bound: Bound): Range[Bound] {
  const [old, now] = [leavesOf(before, bound), leavesOf(after, bound)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return sumOf(keys.flatMap((key) => differenceOf(old.get(key) ?? NONE, now.get(key) ?? NONE)));
}

/** A pool or a volume: how much there is of it, and what all of that costs an hour. */
interface Leaf {
  readonly amount: number;
  readonly perHour: number | undefined;
}

const NONE: Leaf = { amount: 0, perHour: 0 };

function differenceOf(old: Leaf, now: Leaf): Part[] {
  if (old.amount === now.amount && old.perHour === now.perHour) return [];
  if (old.perHour === undefined || now.perHour === undefined) return [{}];
  return [{ perHour: now.perHour - old.perHour }];
}

function leavesOf({ clusters }: Bought, bound: Bound): Map<string, Leaf> {
  return new Map(
    clusters.flatMap(({ cluster, pools, volumes }) => [
      ...pools.map((pool): [string, Leaf] => [
        `${cluster} pool ${pool.pool}`,
        { amount: pool.nodes[bound], perHour: pool[bound].perHour },
      ]),
      ...volumes.map(({ cache, sizeGiB, cost }): [string, Leaf] => [
        `${cluster} cache ${cache}`,
        { amount: sizeGiB, perHour: cost.perHour },
      ]),
    ]),
  );
}
