import type { CompiledCluster, CompiledDeployment, Pool, ReplicaDemand } from './compiled-fleet';
import type { Placement } from './schedule-result';

/** The identity of a replica. */
export type ReplicaId = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** The identity of a replica, as a key: `ml/qwen us-east/0`. */
export function placementKeyOf({ deployment, cluster, index }: ReplicaId): string {
  return `${deployment} ${cluster}/${index}`;
}

/** Whether two placements are equal, and so have the same line in a lock. */
export function isSamePlacement(a: Placement, b: Placement | undefined): boolean {
  if (a === b) return true;
  return (
    a.deployment === b?.deployment &&
    a.cluster === b.cluster &&
    a.index === b.index &&
    a.shape === b.shape &&
    a.leaving === b.leaving &&
    haveSamePools(a.pools, b.pools)
  );
}

/** Whether two replicas have their engines on pools of the same names. */
export function haveSamePools(a: Placement['pools'], b: Placement['pools']): boolean {
  if (a === b) return true;
  const engines = Object.keys(a);
  return engines.length === Object.keys(b).length && engines.every((engine) => a[engine] === b[engine]);
}

/**
 * The demand of a replica, whether it runs the declared engines or earlier ones. Nothing if the earlier engines are
 * unknown.
 */
export function demandOf(
  { shape, demand, previousRevisions }: CompiledDeployment,
  placement: Pick<Placement, 'shape'>,
): ReplicaDemand | undefined {
  return placement.shape === shape ? demand : previousRevisions.get(placement.shape);
}

/** The pool of an engine of a replica on its cluster. Nothing if the cluster has no pool of that name. */
export function poolOf(
  { pools }: CompiledCluster,
  placement: Pick<Placement, 'pools'>,
  engine: string,
): Pool | undefined {
  const name = placement.pools[engine];
  // This runs for every replica of a fleet: unlike `find`, a loop allocates nothing.
  for (const pool of pools) if (pool.name === name) return pool;
  return undefined;
}
