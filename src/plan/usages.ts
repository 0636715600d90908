import { demandOf } from '../scheduler/demand-of';
import { fitOn } from '../scheduler/fit';
import type { Matcher } from '../scheduler/matcher';
import { memo } from '../scheduler/memo';
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
  const numbers = new Map<Pool['node'], number>();
  const numberOf = ({ node }: Pool): number => {
    const number = numbers.get(node) ?? numbers.size;
    numbers.set(node, number);
    return number;
  };
  return (placement) => {
    const site = byName.get(placement.cluster);
    const workload = byId.get(placement.deployment);
    const demand = workload && demandOf(workload, placement);
    if (!site || !demand) return [];
    const pools = poolsOf(placement, demand, site);
    const key = pools.map((pool) => `${pool.name} ${numberOf(pool)}`).join('/');
    return memo(known, demand, key, () => {
      const fit = fitOn(demand, pools, site, matcher);
      return 'misfit' in fit ? [] : usageOf(fit);
    });
  };
}

function poolsOf({ pools }: Placement, { engines }: Demand, site: Site): Pool[] {
  return engines.flatMap(({ name }) => site.pools.find((pool) => pool.name === pools[name]) ?? []);
}
