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
  const placesOn = placesOf(sites);
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const known = new Map<Demand, Known>();
  let last: Asking | undefined;
  const askingOf = (placement: Placement): Asking => {
    const { deployment, shape } = placement;
    // Lines of a deployment follow each other.
    if (last?.deployment === deployment && last.shape === shape) return last;
    const workload = byId.get(deployment);
    const demand = workload && demandOf(workload, placement);
    const own: Known = (demand && known.get(demand)) ?? new Map();
    if (demand) known.set(demand, own);
    return (last = { deployment, shape, demand, known: own });
  };
  return (placement) => {
    const here = placesOn(placement.cluster);
    const { demand, known: own } = askingOf(placement);
    if (!here || !demand) return NOTHING;
    const key = keyOf(demand, placement, here);
    let usage = own.get(key);
    if (!usage) own.set(key, (usage = usageOn(demand, poolsOf(demand, placement, here), matcher)));
    return usage;
  };
}

/** What is known of a demand, by the pools that replicas are on. */
type Known = Map<number | string, readonly Usage[]>;

/** What replicas of a deployment ask for that have one shape, and what is known of it. */
interface Asking extends Pick<Placement, 'deployment' | 'shape'> {
  readonly demand: Demand | undefined;
  readonly known: Known;
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

/** Tells the pools of clusters, once each: beside another state few clusters are asked for. */
function placesOf(sites: readonly Site[]): (cluster: string) => Places | undefined {
  const compiled = new Map(sites.map((site) => [site.name, site]));
  const numbers = new Map<Pool['node'], Map<string, number>>();
  let next = 0;
  const placeOf = (pool: Pool): Place => {
    return { pool, number: memo(numbers, pool.node, pool.name, () => next++) };
  };
  const known = new Map<string, Places>();
  return (cluster) => {
    const site = compiled.get(cluster);
    let places = known.get(cluster);
    if (!places && site) {
      known.set(cluster, (places = new Map(site.pools.map((pool) => [pool.name, placeOf(pool)]))));
    }
    return places;
  };
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
