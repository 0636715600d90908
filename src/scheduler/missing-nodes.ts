import type { CompiledCluster, Pool, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { packPool } from './changed-demands';
import { fitReplica, listAssignments } from './fit-replica';
import type { Ledger } from './ledger';

/** A pool that alone keeps a replica off a cluster, and the nodes that it lacks for all engines of the replica. */
export interface ShortPool {
  readonly pool: Pool;
  readonly nodes: number;
}

/** A replica that may fit on a cluster, next to what a ledger has there. */
export interface WantedReplica {
  readonly demand: ReplicaDemand;
  readonly cluster: CompiledCluster;
  readonly matcher: PodMatcher;
  readonly ledger: Ledger;
}

/** Whether a replica fits if the cluster packs the pods of a pool that it spreads. */
export function fitsPacked({ demand, cluster, matcher, ledger }: WantedReplica, pool: Pool): boolean {
  if (pool.packing !== 'Spread' || pool.closed) return false;
  const packed = packPool(cluster, pool.name);
  const next = packed.pools.find(({ name }) => name === pool.name);
  return next !== undefined && fitReplica(demand, packed, matcher, ledger.replacing(pool, next)) !== undefined;
}

/** Finds the pools of a cluster of which more nodes alone give a replica a place, with the fewest nodes of each. */
export function listShortPools({ demand, cluster, matcher, ledger }: WantedReplica): ShortPool[] {
  const fewest = new Map<Pool, number>();
  for (const { charges } of listAssignments(demand, cluster, matcher)) {
    const [short, ...others] = [...new Set(charges.map(({ pool }) => pool))].flatMap((pool) => {
      const nodes = pool.closed ? Number.POSITIVE_INFINITY : ledger.missingNodes(pool, charges);
      return nodes > 0 ? [{ pool, nodes }] : [];
    });
    if (!short || others.length > 0 || !Number.isFinite(short.nodes)) continue;
    if (short.nodes < (fewest.get(short.pool) ?? Number.POSITIVE_INFINITY)) fewest.set(short.pool, short.nodes);
  }
  return [...fewest].map(([pool, nodes]) => ({ pool, nodes }));
}
