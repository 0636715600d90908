import type { ClusterCost, Range } from './cost';
import { difference, NOTHING, type Part, type Sum, sumOf } from './sum';

/**
 * How much more a fleet costs than before: negative where it costs less. Of parts that did not change nobody needs the
 * price; those that changed and have none are unknown.
 */
export function costDelta(before: Bought, after: Bought): Range {
  return { least: deltaOf(before, after, 'least'), most: deltaOf(before, after, 'most') };
}

interface Bought {
  readonly clusters: readonly OnCluster[];
}

type OnCluster = Pick<ClusterCost, 'cluster' | 'pools' | 'volumes'>;

type Bound = keyof Range;

function deltaOf(before: Bought, after: Bought, bound: Bound): Range[Bound] {
  const [was, is] = withoutSame(before.clusters, after.clusters, bound);
  const [old, now] = [leavesOf(was, bound), leavesOf(is, bound)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return sumOf(keys.flatMap((key) => leafDifference(old.get(key) ?? NONE, now.get(key) ?? NONE)));
}

/** A pool, what of it is idle, or a volume: how much there is of it, and what all of that costs. */
export interface Leaf {
  readonly amount: number;
  readonly cost: Sum;
}

export const NONE: Leaf = { amount: 0, cost: NOTHING };

/** How much more one costs than before. Nothing where there is as much of it at the same cost. */
export function leafDifference(old: Leaf, now: Leaf): Part[] {
  const isSame = old.amount === now.amount && old.cost.perHour === now.cost.perHour;
  return isSame ? [] : [difference(old.cost, now.cost)];
}

/** Two lists of clusters without those of which both buy the same, as of most. */
function withoutSame(
  was: readonly OnCluster[],
  is: readonly OnCluster[],
  bound: Bound,
): [readonly OnCluster[], readonly OnCluster[]] {
  if (was.length !== is.length) return [was, is];
  const other = was.map((old, i) => !buysSame(old, is[i], bound));
  return [was.filter((_, i) => other[i]), is.filter((_, i) => other[i])];
}

function buysSame(was: OnCluster, is: OnCluster | undefined, bound: Bound): boolean {
  if (was === is) return true;
  if (was.volumes.length + (is?.volumes.length ?? 0) > 0) return false;
  return (
    was.cluster === is?.cluster &&
    was.pools.length === is.pools.length &&
    was.pools.every((old, p) => {
      const now = is.pools[p];
      if (old.pool !== now?.pool || old.nodes[bound] !== now.nodes[bound]) return false;
      return old[bound].perHour === now[bound].perHour;
    })
  );
}

function leavesOf(clusters: readonly OnCluster[], bound: Bound): Map<string, Leaf> {
  return new Map(
    clusters.flatMap(({ cluster, pools, volumes }) => [
      ...pools.map((pool): [string, Leaf] => [
        `${cluster} pool ${pool.pool}`,
        { amount: pool.nodes[bound], cost: pool[bound] },
      ]),
      ...volumes.map(({ cache, sizeGiB, cost }): [string, Leaf] => [
        `${cluster} cache ${cache}`,
        { amount: sizeGiB, cost },
      ]),
    ]),
  );
}
