import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { Fleet } from '../fleet';
import { groupBy, sortedBy } from '../order';
import type { Bought, ClusterCost, PoolCost, VolumeCost } from './cost';
import type { Charged } from './deployment-costs';
import { poolCost, type Taken } from './pool-cost';
import { poolKey, type PoolPrices } from './pool-prices';
import { sumOf } from './sum';
import { volumeCost } from './volume-cost';

/** Where a cache is. */
export interface Held {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];
}

/** What is placed, and where caches are. */
export interface Placed {
  readonly replicas: readonly Charged[];
  readonly held: readonly Held[];
}

/** What is bought on each cluster, and what of it replicas use. */
export function clusterCosts(fleet: Fleet, { replicas, held }: Placed, prices: PoolPrices): ClusterCost[] {
  const taken = takenOf(replicas);
  const here = groupBy(
    held.flatMap(({ cache, clusters }) => clusters.map((cluster) => ({ cache, cluster }))),
    ({ cluster }) => cluster.metadata.name,
  );
  return sortedBy(fleet.clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const pools = sortedBy(cluster.spec.nodePools, (pool) => pool.name).map((pool) => {
      const key = poolKey(name, pool.name);
      return poolCost(pool, prices.get(key), taken.get(key) ?? { taken: 0, rollouts: 0 });
    });
    const volumes = (here.get(name) ?? []).flatMap(
      ({ cache }) => volumeCost(cache, cluster, fleet.hardware.prices) ?? [],
    );
    return {
      cluster: name,
      ...boughtOf(pools, volumes),
      pools,
      volumes: sortedBy(volumes, (one) => one.cache),
    };
  });
}

function boughtOf(pools: readonly PoolCost[], volumes: readonly VolumeCost[]): Bought {
  const fixed = sumOf(pools.filter(({ autoscaled }) => !autoscaled).map(({ least }) => least));
  const scaled = pools.filter(({ autoscaled }) => autoscaled);
  const least = sumOf(scaled.map((pool) => pool.least));
  const most = sumOf(scaled.map((pool) => pool.most));
  const storage = sumOf(volumes.map(({ cost }) => cost));
  return {
    fixed,
    autoscaled: { least, most },
    storage,
    total: { least: sumOf([fixed, least, storage]), most: sumOf([fixed, most, storage]) },
    idle: sumOf(pools.map(({ idle }) => idle)),
  };
}

/** What replicas take of each pool, by `poolKey`. */
function takenOf(replicas: readonly Charged[]): ReadonlyMap<string, Taken> {
  const taken = new Map<string, { taken: number; rollouts: number }>();
  for (const { cluster, usage } of replicas) {
    for (const { pool, share, surgeShare = 0 } of usage) {
      const key = poolKey(cluster, pool);
      const sum = taken.get(key);
      if (sum) {
        sum.taken = rounded(sum.taken + share);
        sum.rollouts = rounded(sum.rollouts + surgeShare);
      } else taken.set(key, { taken: rounded(share), rollouts: rounded(surgeShare) });
    }
  }
  return taken;
}

/** Halves, quarters and so on down to 1/1024 have ten digits at most: they are as they are. */
function rounded(nodes: number): number {
  return Number.isInteger(nodes * 1024) ? nodes : Number(nodes.toFixed(10));
}
