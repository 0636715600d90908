import { getOrCompute } from '../base/memoize';
import { groupBy } from '../base/order';
import type {
  CompiledCluster,
  CompiledFleet,
  EngineDemand,
  Pool,
  ReplicaDemand,
} from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { type Assignment, fitOnPools } from '../scheduler/fit-replica';
import type { Charge } from '../scheduler/ledger';
import { fillsNode } from '../scheduler/packing/pod-footprint';
import { demandOf } from '../scheduler/placement';
import type { Placement } from '../scheduler/schedule-result';
import type { Usage } from './plan';

/** What a placed replica takes, one entry a pool. */
export type UsageLookup = (placement: Placement) => readonly Usage[];

/**
 * Tells what placed replicas take; nothing of one whose cluster or deployment is gone. Replicas of one demand on pools
 * of the same name and nodes take the same: it is reckoned once for all of them.
 */
export function createUsageLookup(
  { clusters: sites, deployments: workloads }: CompiledFleet,
  matcher: PodMatcher,
): UsageLookup {
  const placesOn = createPoolNumbering(sites);
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const known = new Map<ReplicaDemand, KnownUsage>();
  let last: DemandUsage | undefined;
  const askingOf = (placement: Placement): DemandUsage => {
    const { deployment, shape } = placement;
    // Lines of a deployment follow each other.
    if (last?.deployment === deployment && last.shape === shape) return last;
    const workload = byId.get(deployment);
    const demand = workload && demandOf(workload, placement);
    const own: KnownUsage = (demand && known.get(demand)) ?? new Map();
    if (demand) known.set(demand, own);
    return (last = { deployment, shape, demand, known: own });
  };
  return (placement) => {
    const here = placesOn(placement.cluster);
    const { demand, known: own } = askingOf(placement);
    if (!here || !demand) return NO_USAGE;
    const key = keyOf(demand, placement, here);
    let usage = own.get(key);
    if (!usage) own.set(key, (usage = computeUsage(demand, poolsOf(demand, placement, here), matcher)));
    return usage;
  };
}

/** What is known of a demand, by the pools that replicas are on. */
type KnownUsage = Map<number | string, readonly Usage[]>;

/** What replicas of a deployment ask for that have one shape, and what is known of it. */
interface DemandUsage extends Pick<Placement, 'deployment' | 'shape'> {
  readonly demand: ReplicaDemand | undefined;
  readonly known: KnownUsage;
}

const NO_USAGE: readonly Usage[] = [];

function computeUsage(demand: ReplicaDemand, pools: readonly Pool[], matcher: PodMatcher): readonly Usage[] {
  const fit = fitOnPools(demand, pools, matcher);
  return 'misfit' in fit ? NO_USAGE : usageOf(fit);
}

/** A pool, and a number that those share which have one name and one kind of node. */
interface NumberedPool {
  readonly pool: Pool;
  readonly number: number;
}

/** The pools of one cluster by name. */
type NumberedPools = ReadonlyMap<string, NumberedPool>;

/** Finds the pools of a cluster by its name. Each cluster is looked at once, when it is first needed. */
function createPoolNumbering(
  sites: readonly CompiledCluster[],
): (cluster: string) => NumberedPools | undefined {
  const compiled = new Map(sites.map((site) => [site.name, site]));
  const numbers = new Map<Pool['node'], Map<string, number>>();
  let next = 0;
  const placeOf = (pool: Pool): NumberedPool => {
    return { pool, number: getOrCompute(numbers, pool.node, pool.name, () => next++) };
  };
  const known = new Map<string, NumberedPools>();
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
function keyOf({ engines }: ReplicaDemand, { pools }: Placement, here: NumberedPools): number | string {
  const numberOf = ({ name }: EngineDemand): number => here.get(pools[name] ?? '')?.number ?? -1;
  const first = engines[0];
  return first && engines.length === 1 ? numberOf(first) : engines.map(numberOf).join('/');
}

function poolsOf({ engines }: ReplicaDemand, { pools }: Placement, here: NumberedPools): Pool[] {
  return engines.flatMap(({ name }) => here.get(pools[name] ?? '')?.pool ?? []);
}

/** What the pods of a replica take, by pool. */
export function usageOf({ charges }: Assignment): Usage[] {
  return [...groupBy(charges, ({ pool }) => pool)].map(([pool, own]) => {
    const surge = sumByRequest(own, (charge) => charge.surge);
    return {
      pool: pool.name,
      nodes: own
        .filter(({ footprint: need }) => fillsNode(need, pool.node.counts))
        .reduce((nodes, { pods }) => nodes + pods, 0),
      devices: sumByRequest(own, ({ pods }) => pods),
      ...(Object.keys(surge).length > 0 && { surge }),
      share: shareOf(own, ({ pods, surge }) => pods - surge),
      ...(own.some((charge) => charge.surge > 0) && { surgeShare: shareOf(own, (charge) => charge.surge) }),
    };
  });
}

/** Parts of nodes added up. Digits beyond the tenth are those of binary fractions. */
function shareOf(charges: readonly Charge[], podsOf: (charge: Charge) => number): number {
  const share = charges.reduce((sum, charge) => sum + charge.share * podsOf(charge), 0);
  return Number(share.toFixed(10));
}

function sumByRequest(
  charges: readonly Charge[],
  podsOf: (charge: Charge) => number,
): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const charge of charges.filter((one) => podsOf(one) > 0)) {
    for (const [request, count] of Object.entries(charge.perPod)) {
      devices[request] = (devices[request] ?? 0) + count * podsOf(charge);
    }
  }
  return devices;
}
