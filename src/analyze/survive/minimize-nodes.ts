import { poolKeyOf } from '../../cost/pool-prices';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { rejectNew } from '../../scheduler/filters';
import { fitEngine } from '../../scheduler/fit-replica';
import type { ExtraNodeCounts } from './simulate-loss';

/** Whether nodes are enough; nothing where no more may be tried. */
export type SufficiencyTest = (extra: ExtraNodeCounts) => boolean | undefined;

/** A set of nodes, and how many any set must have. */
export interface SmallestSet {
  readonly extra: ExtraNodeCounts;
  readonly atLeast: number;
}

/** Takes away nodes without which a set is still enough, one after the other. */
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

/** Tries every set that is smaller than one that is enough, the smallest first, for as long as may be tried. */
export function findSmallestSet(
  known: ExtraNodeCounts,
  pools: readonly string[],
  enough: SufficiencyTest,
): SmallestSet {
  const total = countNodes(known);
  for (let size = 1; size < total; size++) {
    for (const extra of enumerateSets(size, pools)) {
      const verdict = enough(extra);
      if (verdict === undefined) return { extra: known, atLeast: size };
      if (verdict) return { extra, atLeast: size };
    }
  }
  return { extra: known, atLeast: total };
}

/** Nodes of a set. */
export function countNodes(extra: ExtraNodeCounts): number {
  return [...extra.values()].reduce((sum, nodes) => sum + nodes, 0);
}

/** Every way to share out so many nodes among pools, the first pools first. */
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

/** The pools on which an engine of some deployments fits, by `poolKey`: nodes of others help nobody. */
export function findHelpfulPools(
  { clusters: sites }: CompiledFleet,
  matcher: PodMatcher,
  workloads: readonly CompiledDeployment[],
): string[] {
  const helps = (site: CompiledCluster, pool: CompiledCluster['pools'][number]): boolean =>
    workloads.some(
      ({ demand }) =>
        !rejectNew(demand, site) &&
        demand.engines.some((engine) => !('misfit' in fitEngine(engine, pool, site, matcher))),
    );
  return sites.flatMap((site) =>
    site.pools.filter((pool) => helps(site, pool)).map((pool) => poolKeyOf(site.name, pool.name)),
  );
}

/**
 * How much may still be tried, counted in replicas that are placed: the same on every machine. A hundred clusters with
 * ten thousand replicas leave some dozens of tries, a small fleet some thousands.
 */
export class TrialBudget {
  #left = 400_000;

  /** Whether another fleet of so many replicas may be placed; it then counts as done. */
  spend(replicas: number): boolean {
    this.#left -= replicas + COST_OF_TRIAL;
    return this.#left >= 0;
  }
}

/** A small fleet takes as long as this many replicas of a large one. */
const COST_OF_TRIAL = 200;
