import type {
  CompiledCluster,
  CompiledDeployment,
  CompiledFleet,
  Pool,
  ReplicaDemand,
} from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { rejectNew } from '../../scheduler/filters';
import { fitEngine, listPreferredPools } from '../../scheduler/fit-replica';
import { hasLimits } from '../../scheduler/topology-spread';
import { comparePrices } from './add-nodes';
import type { ExtraNodeCounts } from './simulate-loss';

/** Returns whether a set of nodes is enough, or `undefined` once the budget is used up. */
export type SufficiencyTest = (extra: ExtraNodeCounts) => boolean | undefined;

/** Removes nodes from a set, one after the other, for as long as the rest is enough. */
export function pruneNodes(extra: ExtraNodeCounts, enough: SufficiencyTest): ExtraNodeCounts {
  let best = extra;
  for (const key of [...extra.keys()].sort()) {
    for (let nodes = best.get(key) ?? 0; nodes > 0; nodes--) {
      const fewer = new Map([...best, [key, nodes - 1] as const].filter(([, n]) => n > 0));
      if (!enough(fewer)) break;
      best = fewer;
    }
  }
  return best;
}

/**
 * Tries every set that is smaller than a known one, the smallest first, until the budget is used up. Returns a set that
 * is enough, and a lower bound for the size of any such set.
 */
export function findSmallestSet(known: ExtraNodeCounts, pools: readonly string[], enough: SufficiencyTest) {
  const total = countExtraNodes(known);
  for (let size = 1; size < total; size++) {
    for (const extra of enumerateSets(size, pools)) {
      const verdict = enough(extra);
      if (verdict === undefined) return { extra: known, atLeast: size };
      if (verdict) return { extra, atLeast: size };
    }
  }
  return { extra: known, atLeast: total };
}

export function countExtraNodes(extra: ExtraNodeCounts): number {
  return [...extra.values()].reduce((sum, nodes) => sum + nodes, 0);
}

/** Yields every distribution of a number of nodes over pools, the one with most nodes in the first pools first. */
function* enumerateSets(size: number, pools: readonly string[]): Generator<Map<string, number>> {
  const [first, ...rest] = pools;
  if (first === undefined) {
    if (size === 0) yield new Map();
    return;
  }
  for (let nodes = size; nodes >= 0; nodes--) {
    for (const others of enumerateSets(size - nodes, rest)) {
      yield nodes > 0 ? new Map([[first, nodes], ...others]) : others;
    }
  }
}

/** Lists the pools on which an engine of a deployment fits, the cheapest first. Nodes of other pools do not help. */
export function findHelpfulPools(
  { clusters }: CompiledFleet,
  matcher: PodMatcher,
  deployments: readonly CompiledDeployment[],
): Pool[] {
  const helps = (cluster: CompiledCluster, pool: Pool): boolean =>
    deployments.some(
      ({ demand }) =>
        !rejectNew(demand, cluster) &&
        demand.engines.some((engine) => !('misfit' in fitEngine(engine, pool, cluster, matcher))),
    );
  return clusters
    .flatMap((cluster) => cluster.pools.filter((pool) => helps(cluster, pool)))
    .sort((a, b) => comparePrices(a.price, b.price));
}

/**
 * Returns whether nodes alone decide whether a deployment finds a place where some clusters are lost: another cluster takes
 * it, and no quota, closed pool or limit of its spread is in the way. False does not mean that something is.
 */
export function createNodesSuffice(
  { clusters }: CompiledFleet,
  matcher: PodMatcher,
): (deployment: CompiledDeployment, lost: ReadonlySet<string>) => boolean {
  const takers = new Map<ReplicaDemand, readonly CompiledCluster[]>();
  const takes = (demand: ReplicaDemand, cluster: CompiledCluster): boolean =>
    !rejectNew(demand, cluster) &&
    demand.engines.every((engine) =>
      listPreferredPools(engine, cluster, matcher, demand.poolOrder).some(({ pool }) => !pool.queue && !pool.closed),
    );
  return (deployment, lost) => {
    const { demand, paused, variants } = deployment;
    if (paused || variants || hasLimits(deployment)) return false;
    const able = takers.get(demand) ?? clusters.filter((cluster) => takes(demand, cluster));
    takers.set(demand, able);
    return able.some(({ name }) => !lost.has(name));
  };
}
