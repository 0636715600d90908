import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { labelsOf, offersStorage } from './cluster-labels';
import { NodeCompiler } from './compile-nodes';
import type { Pool, Site } from './model';

/** The clusters of a fleet with their pools, sorted by name; pools of equal devices share a node shape. */
export function compileSites({ classes, clusters }: Fleet): Site[] {
  const nodes = new NodeCompiler();
  const shapes = new Map(classes.map((declared) => [declared.metadata.name, nodes.compile(declared)]));
  return sortedBy(clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const pools = cluster.spec.nodePools.flatMap((pool): Pool[] => {
      const node = shapes.get(pool.className);
      return node
        ? [{ cluster: name, name: pool.name, nodes: pool.maxNodeCount ?? pool.nodeCount, node }]
        : [];
    });
    return {
      name,
      labels: labelsOf(cluster),
      taints: cluster.spec.taints,
      pools: sortedBy(pools, (pool) => pool.name),
      sharedStorage: offersStorage(cluster),
    };
  });
}
