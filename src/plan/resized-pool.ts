import type { NodePool } from '../api/node-pool';

/** Changes the number of nodes of a pool of fixed size, or the maximum of an autoscaled pool. */
export function resizePool(pool: NodePool, nodes: number): NodePool {
  const { nodeCount, maxNodeCount } = pool;
  if (maxNodeCount === undefined) return { ...pool, nodeCount: Math.max(0, nodeCount + nodes) };
  return { ...pool, maxNodeCount: Math.max(0, maxNodeCount + nodes) };
}
