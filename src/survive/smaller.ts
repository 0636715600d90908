import { rejectNew } from '../scheduler/filters';
import { engineFit } from '../scheduler/fit';
import { poolKey } from '../cost/pool-prices';
import type { Matcher } from '../scheduler/matcher';
import type { Model, Site, Workload } from '../scheduler/model';
import type { Extra } from './enlarged';

/** Whether nodes are enough; nothing where no more may be tried. */
export type Enough = (extra: Extra) => boolean | undefined;

/** A set of nodes, and how many any set must have. */
export interface Smallest {
  readonly extra: Extra;
  readonly atLeast: number;
}

/** Takes away nodes without which a set is still enough, one after the other. */
export function pruned(extra: Extra, enough: Enough): Extra {
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
export function smallest(known: Extra, pools: readonly string[], enough: Enough): Smallest {
  const total = sizeOf(known);
  for (let size = 1; size < total; size++) {
    for (const extra of setsOf(size, pools)) {
      const verdict = enough(extra);
      if (verdict === undefined) return { extra: known, atLeast: size };
      if (verdict) return { extra, atLeast: size };
    }
  }
  return { extra: known, atLeast: total };
}

/** Nodes of a set. */
export function sizeOf(extra: Extra): number {
  return [...extra.values()].reduce((sum, nodes) => sum + nodes, 0);
}

/** Every way to share out so many nodes among pools, the first pools first. */
function* setsOf(size: number, pools: readonly string[]): Generator<Map<string, number>> {
  const [first, ...rest] = pools;
  if (first === undefined) {
    if (size === 0) yield new Map();
    return;
  }
  for (let nodes = size; nodes >= 0; nodes--) {
    for (const others of setsOf(size - nodes, rest)) {
      yield nodes > 0 ? new Map([[first, nodes], ...others]) : others;
    }
  }
}

/** The pools on which an engine of some deployments fits, by `poolKey`: nodes of others help nobody. */
export function poolsThatHelp({ sites }: Model, matcher: Matcher, workloads: readonly Workload[]): string[] {
  const helps = (site: Site, pool: Site['pools'][number]): boolean =>
    workloads.some(
      ({ demand }) =>
        !rejectNew(demand, site) &&
        demand.engines.some((engine) => !('misfit' in engineFit(engine, pool, site, matcher))),
    );
  return sites.flatMap((site) =>
    site.pools.filter((pool) => helps(site, pool)).map((pool) => poolKey(site.name, pool.name)),
  );
}
