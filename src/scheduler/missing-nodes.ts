import type { CompiledCluster, Pool, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { listAssignments } from './fit-replica';
import type { Ledger } from './ledger';

/** A pool that alone keeps a replica off a cluster, and the nodes that it lacks for all engines of the replica. */
export interface ShortPool {
  readonly pool: Pool;
  readonly nodes: number;
}

/** Finds the pools of a cluster of which more nodes alone give a replica a place, with the fewest nodes of each. */
export function listShortPools(
  demand: ReplicaDemand,
  cluster: CompiledCluster,
  matcher: PodMatcher,
  ledger: Ledger,
): ShortPool[] {
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
