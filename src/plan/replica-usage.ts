import { getOrCompute } from '../base/memoize';
import { groupBy } from '../base/order';
import type { CompiledCluster, CompiledFleet, EngineDemand, Pool, ReplicaDemand } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { type Assignment, fitOnPools } from '../scheduler/fit-replica';
import type { Charge } from '../scheduler/ledger';
import { fillsNode } from '../scheduler/packing/pod-footprint';
import { demandOf, type Placement, poolOf } from '../scheduler/placement';
import type { Usage } from './plan';

/** Returns what a placed replica takes, one entry per pool. */
export type UsageLookup = (placement: Placement) => readonly Usage[];

/**
 * Creates a function that returns what a placed replica takes. The result is empty if its cluster or deployment does
 * not exist any more. Replicas with the same demand, on pools with the same name and nodes, share one result.
 */
export function createUsageLookup({ clusters, deployments }: CompiledFleet, matcher: PodMatcher): UsageLookup {
  const poolsOn = createPoolNumbering(clusters);
  const byId = new Map(deployments.map((one) => [one.id, one]));
  const known = new Map<ReplicaDemand, Map<number | string, readonly Usage[]>>();
  return (placement) => {
    const pools = poolsOn(placement.cluster);
    const deployment = byId.get(placement.deployment);
    const demand = deployment && demandOf(deployment, placement);
    if (!pools || !demand) return NO_USAGE;
    return getOrCompute(known, demand, keyOf(demand, placement, pools), () =>
      computeUsage(demand, poolsOf(demand, placement, pools), matcher),
    );
  };
}

const NO_USAGE: readonly Usage[] = [];

function computeUsage(demand: ReplicaDemand, pools: readonly Pool[], matcher: PodMatcher): readonly Usage[] {
  const fit = fitOnPools(demand, pools, matcher);
  return 'misfit' in fit ? NO_USAGE : usageOf(fit);
}

/** A pool, and a number that pools of the same name and the same kind of node share. */
interface NumberedPool {
  readonly pool: Pool;
  readonly number: number;
}

type NumberedPools = ReadonlyMap<string, NumberedPool>;

/** Creates a function that returns the numbered pools of a cluster. Numbers are assigned on first use. */
function createPoolNumbering(clusters: readonly CompiledCluster[]): (cluster: string) => NumberedPools | undefined {
  const compiled = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const numbers = new Map<Pool['node'], Map<string, number>>();
  let next = 0;
  const numberedOf = (pool: Pool): NumberedPool => {
    return { pool, number: getOrCompute(numbers, pool.node, pool.name, () => next++) };
  };
  const known = new Map<string, NumberedPools>();
  return (name) => {
    const cluster = compiled.get(name);
    let pools = known.get(name);
    if (!pools && cluster) {
      pools = new Map(cluster.pools.map((pool) => [pool.name, numberedOf(pool)]));
      known.set(name, pools);
    }
    return pools;
  };
}

/** The cache key of the pools that a replica is on. A single number for a replica with one engine, which is common. */
function keyOf({ engines }: ReplicaDemand, { pools }: Placement, numbered: NumberedPools): number | string {
  const numberOf = ({ name }: EngineDemand): number => numbered.get(pools[name] ?? '')?.number ?? -1;
  const first = engines[0];
  return first && engines.length === 1 ? numberOf(first) : engines.map(numberOf).join('/');
}

function poolsOf({ engines }: ReplicaDemand, { pools }: Placement, numbered: NumberedPools): Pool[] {
  return engines.flatMap(({ name }) => numbered.get(pools[name] ?? '')?.pool ?? []);
}

/** Lists the pods of placements, without those whose deployment, cluster or pool is gone or that do not fit. */
export function listPlacedPods(
  { clusters, deployments }: Pick<CompiledFleet, 'clusters' | 'deployments'>,
  placements: readonly Placement[],
  matcher: PodMatcher,
) {
  const deploymentsById = new Map(deployments.map((one) => [one.id, one]));
  const clustersByName = new Map(clusters.map((one) => [one.name, one]));
  return placements.flatMap((placement) => {
    const deployment = deploymentsById.get(placement.deployment);
    const cluster = clustersByName.get(placement.cluster);
    const engines = (deployment && demandOf(deployment, placement)?.engines) ?? [];
    return engines.flatMap(({ name, members }) => {
      const pool = cluster && poolOf(cluster, placement, name);
      return members.flatMap((member) => {
        const fit = pool && matcher.fit(member.pod, pool.node);
        return !fit || 'misfit' in fit ? [] : [{ placement, pool, member, fit }];
      });
    });
  });
}

/** Computes what the pods of a replica take, by pool. */
export function usageOf({ charges }: Assignment): Usage[] {
  return [...groupBy(charges, ({ pool }) => pool)].map(([pool, group]) => {
    const surge = sumByRequest(group, (charge) => charge.surge);
    return {
      pool: pool.name,
      nodes: group
        .filter(({ footprint }) => fillsNode(footprint, pool.node.counts))
        .reduce((nodes, { pods }) => nodes + pods, 0),
      devices: sumByRequest(group, ({ pods }) => pods),
      ...(Object.keys(surge).length > 0 && { surge }),
      share: shareOf(group, ({ pods, surge }) => pods - surge),
      ...(group.some(({ scaled }) => scaled) && { scaledShare: shareOf(group, ({ scaled = 0 }) => scaled) }),
      ...(group.some((charge) => charge.surge > 0) && { surgeShare: shareOf(group, (charge) => charge.surge) }),
    };
  });
}

/** Sums up fractions of nodes. Rounds to ten digits, which removes errors of binary fractions. */
function shareOf(charges: readonly Charge[], podsOf: (charge: Charge) => number): number {
  const share = charges.reduce((sum, charge) => sum + charge.share * podsOf(charge), 0);
  return Number(share.toFixed(10));
}

function sumByRequest(charges: readonly Charge[], podsOf: (charge: Charge) => number): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const charge of charges.filter((one) => podsOf(one) > 0)) {
    for (const [request, count] of Object.entries(charge.perPod)) {
      devices[request] = (devices[request] ?? 0) + count * podsOf(charge);
    }
  }
  return devices;
}
