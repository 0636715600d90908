import { demandOf } from '../scheduler/demand-of';
import { fitOn } from '../scheduler/fit';
import type { Matcher } from '../scheduler/matcher';
import { memo } from '../memo';
import type { Demand, Model, Pool, Site } from '../scheduler/model';
import type { Placement } from '../scheduler/types';
import type { Usage } from './plan';
import { usageOf } from './usage';

/** What a placed replica takes, one entry a pool. */
export type UsageAt = (placement: Placement) => readonly Usage[];

/**
 * Tells what placed replicas take; nothing of one whose cluster or deployment is gone. Replicas of one demand on pools
 * of the same name and nodes take the same: it is reckoned once for all of them.
 */
export function usages({ sites, workloads }: Model, matcher: Matcher): UsageAt {
  const byName = new Map(sites.map((site) => [site.name, site]));
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const known = new Map<Demand, Map<number | string, readonly Usage[]>>();
  const keys = keysOf(sites);
  return (placement) => {
    const site = byName.get(placement.cluster);
    const workload = byId.get(placement.deployment);
    const demand = workload && demandOf(workload, placement);
    if (!site || !demand) return NOTHING;
    const pools = poolsOf(placement, demand, site);
    const [first, second] = pools;
    const key = first && !second ? keys.get(first) : undefined;
    return memo(known, demand, key ?? pools.map((pool) => keys.get(pool)).join('/'), () => {
      const fit = fitOn(demand, pools, matcher);
      return 'misfit' in fit ? NOTHING : usageOf(fit);
    });
  };
}

const NOTHING: readonly Usage[] = [];

/** A number for each pool, which those share that have one name and one kind of node. */
function keysOf(sites: readonly Site[]): ReadonlyMap<Pool, number> {
  const numbers = new Map<Pool['node'], Map<string, number>>();
  const keys = new Map<Pool, number>();
  let next = 0;
  for (const pool of sites.flatMap(({ pools }) => pools)) {
    keys.set(
      pool,
      memo(numbers, pool.node, pool.name, () => next++),
    );
  }
  return keys;
}

function poolsOf({ pools }: Placement, { engines }: Demand, site: Site): Pool[] {
  const found: Pool[] = [];
  for (const { name } of engines) {
    const pool = site.pools.find((one) => one.name === pools[name]);
    if (pool) found.push(pool);
  }
  return found;
}
