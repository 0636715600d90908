import type { NodePool } from '../api/node-pool';

/** How many nodes a pool has, over all zones. */
export type PoolSize =
  | { readonly kind: 'Fixed'; readonly nodes: number }
  | { readonly kind: 'Autoscaled'; readonly initial: number; readonly min: number; readonly max: number };

/**
 * The size of a pool, as placement counts it: without `maxNodeCount` it is fixed, and no autoscaler touches it.
 *
 * @param least the fewest nodes from which the cloud's autoscaler can add more
 */
export function poolSize({ nodeCount, minNodeCount = 0, maxNodeCount }: NodePool, least: number): PoolSize {
  if (maxNodeCount === undefined) return { kind: 'Fixed', nodes: nodeCount };
  const min = Math.min(maxNodeCount, Math.max(least, minNodeCount));
  return { kind: 'Autoscaled', initial: Math.max(min, nodeCount), min, max: maxNodeCount };
}
