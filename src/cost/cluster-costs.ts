import { type CacheDelivery, deliveryOf } from '../api/cache/delivery';
import { clusterLabelsOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { REGION_LABEL } from '../api/labels';
import type { ModelCache } from '../api/model-cache';
import type { NodePool } from '../api/node-pool';
import { leastAutoscaledNodesOf, poolSizeOf } from '../provision/node-pools';
import { qualifiedNameOf } from '../api/resource';
import { getOrCompute } from '../base/memoize';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { roundUpVolumeSize, volumeRoundingOf } from '../fleet/hardware/shared-storage';
import { describePricedNode, type Price, listPricesElsewhere } from '../fleet/prices/node-price';
import type { PriceBook } from '../fleet/prices/price-book';
import { diskPriceOf, type StoragePrice, storagePriceOf } from '../fleet/prices/storage-price';
import type { CacheLocation } from '../replicas/cache-clusters';
import type { ClusterCost, CostBreakdown, PoolCost, VolumeCost } from './cost';
import type { CostedReplica } from './deployment-costs';
import { poolKeyOf, type Pricing } from './pool-prices';
import { PriceSourceList } from './price-sources';
import { type Sum, sumParts } from './sum';

/** The replicas and cache volumes that a cost covers. */
export interface CostSubjects {
  /** The placed replicas, in the order of the lock. */
  readonly replicas: readonly CostedReplica[];

  /** The caches with the clusters that hold them. */
  readonly held: readonly CacheLocation[];
}

/** Computes what is bought on each cluster, and how much of it replicas use. */
export function computeClusterCosts(
  fleet: Fleet,
  { replicas, held }: CostSubjects,
  { prices, sources }: Pricing,
): ClusterCost[] {
  const taken = sumPoolUse(replicas);
  const costOf = createNodeSum(sources);
  const cachesByCluster = groupBy(
    held.flatMap(({ cache, clusters, pods }) =>
      clusters.map((cluster) => ({ cache, cluster, pods: pods.get(cluster.metadata.name) ?? 0 })),
    ),
    ({ cluster }) => cluster.metadata.name,
  );
  return sortedBy(fleet.clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const usedPools = taken.get(name);
    const pools = sortedBy(cluster.spec.nodePools, (pool) => pool.name).map((pool) => {
      const price = prices.get(poolKeyOf(name, pool.name));
      const use = usedPools?.get(pool.name) ?? NO_USE;
      const cost = computePoolCost(pool, price, { use, nodes: countNodes(pool, use, cluster) }, costOf);
      return price ? cost : { ...cost, ...describeUnpriced(pool, cluster, fleet) };
    });
    const volumes = [
      ...(cachesByCluster.get(name) ?? []).flatMap(
        (one) => computeVolumeCost(one, fleet.hardware.prices, sources) ?? [],
      ),
      ...computeSharedCost(cluster, fleet.hardware.prices, sources),
    ];
    return { cluster: name, ...boughtOf(pools, volumes), pools, volumes: sortedBy(volumes, (one) => one.cache) };
  });
}

function describeUnpriced(
  { className }: NodePool,
  cluster: InferenceCluster,
  { classes, hardware }: Fleet,
): Pick<PoolCost, 'elsewhere' | 'unpriced'> {
  const declared = classes.find(({ metadata }) => metadata.name === className);
  if (!declared) return {};
  const prices = listPricesElsewhere({ declared, cluster }, hardware.prices);
  const region = clusterLabelsOf(cluster)[REGION_LABEL];
  return {
    unpriced: describePricedNode({ declared, cluster }),
    ...(prices.length > 0 && { elsewhere: { ...(region !== undefined && { region }), prices } }),
  };
}

const NO_USE: Readonly<PoolUse> = { taken: 0, rollouts: 0, scaled: 0 };

function boughtOf(pools: readonly PoolCost[], volumes: readonly VolumeCost[]): CostBreakdown {
  const fixed = sumParts(pools.filter(({ autoscaled }) => !autoscaled).map(({ least }) => least));
  const scaled = pools.filter(({ autoscaled }) => autoscaled);
  const least = sumParts(scaled.map((pool) => pool.least));
  const most = sumParts(scaled.map((pool) => pool.most));
  const storage = sumParts(volumes.map(({ cost }) => cost));
  return {
    fixed,
    autoscaled: { least, most },
    storage,
    total: { least: sumParts([fixed, least, storage]), most: sumParts([fixed, most, storage]) },
    idle: sumParts(pools.map(({ idle }) => idle)),
  };
}

function sumPoolUse(replicas: readonly CostedReplica[]): ReadonlyMap<string, ReadonlyMap<string, Readonly<PoolUse>>> {
  const taken = new Map<string, Map<string, PoolUse>>();
  for (const { placement, usage } of replicas) {
    for (const { pool, share, surgeShare = 0, scaledShare = 0 } of usage) {
      const sum = getOrCompute(taken, placement.cluster, pool, () => ({ ...NO_USE }));
      sum.taken = roundNodes(sum.taken + share);
      sum.rollouts = roundNodes(sum.rollouts + surgeShare);
      sum.scaled = roundNodes(sum.scaled + scaledShare);
    }
  }
  return taken;
}

/** Rounds to ten digits. Multiples of 1/1024 have at most ten digits, so they need no rounding. */
function roundNodes(nodes: number): number {
  return Number.isInteger(nodes * 1024) ? nodes : Number(nodes.toFixed(10));
}

/** The nodes of a pool that replicas take, and those that they reserve for rollouts. */
interface PoolUse {
  taken: number;
  rollouts: number;

  /** The part of `taken` for copies that an autoscaler can remove. */
  scaled: number;
}

/** An autoscaler removes neither the fewest nodes of a pool nor those that the fewest copies of replicas need. */
function countNodes(
  pool: NodePool,
  { taken, scaled }: Readonly<PoolUse>,
  cluster: InferenceCluster,
): PoolCost['nodes'] {
  const { min, max } = poolSizeOf(pool, leastAutoscaledNodesOf(cluster));
  return { least: min === max ? min : Math.min(max, Math.max(min, Math.ceil(roundNodes(taken - scaled)))), most: max };
}

/** What a number of nodes costs, which may be a fraction. */
type NodeSum = (price: Price | undefined, count: number) => Sum;

/** Many pools have the same number of nodes at the same price, and share one sum. */
function createNodeSum(sources: PriceSourceList): NodeSum {
  const known = new Map<Price | undefined, Map<number, Sum>>();
  return (price, count) =>
    getOrCompute(known, price, count, () => sumParts(count > 0 ? [sources.nodes(price, count)] : []));
}

function computePoolCost(
  pool: NodePool,
  price: Price | undefined,
  { use: { taken, rollouts }, nodes }: { readonly use: Readonly<PoolUse>; readonly nodes: PoolCost['nodes'] },
  costOf: NodeSum,
): PoolCost {
  const { name, className, maxNodeCount } = pool;
  const least = costOf(price, nodes.least);
  return {
    pool: name,
    className,
    autoscaled: maxNodeCount !== undefined,
    nodes,
    ...(price && { price }),
    least,
    most: costOf(price, nodes.most),
    taken,
    rollouts,
    idle: costOf(price, Math.max(0, nodes.least - taken)),
  };
}

interface HeldCache {
  readonly cache: ModelCache;
  readonly cluster: InferenceCluster;

  /** The number of pods that mount it. */
  readonly pods: number;
}

/** What is bought for a cache: its size in GiB, and the price of a GiB. */
interface Volume {
  readonly sizeGiB: number;
  readonly price: StoragePrice | undefined;

  /** The file system of which it is the smallest volume, larger than its files. */
  readonly smallestOf?: string | undefined;
}

type DescribeVolume = (sizeGiB: number, held: HeldCache, prices: PriceBook) => Volume | undefined;

/** The volumes that are bought for caches. Claims, buckets, images and ConfigMaps exist without the fleet. */
const VOLUMES: Readonly<Partial<Record<CacheDelivery, DescribeVolume>>> = {
  Staged: (sizeGiB, { cluster }, prices) => {
    const { shared, fileSystem } = volumeRoundingOf(cluster) ?? {};
    if (shared !== undefined) return undefined;
    const billed = roundUpVolumeSize(cluster, sizeGiB);
    const smallestOf = billed > sizeGiB ? fileSystem : undefined;
    return { sizeGiB: billed, price: storagePriceOf(cluster, prices), smallestOf };
  },
  PodDisk: (sizeGiB, { cluster, pods }, prices) => {
    return { sizeGiB: sizeGiB * pods, price: diskPriceOf(cluster, prices) };
  },
  Snapshot: (sizeGiB, { cluster }, prices) => ({ sizeGiB, price: diskPriceOf(cluster, prices) }),
};

/** Computes the cost of the volumes of a cache, of each cluster that holds it. */
export function computeCacheVolumes({ cache, clusters, pods }: CacheLocation, prices: PriceBook): VolumeCost[] {
  const sources = new PriceSourceList();
  return clusters.flatMap((cluster) => {
    return computeVolumeCost({ cache, cluster, pods: pods.get(cluster.metadata.name) ?? 0 }, prices, sources) ?? [];
  });
}

/** Computes the cost of the volumes of a cache on a cluster. Returns `undefined` if none is bought for it. */
function computeVolumeCost(held: HeldCache, prices: PriceBook, sources: PriceSourceList): VolumeCost | undefined {
  const { spec } = held.cache;
  const describeVolume = VOLUMES[deliveryOf(spec)];
  if (spec.sizeGiB === undefined || !describeVolume) return undefined;
  const volume = describeVolume(spec.sizeGiB, held, prices);
  return volume && priceVolume(qualifiedNameOf(held.cache), volume, sources);
}

/** Computes the cost of a file system that exists with its cluster, whatever caches are in it. */
function computeSharedCost(cluster: InferenceCluster, prices: PriceBook, sources: PriceSourceList): VolumeCost[] {
  const { fileSystem, shared } = volumeRoundingOf(cluster) ?? {};
  if (fileSystem === undefined || shared === undefined) return [];
  return [priceVolume(fileSystem, { sizeGiB: shared, price: storagePriceOf(cluster, prices) }, sources)];
}

function priceVolume(cache: string, { sizeGiB, price, smallestOf }: Volume, sources: PriceSourceList): VolumeCost {
  const cost = sumParts([sources.storage(price, sizeGiB)]);
  return { cache, sizeGiB, ...(smallestOf !== undefined && { smallestOf }), ...(price && { price }), cost };
}
