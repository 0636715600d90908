import type { Pool, Site } from './model';
import type { Placement } from './types';

/** The pool of a cluster that an engine of a replica there is on. None where the cluster has no such pool. */
export function poolOf(
  { pools }: Site,
  placement: Pick<Placement, 'pools'>,
  engine: string,
): Pool | undefined {
  const name = placement.pools[engine];
  // Asked of every replica of a fleet: a loop makes nothing.
  for (const pool of pools) if (pool.name === name) return pool;
  return undefined;
}
