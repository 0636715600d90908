import { lackedBy } from '../api/cluster-features';
import { labelsOf, offersStorage } from '../api/cluster-labels';
import type { Fleet } from '../fleet';
import { priceOf } from '../hardware/price-of';
import { sortedBy } from '../order';
import { NodeCompiler } from './compile-nodes';
import type { Pool, Site } from './model';

/** The clusters of a fleet with their pools, sorted by name; pools of equal nodes share a shape. */
export function compileSites({ classes, clusters, hardware, lost = [] }: Fleet): Site[] {
  const nodes = new NodeCompiler();
  const lostNodes = new Map(lost.map((one) => [`${one.cluster}/${one.pool}`, one.nodes]));
  const byName = new Map(classes.map((declared) => [declared.metadata.name, declared]));
  return sortedBy(clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const claiming = { dra: cluster.spec.dra, lacks: lackedBy(cluster) };
    const pools = cluster.spec.nodePools.flatMap((pool): Pool[] => {
      const declared = byName.get(pool.className);
      if (!declared) return [];
      const price = priceOf({ declared, cluster }, hardware.prices)?.perHour;
      return [
        {
          cluster: name,
          name: pool.name,
          nodes: pool.maxNodeCount ?? pool.nodeCount,
          lost: lostNodes.get(`${name}/${pool.name}`) ?? 0,
          node: nodes.compile(declared, pool.reserved, claiming),
          packing: pool.packing,
          ...(price !== undefined && { price }),
        },
      ];
    });
    return {
      name,
      labels: labelsOf(cluster),
      taints: cluster.spec.taints,
      pools: sortedBy(pools, (pool) => pool.name),
      sharedStorage: offersStorage(cluster),
      paused: cluster.spec.paused,
    };
  });
}
