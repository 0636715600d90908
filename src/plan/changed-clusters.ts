import type { NodePool } from '../api/node-pool';
import type { Fleet } from '../fleet/fleet';
import type { NodeField } from '../scheduler/remedy';

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

/** Finds the field that adds nodes to a pool, with its values. Empty: the pool is not declared. */
export function findNodeField(
  { clusters }: Pick<Fleet, 'clusters'>,
  { cluster, pool, nodes }: { readonly cluster: string; readonly pool: string; readonly nodes: number },
): NodeField {
  const declared = clusters.find(({ metadata }) => metadata.name === cluster);
  const found = declared?.spec.nodePools.find(({ name }) => name === pool);
  if (!found) return {};
  const from = found.maxNodeCount ?? found.nodeCount;
  return { [found.maxNodeCount === undefined ? 'nodeCount' : 'maxNodeCount']: { from, to: from + nodes } };
}
