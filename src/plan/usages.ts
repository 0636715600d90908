import { demandOf } from '../scheduler/demand-of';
import { fitOn } from '../scheduler/fit';
import type { Matcher } from '../scheduler/matcher';
import { memo } from '../memo';
import type { Demand, Engine, Model, Pool, Site } from '../scheduler/model';
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
  const places = placesOf(sites);
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const known = new Map<Demand, Map<number | string, readonly Usage[]>>();
  return (placement) => {
    const here = places.get(placement.cluster);
    const workload = byId.get(placement.deployment);
    const demand = workload && demandOf(workload, placement);
    if (!here || !demand) return NOTHING;
    let own = known.get(demand);
    if (!own) known.set(demand, (own = new Map()));
    const key = keyOf(demand, placement, here);
    let usage = own.get(key);
    if (!usage) own.set(key, (usage = usageOn(demand, poolsOf(demand, placement, here), matcher)));
    return usage;
  };
}

const NOTHING: readonly Usage[] = [];

function usageOn(demand: Demand, pools: readonly Pool[], matcher: Matcher): readonly Usage[] {
  const fit = fitOn(demand, pools, matcher);
  return 'misfit' in fit ? NOTHING : usageOf(fit);
}

/** A pool, and a number that those share which have one name and one kind of node. */
interface Place {
  readonly pool: Pool;
  readonly number: number;
}

/** The pools of one cluster by name. */
type Places = ReadonlyMap<string, Place>;

/** The pools of each cluster. */
function placesOf(sites: readonly Site[]): ReadonlyMap<string, Places> {
  const numbers = new Map<Pool['node'], Map<string, number>>();
  let next = 0;
  const placeOf = (pool: Pool): Place => {
    return { pool, number: memo(numbers, pool.node, pool.name, () => next++) };
  };
  return new Map(
    sites.map(({ name, pools }) => [name, new Map(pools.map((pool) => [pool.name, placeOf(pool)]))]),
  );
}

/** Which pools a replica is on, as far as that decides what it takes. Most have one engine. */
function keyOf({ engines }: Demand, { pools }: Placement, here: Places): number | string {
  const numberOf = ({ name }: Engine): number => here.get(pools[name] ?? '')?.number ?? -1;
  const first = engines[0];
  return first && engines.length === 1 ? numberOf(first) : engines.map(numberOf).join('/');
}

function poolsOf({ engines }: Demand, { pools }: Placement, here: Places): Pool[] {
  return engines.flatMap(({ name }) => here.get(pools[name] ?? '')?.pool ?? []);
}
