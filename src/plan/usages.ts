import { demandOf } from '../scheduler/demand-of';
import { fitOn } from '../scheduler/fit';
import type { Matcher } from '../scheduler/matcher';
import type { Demand, Model, Pool, Site } from '../scheduler/model';
import type { Placement } from '../scheduler/types';
import type { Usage } from './plan';
import { usageOf } from './usage';

/** What a placed replica takes, one entry a pool. */
export type UsageAt = (placement: Placement) => readonly Usage[];

/** Tells what placed replicas take, each asked for once. Nothing of one whose cluster or deployment is gone. */
export function usages({ sites, workloads }: Model, matcher: Matcher): UsageAt {
  const byName = new Map(sites.map((site) => [site.name, site]));
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const known = new Map<Placement, readonly Usage[]>();
  const compute = (placement: Placement): readonly Usage[] => {
    const site = byName.get(placement.cluster);
    const workload = byId.get(placement.deployment);
    const demand = workload && demandOf(workload, placement);
    if (!site || !demand) return [];
    const fit = fitOn(demand, poolsOf(placement, demand, site), site, matcher);
    return 'misfit' in fit ? [] : usageOf(fit);
  };
  return (placement) => {
    const usage = known.get(placement) ?? compute(placement);
    known.set(placement, usage);
    return usage;
  };
}

function poolsOf({ pools }: Placement, { engines }: Demand, site: Site): Pool[] {
  return engines.flatMap(({ name }) => site.pools.find((pool) => pool.name === pools[name]) ?? []);
}
