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
  const known = new Map<Demand, Map<string, readonly Usage[]>>();
  const keys = keysOf(sites);
  const reckon = (placement: Placement): readonly Usage[] => {
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
  // The plan and its cost ask of each.
  const reckoned = new Map<Placement, readonly Usage[]>();
  return (placement) => {
    const usage = reckoned.get(placement) ?? reckon(placement);
    reckoned.set(placement, usage);
    return usage;
  };
}

const NOTHING: readonly Usage[] = [];

/** The name of each pool, and a number of its kind of node. */
function keysOf(sites: readonly Site[]): ReadonlyMap<Pool, string> {
  const numbers = new Map<Pool['node'], number>();
  const keys = new Map<Pool, string>();
  for (const { pools } of sites) {
    for (const pool of pools) {
      const number = numbers.get(pool.node) ?? numbers.size;
      numbers.set(pool.node, number);
      keys.set(pool, `${pool.name} ${number}`);
    }
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
