import { parseNamespace } from '../api/resource';
import { changedPairsOf, type Pair, pairsOf } from '../base/keyed-lists';
import { groupBy } from '../base/order';
import type { ClusterCost, Cost, CostRange, PoolCost, VolumeCost } from './cost';
import {
  type ClusterCostChange,
  type CostChanges,
  type DeploymentCostChange,
  type NamespaceCostChange,
  type PoolCostChange,
  type ReplicaCostChange,
  type SumChange,
  toBoughtChange,
  type VolumeCostChange,
} from './cost-changes';
import { alignSources } from './price-sources';
import { type CostPart, diffSums, isSameSum, subtractSums, type Sum, sumParts, ZERO_SUM } from './sum';

/** What a change of a fleet costs. */
export function compareCosts(was: Cost, is: Cost): CostChanges {
  const [after, before] = alignSources(is, was);
  const { currency, hoursPerMonth, sources } = after;
  const clusters = changedPairsOf(before.clusters, after.clusters, ({ cluster }) => cluster).flatMap(
    compareClusterCost,
  );
  const deployments = changedPairsOf(
    before.deployments,
    after.deployments,
    ({ deployment }) => deployment,
  ).flatMap(compareDeployment);
  return {
    currency,
    hoursPerMonth,
    ...toBoughtChange(before, after, {
      total: computeCostDelta(before, after),
      fixed: sumParts(clusters.map(({ fixed }) => fixed.delta)),
      autoscaled: {
        least: sumParts(clusters.map(({ autoscaled }) => autoscaled.delta.least)),
        most: sumParts(clusters.map(({ autoscaled }) => autoscaled.delta.most)),
      },
      storage: sumParts(clusters.map(({ storage }) => storage.delta)),
      idle: sumParts(clusters.map(({ idle }) => idle.delta)),
    }),
    clusters,
    namespaces: compareNamespaces(before, after, [
      ...deployments,
      ...clusters.flatMap(({ volumes }) => volumes),
    ]),
    deployments,
    sources,
  };
}

/** What a namespace uses differs by what its deployments and volumes do: of the rest nobody needs the price. */
function compareNamespaces(
  before: Cost,
  after: Cost,
  parts: readonly (DeploymentCostChange | VolumeCostChange)[],
): NamespaceCostChange[] {
  const changed = groupBy(parts, (part) => {
    return parseNamespace('deployment' in part ? part.deployment : part.cache);
  });
  return pairsOf(before.namespaces, after.namespaces, ({ namespace }) => namespace).flatMap(
    ({ key, was, is }): NamespaceCostChange[] => {
      const own = changed.get(key);
      if (!own) return [];
      const [old, now] = [was?.total ?? ZERO_SUM, is?.total ?? ZERO_SUM];
      return [{ namespace: key, before: old, after: now, delta: sumParts(own.map(({ delta }) => delta)) }];
    },
  );
}

type Deployment = Cost['deployments'][number];

function compareDeployment({ key, was, is }: Pair<Deployment>): DeploymentCostChange[] {
  if (was && is && isUnchanged(was, is)) return [];
  const replicas = pairsOf(was?.replicas ?? [], is?.replicas ?? [], replicaKeyOf).flatMap((one) =>
    compareSums(one.was?.cost, one.is?.cost).map((sums): ReplicaCostChange => {
      const { cluster = '', index = 0 } = one.is ?? one.was ?? {};
      return { cluster, index, ...sums };
    }),
  );
  if (replicas.length === 0) return [];
  const delta = sumParts(replicas.map((replica) => replica.delta));
  return [{ deployment: key, before: was?.cost ?? ZERO_SUM, after: is?.cost ?? ZERO_SUM, delta, replicas }];
}

/** The common case, told without looking replicas up. */
function isUnchanged(was: Deployment, is: Deployment): boolean {
  return (
    was.replicas.length === is.replicas.length &&
    was.replicas.every((old, i) => {
      const now = is.replicas[i];
      return now?.cluster === old.cluster && now.index === old.index && isSameSum(old.cost, now.cost);
    })
  );
}

type Replica = Deployment['replicas'][number];

function replicaKeyOf({ cluster, index }: Replica): string {
  return `${cluster}/${index}`;
}

function compareSums(was: Sum | undefined, is: Sum | undefined): SumChange[] {
  const [before, after] = [was ?? ZERO_SUM, is ?? ZERO_SUM];
  return isSameSum(before, after) ? [] : [{ before, after, delta: diffSums(before, after) }];
}

/** What a cluster costs before and after. Nothing where neither what is bought there nor what of it is idle changes. */
export function compareClusterCost({ key, was, is }: Pair<ClusterCost>): ClusterCostChange[] {
  const [old, now] = [was ?? NO_CLUSTER, is ?? NO_CLUSTER];
  const pairs = pairsOf(old.pools, now.pools, ({ pool }) => pool);
  const pools = pairs.flatMap(comparePool);
  const volumes = pairsOf(old.volumes, now.volumes, ({ cache }) => cache).flatMap(compareVolume);
  if (pools.length + volumes.length === 0) return [];
  const delta = {
    total: computeCostDelta(
      { clusters: [{ ...old, cluster: key }] },
      { clusters: [{ ...now, cluster: key }] },
    ),
    fixed: diffNodes(pairs, false).most,
    autoscaled: diffNodes(pairs, true),
    storage: sumParts(volumes.map((volume) => volume.delta)),
    idle: sumParts(pools.map(({ idle }) => idle.delta)),
  };
  return [{ cluster: key, ...toBoughtChange(old, now, delta), pools, volumes }];
}

const NO_RANGE: CostRange = { least: ZERO_SUM, most: ZERO_SUM };
const NO_CLUSTER: ClusterCost = {
  cluster: '',
  fixed: ZERO_SUM,
  autoscaled: NO_RANGE,
  storage: ZERO_SUM,
  total: NO_RANGE,
  idle: ZERO_SUM,
  pools: [],
  volumes: [],
};
const NO_NODES: PoolCost['nodes'] = { least: 0, most: 0 };

/** Of the nodes of pools with an autoscaler, or of those without. */
function diffNodes(pools: readonly Pair<PoolCost>[], autoscaled: boolean): CostRange {
  const [was, is] = (['was', 'is'] as const).map((side) => {
    const own = pools.flatMap(({ [side]: pool }) => (pool?.autoscaled === autoscaled ? [pool] : []));
    return { clusters: [{ ...NO_CLUSTER, pools: own }] };
  });
  return was && is ? computeCostDelta(was, is) : NO_RANGE;
}

function comparePool({ key, was, is }: Pair<PoolCost>): PoolCostChange[] {
  const [before, after] = [rangeOf(was), rangeOf(is)];
  const nodes = { before: was?.nodes ?? NO_NODES, after: is?.nodes ?? NO_NODES };
  const bounds = (['least', 'most'] as const).filter(
    (bound) => nodes.before[bound] !== nodes.after[bound] || !isSameSum(before[bound], after[bound]),
  );
  const moreIdle = diffItems(idleOf(was), idleOf(is));
  if (bounds.length + moreIdle.length === 0) return [];
  const idle = { before: idleOf(was).cost, after: idleOf(is).cost, delta: sumParts(moreIdle) };
  return [
    { pool: key, before, after, delta: computeCostDelta(asOnlyPool(was), asOnlyPool(is)), idle, nodes },
  ];
}

/** The nodes of a pool that always run, less those that are taken. */
function idleOf(pool: PoolCost | undefined): CostItem {
  if (!pool) return NO_ITEM;
  return { amount: Math.max(0, pool.nodes.least - pool.taken), cost: pool.idle };
}

/** A pool as if it were all that is bought. */
function asOnlyPool(pool: PoolCost | undefined) {
  return { clusters: [{ ...NO_CLUSTER, pools: pool ? [pool] : [] }] };
}

function rangeOf(pool: PoolCost | undefined): CostRange {
  return pool ? { least: pool.least, most: pool.most } : NO_RANGE;
}

function compareVolume({ key, was, is }: Pair<VolumeCost>): VolumeCostChange[] {
  const sizeGiB = { before: was?.sizeGiB ?? 0, after: is?.sizeGiB ?? 0 };
  const [before, after] = [was?.cost ?? ZERO_SUM, is?.cost ?? ZERO_SUM];
  const sameSize = sizeGiB.before === sizeGiB.after;
  if (sameSize && isSameSum(before, after)) return [];
  const delta = before.unknown + after.unknown > 0 ? { unknown: 1 } : diffSums(before, after);
  return [{ cache: key, before, after, delta, sizeGiB }];
}

/**
 * How much more a fleet costs than before: negative where it costs less. Of parts that did not change nobody needs the
 * price; those that changed and have none are unknown.
 */
export function computeCostDelta(before: BoughtClusters, after: BoughtClusters): CostRange {
  return { least: deltaOf(before, after, 'least'), most: deltaOf(before, after, 'most') };
}

interface BoughtClusters {
  readonly clusters: readonly ClusterParts[];
}

type ClusterParts = Pick<ClusterCost, 'cluster' | 'pools' | 'volumes'>;

type Bound = keyof CostRange;

function deltaOf(before: BoughtClusters, after: BoughtClusters, bound: Bound): CostRange[Bound] {
  const [was, is] = dropUnchanged(before.clusters, after.clusters, bound);
  const [old, now] = [itemsOf(was, bound), itemsOf(is, bound)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return sumParts(keys.flatMap((key) => diffItems(old.get(key) ?? NO_ITEM, now.get(key) ?? NO_ITEM)));
}

/** A pool, what of it is idle, or a volume: how much there is of it, and what all of that costs. */
export interface CostItem {
  readonly amount: number;
  readonly cost: Sum;
}

export const NO_ITEM: CostItem = { amount: 0, cost: ZERO_SUM };

/** How much more one costs than before. Nothing where there is as much of it at the same cost. */
export function diffItems(old: CostItem, now: CostItem): CostPart[] {
  const isSame = old.amount === now.amount && old.cost.perHour === now.cost.perHour;
  return isSame ? [] : [subtractSums(old.cost, now.cost)];
}

/** Two lists of clusters without those of which both buy the same, as of most. */
function dropUnchanged(
  was: readonly ClusterParts[],
  is: readonly ClusterParts[],
  bound: Bound,
): [readonly ClusterParts[], readonly ClusterParts[]] {
  if (was.length !== is.length) return [was, is];
  const other = was.map((old, i) => !buysSame(old, is[i], bound));
  return [was.filter((_, i) => other[i]), is.filter((_, i) => other[i])];
}

function buysSame(was: ClusterParts, is: ClusterParts | undefined, bound: Bound): boolean {
  if (was === is) return true;
  if (was.volumes.length + (is?.volumes.length ?? 0) > 0) return false;
  return (
    was.cluster === is?.cluster &&
    was.pools.length === is.pools.length &&
    was.pools.every((old, p) => {
      const now = is.pools[p];
      if (old.pool !== now?.pool || old.nodes[bound] !== now.nodes[bound]) return false;
      return old[bound].perHour === now[bound].perHour;
    })
  );
}

function itemsOf(clusters: readonly ClusterParts[], bound: Bound): Map<string, CostItem> {
  return new Map(
    clusters.flatMap(({ cluster, pools, volumes }) => [
      ...pools.map((pool): [string, CostItem] => [
        `${cluster} pool ${pool.pool}`,
        { amount: pool.nodes[bound], cost: pool[bound] },
      ]),
      ...volumes.map(({ cache, sizeGiB, cost }): [string, CostItem] => [
        `${cluster} cache ${cache}`,
        { amount: sizeGiB, cost },
      ]),
    ]),
  );
}
