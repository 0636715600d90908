import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { Fleet } from '../fleet';
import { memo } from '../memo';
import { groupBy, sortedBy } from '../order';
import type { Bought, ClusterCost, PoolCost, VolumeCost } from './cost';
import type { Charged } from './deployment-costs';
import { poolCost, type Taken } from './pool-cost';
import { poolKey, type Pricing } from './pool-prices';
import { sumOf } from './sum';
import { volumeCost } from './volume-cost';

/** Where a cache is. */
export interface Held {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];
}

/** What is placed, and where caches are. */
export interface Placed {
  /** In the order of the lock. */
  readonly replicas: readonly Charged[];
  readonly held: readonly Held[];
}

/**
 * What is bought on each cluster, and what of it replicas use.
 *
 * @param known what is known of clusters, by name
 */
export function clusterCosts(
  fleet: Fleet,
  { replicas, held }: Placed,
  { prices, sources }: Pricing,
  known: ReadonlyMap<string, ClusterCost>,
): ClusterCost[] {
  const taken = takenOf(replicas);
  const here = groupBy(
    held.flatMap(({ cache, clusters }) => clusters.map((cluster) => ({ cache, cluster }))),
    ({ cluster }) => cluster.metadata.name,
  );
  return sortedBy(fleet.clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const same = known.get(name);
    if (same) return same;
    const own = taken.get(name);
    const pools = sortedBy(cluster.spec.nodePools, (pool) => pool.name).map((pool) => {
      const price = prices.get(poolKey(name, pool.name));
      return poolCost(pool, price, own?.get(pool.name) ?? NOTHING, sources);
    });
    const volumes = (here.get(name) ?? []).flatMap(
      ({ cache }) => volumeCost(cache, cluster, fleet.hardware.prices, sources) ?? [],
    );
    return {
      cluster: name,
      ...boughtOf(pools, volumes),
      pools,
      volumes: sortedBy(volumes, (one) => one.cache),
    };
  });
}

const NOTHING: Taken = { taken: 0, rollouts: 0 };

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

/** What replicas take of each pool, by cluster and name. */
function takenOf(replicas: readonly Charged[]): ReadonlyMap<string, ReadonlyMap<string, Taken>> {
  const taken = new Map<string, Map<string, { taken: number; rollouts: number }>>();
  for (const { placement, usage } of replicas) {
    for (const { pool, share, surgeShare = 0 } of usage) {
      const sum = memo(taken, placement.cluster, pool, () => ({ taken: 0, rollouts: 0 }));
      sum.taken = rounded(sum.taken + share);
      sum.rollouts = rounded(sum.rollouts + surgeShare);
    }
  }
  return taken;
}

/** Halves, quarters and so on down to 1/1024 have ten digits at most: they are as they are. */
function rounded(nodes: number): number {
  return Number.isInteger(nodes * 1024) ? nodes : Number(nodes.toFixed(10));
}
