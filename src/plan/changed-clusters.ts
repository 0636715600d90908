import type { NodePool } from '../api/node-pool';
import type { Fleet } from '../fleet/fleet';

type Cluster = Fleet['clusters'][number];

/** A fleet in which a cluster is declared otherwise. */
export function changeCluster(fleet: Fleet, name: string, change: (cluster: Cluster) => Cluster): Fleet {
  return { ...fleet, clusters: fleet.clusters.map((one) => (one.metadata.name === name ? change(one) : one)) };
}

/** A fleet in which a cluster declares other node pools. */
export function changePools(
  fleet: Fleet,
  cluster: string,
  change: (pools: readonly NodePool[]) => readonly NodePool[],
): Fleet {
  return changeCluster(fleet, cluster, ({ spec, ...one }) => {
    return { ...one, spec: { ...spec, nodePools: [...change(spec.nodePools)] } };
  });
}

/** Changes the number of nodes of a pool of fixed size, or the maximum of an autoscaled pool. */
export function resizePool(pool: NodePool, nodes: number): NodePool {
  const { nodeCount, maxNodeCount } = pool;
  if (maxNodeCount === undefined) return { ...pool, nodeCount: Math.max(0, nodeCount + nodes) };
  return { ...pool, maxNodeCount: Math.max(0, maxNodeCount + nodes) };
}

/** A pool of fixed size that is otherwise like another one. */
export function copyPool(like: NodePool, name: string, nodeCount: number): NodePool {
  const { minNodeCount: _least, maxNodeCount: _most, ...pool } = like;
  return { ...pool, name, nodeCount };
}
