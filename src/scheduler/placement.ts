import type { CompiledCluster, CompiledDeployment, Pool, ReplicaDemand } from './compiled-fleet';
import type { Placement } from './schedule-result';

/** The identity of a replica, as a key: `ml/qwen us-east/0`. */
export function placementKeyOf({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}

/** Whether two placements say the same, and so have the same line in a lock. */
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

/** Whether replicas have their engines on pools of the same names. */
export function haveSamePools(a: Placement['pools'], b: Placement['pools']): boolean {
  if (a === b) return true;
  const engines = Object.keys(a);
  return engines.length === Object.keys(b).length && engines.every((engine) => a[engine] === b[engine]);
}

/** What a replica asks for, be it of the engines as declared or of earlier ones; nothing where these are not known. */
export function demandOf(
  { shape, demand, previousRevisions: former }: CompiledDeployment,
  placement: Pick<Placement, 'shape'>,
): ReplicaDemand | undefined {
  return placement.shape === shape ? demand : former.get(placement.shape);
}

/** The pool of a cluster that an engine of a replica there is on. None where the cluster has no such pool. */
export function poolOf(
  { pools }: CompiledCluster,
  placement: Pick<Placement, 'pools'>,
  engine: string,
): Pool | undefined {
  const name = placement.pools[engine];
  // Asked of every replica of a fleet: a loop makes nothing.
  for (const pool of pools) if (pool.name === name) return pool;
  return undefined;
}
