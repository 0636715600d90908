import { parseNamespace } from '../api/resource';
import { type KeyedPair, pairsOf } from '../base/keyed-lists';
import { groupBy } from '../base/order';
import type {
  ClusterCost,
  Cost,
  CostBreakdown,
  CostRange,
  CostWithLeast,
  DeploymentCost,
  NamespaceCost,
  PoolCost,
  ReplicaCost,
  VolumeCost,
} from './cost';
import { isCacheVolume } from './volume-name';
import type { BoughtChange, ChangeWithLeast, ClusterCostChange, CostChange, CostChanges } from './cost-changes';
import { alignSources } from './price-sources';
import { type CostPart, subtractSums, type Sum, sumParts, ZERO_SUM } from './sum';

export function compareCosts(was: Cost, is: Cost): CostChanges {
  const [after, before] = alignSources(is, was);
  const { currency, hoursPerMonth, sources } = after;
  const pairs = pairsOf(before.clusters, after.clusters, ({ cluster }) => cluster);
  const clusters = pairs.flatMap(clusterChange);
  const deploymentPairs = pairsOf(before.deployments, after.deployments, ({ deployment }) => deployment);
  const deployments = deploymentPairs.flatMap(compareDeployment);
  const volumes = clusters.flatMap((cluster) => cluster.volumes);
  const delta: CostBreakdown = {
    total: deltaOf(pairs.flatMap(poolsIn), pairs.flatMap(volumesIn)),
    fixed: sumParts(clusters.map(({ fixed }) => fixed.delta)),
    autoscaled: {
      least: sumParts(clusters.map(({ autoscaled }) => autoscaled.delta.least)),
      most: sumParts(clusters.map(({ autoscaled }) => autoscaled.delta.most)),
    },
    storage: sumParts(clusters.map(({ storage }) => storage.delta)),
    idle: sumParts(clusters.map(({ idle }) => idle.delta)),
  };
  return {
    currency,
    hoursPerMonth,
    ...boughtChange(before, after, delta),
    clusters,
    namespaces: compareNamespaces(before, after, [
      ...deployments.map(({ deployment, ...change }) => ({ id: deployment, ...change })),
      ...volumes.filter(isCacheVolume).map(({ cache, delta }) => ({ id: cache, delta })),
    ]),
    deployments,
    sources,
  };
}

function boughtChange(was: CostBreakdown, is: CostBreakdown, delta: CostBreakdown): BoughtChange {
  const change = <K extends keyof CostBreakdown>(part: K) => {
    return { before: was[part], after: is[part], delta: delta[part] };
  };
  return {
    ...change('total'),
    fixed: change('fixed'),
    autoscaled: change('autoscaled'),
    storage: change('storage'),
    idle: change('idle'),
  };
}

const NO_RANGE: CostRange = { least: ZERO_SUM, most: ZERO_SUM };
const NO_CLUSTER: CostBreakdown = {
  fixed: ZERO_SUM,
  autoscaled: NO_RANGE,
  storage: ZERO_SUM,
  total: NO_RANGE,
  idle: ZERO_SUM,
};

/** Compares the costs of a cluster. The list is empty if neither what is bought nor what is idle changes. */
function clusterChange(cluster: KeyedPair<ClusterCost>): ClusterCostChange[] {
  const { key, was, is } = cluster;
  const pairs = poolsIn(cluster);
  const pools = pairs.flatMap(poolChange);
  const volumes = volumesIn(cluster).flatMap(volumeChange);
  if (pools.length + volumes.length === 0) return [];
  const delta = {
    total: deltaOf(pairs, volumesIn(cluster)),
    fixed: deltaOf(pairs.map((pair) => sized(pair, false))).most,
    autoscaled: deltaOf(pairs.map((pair) => sized(pair, true))),
    storage: sumParts(volumes.map((volume) => volume.delta)),
    idle: sumParts(pools.map(({ idle }) => idle.delta)),
  };
  return [{ cluster: key, ...boughtChange(was ?? NO_CLUSTER, is ?? NO_CLUSTER, delta), pools, volumes }];
}

/** Keeps the states of a pool in which it is autoscaled, or those in which it is not. */
function sized({ key, was, is }: KeyedPair<PoolCost>, autoscaled: boolean): KeyedPair<PoolCost> {
  const only = (pool: PoolCost | undefined) => (pool?.autoscaled === autoscaled ? pool : undefined);
  return { key, was: only(was), is: only(is) };
}

function poolChange(pair: KeyedPair<PoolCost>): ClusterCostChange['pools'][number][] {
  const { key, was, is } = pair;
  const [before, after] = [rangeOf(was), rangeOf(is)];
  const nodes = { before: was?.nodes ?? NO_NODES, after: is?.nodes ?? NO_NODES };
  const bounds = (['least', 'most'] as const).filter(
    (bound) => nodes.before[bound] !== nodes.after[bound] || !isSame(before[bound], after[bound]),
  );
  if (was && is && was.unpriced !== is.unpriced) bounds.push('most');
  const idleDelta = diffItems(idleOf(was), idleOf(is));
  if (bounds.length + idleDelta.length === 0) return [];
  const idle = { before: idleOf(was).cost, after: idleOf(is).cost, delta: sumParts(idleDelta) };
  return [{ pool: key, before, after, delta: deltaOf([pair]), idle, nodes }];
}

function rangeOf(pool: PoolCost | undefined): CostRange {
  return pool ? { least: pool.least, most: pool.most } : NO_RANGE;
}

const NO_NODES: PoolCost['nodes'] = { least: 0, most: 0 };

/** The nodes of a pool that always run, minus those that are taken. */
function idleOf(pool: PoolCost | undefined): CostItem {
  return pool
    ? { amount: Math.max(0, pool.nodes.least - pool.taken), cost: pool.idle, unpriced: pool.unpriced }
    : NO_ITEM;
}

function volumeChange({ key, was, is }: KeyedPair<VolumeCost>): ClusterCostChange['volumes'][number][] {
  const sizeGiB = { before: was?.sizeGiB ?? 0, after: is?.sizeGiB ?? 0 };
  const [before, after] = [was?.cost ?? ZERO_SUM, is?.cost ?? ZERO_SUM];
  if (sizeGiB.before === sizeGiB.after && isSame(before, after)) return [];
  const delta = before.unknown + after.unknown > 0 ? { unknown: 1 } : sumDelta(before, after);
  return [{ cache: key, before, after, delta, sizeGiB, ...(is?.smallestOf && { smallestOf: is.smallestOf }) }];
}

/** What the replicas of a deployment or the volumes of a cache cost more. */
interface ChangedPart {
  readonly id: string;
  readonly delta: Sum;
  readonly least?: CostChange;
}

/** Compares the costs of namespaces. Only deployments and volumes that change count, so other prices are not needed. */
function compareNamespaces(before: Cost, after: Cost, parts: readonly ChangedPart[]): CostChanges['namespaces'] {
  const changed = groupBy(parts, ({ id }) => parseNamespace(id));
  const pairs = pairsOf(before.namespaces, after.namespaces, ({ namespace }) => namespace);
  return pairs.flatMap(({ key, was, is }) => {
    const changedParts = changed.get(key);
    return changedParts
      ? [{ namespace: key, ...useChange(rangeOfNamespace(was), rangeOfNamespace(is), changedParts) }]
      : [];
  });
}

function rangeOfNamespace(cost: NamespaceCost | undefined): CostWithLeast {
  if (!cost) return NO_USE;
  const { total, leastReplicas, storage } = cost;
  return { cost: total, ...(leastReplicas && { least: sumParts([leastReplicas, storage]) }) };
}

const NO_USE: CostWithLeast = { cost: ZERO_SUM };

/** The change of a cost that is the sum of parts, with all copies and with the fewest. */
function useChange(was: CostWithLeast, is: CostWithLeast, parts: readonly Omit<ChangedPart, 'id'>[]): ChangeWithLeast {
  const delta = sumParts(parts.map((part) => part.delta));
  const change = { before: was.cost, after: is.cost, delta };
  if (!was.least && !is.least) return change;
  const leastDelta = sumParts(parts.map(({ least, delta: all }) => least?.delta ?? all));
  return { ...change, least: { before: leastOf(was), after: leastOf(is), delta: leastDelta } };
}

function leastOf({ cost, least = cost }: CostWithLeast): Sum {
  return least;
}

function compareDeployment({ key, was, is }: KeyedPair<DeploymentCost>): CostChanges['deployments'][number][] {
  if (was && is && isUnchanged(was, is)) return [];
  const pairs = pairsOf(was?.replicas ?? [], is?.replicas ?? [], ({ cluster, index }) => `${cluster}/${index}`);
  const replicas = pairs.flatMap(replicaChange);
  return replicas.length === 0
    ? []
    : [{ deployment: key, ...useChange(was ?? NO_USE, is ?? NO_USE, replicas), replicas }];
}

/** Whether all replicas of a deployment stay and cost the same. Avoids lookups in the common case. */
function isUnchanged(was: DeploymentCost, is: DeploymentCost): boolean {
  return (
    was.replicas.length === is.replicas.length &&
    was.replicas.every((old, i) => {
      const now = is.replicas[i];
      return now?.cluster === old.cluster && now.index === old.index && isSameUse(old, now);
    })
  );
}

function isSameUse(was: CostWithLeast, is: CostWithLeast): boolean {
  return isSame(was.cost, is.cost) && isSame(leastOf(was), leastOf(is));
}

function replicaChange(pair: KeyedPair<ReplicaCost>): CostChanges['deployments'][number]['replicas'][number][] {
  const [was, is] = [pair.was ?? NO_USE, pair.is ?? NO_USE];
  if (isSameUse(was, is)) return [];
  const { cluster = '', index = 0 } = pair.is ?? pair.was ?? {};
  const [before, after] = [leastOf(was), leastOf(is)];
  const least = { before, after, delta: sumDelta(before, after) };
  return [{ cluster, index, ...useChange(was, is, [{ delta: sumDelta(was.cost, is.cost), least }]) }];
}

/** The difference of two sums. Unknown if they have different numbers of parts without a price. */
function sumDelta(before: Sum, after: Sum): Sum {
  return before.unknown === after.unknown ? sumParts([subtractSums(before, after)]) : { unknown: 1 };
}

/** Whether two amounts are the same, regardless of the dates of their prices. */
function isSame(a: Sum, b: Sum): boolean {
  return a.perHour === b.perHour && a.unknown === b.unknown;
}

type ClusterParts = Pick<ClusterCost, 'cluster' | 'pools' | 'volumes'>;

interface BoughtClusters {
  readonly clusters: readonly ClusterParts[];
}

/**
 * Computes how much more a fleet costs than before; a negative result means less. Parts that did not change need no
 * price. Changed parts without a price are unknown.
 */
export function computeCostDelta(before: BoughtClusters, after: BoughtClusters): CostRange {
  const clusters = pairsOf(before.clusters, after.clusters, ({ cluster }) => cluster);
  return deltaOf(clusters.flatMap(poolsIn), clusters.flatMap(volumesIn));
}

function poolsIn({ was, is }: KeyedPair<ClusterParts>): KeyedPair<PoolCost>[] {
  return pairsOf(was?.pools ?? [], is?.pools ?? [], ({ pool }) => pool);
}

function volumesIn({ was, is }: KeyedPair<ClusterParts>): KeyedPair<VolumeCost>[] {
  return pairsOf(was?.volumes ?? [], is?.volumes ?? [], ({ cache }) => cache);
}

function deltaOf(pools: readonly KeyedPair<PoolCost>[], volumes: readonly KeyedPair<VolumeCost>[] = []): CostRange {
  const stored = volumes.flatMap(({ was, is }) => diffItems(volumeLeaf(was), volumeLeaf(is)));
  const bound = (at: keyof CostRange): Sum => {
    const nodes = pools.flatMap(({ was, is }) => diffItems(poolLeaf(was, at), poolLeaf(is, at)));
    return sumParts([...nodes, ...stored]);
  };
  return { least: bound('least'), most: bound('most') };
}

/** An amount of nodes, idle nodes or storage, and what all of it costs. */
interface CostItem {
  readonly amount: number;
  readonly cost: Sum;

  /** What it is. Only where it has no price. */
  readonly unpriced?: string | undefined;
}

const NO_ITEM: CostItem = { amount: 0, cost: ZERO_SUM };

function poolLeaf(pool: PoolCost | undefined, bound: keyof CostRange): CostItem {
  return pool ? { amount: pool.nodes[bound], cost: pool[bound], unpriced: pool.unpriced } : NO_ITEM;
}

function volumeLeaf(volume: VolumeCost | undefined): CostItem {
  return volume ? { amount: volume.sizeGiB, cost: volume.cost } : NO_ITEM;
}

/** Computes how much more an item costs than before. The list is empty if amount and cost are the same. */
function diffItems(old: CostItem, now: CostItem): CostPart[] {
  const isSameItem = old.amount === now.amount && (now.amount === 0 || old.unpriced === now.unpriced);
  const isUnchangedItem = isSameItem && old.cost.perHour === now.cost.perHour;
  return isUnchangedItem ? [] : [subtractSums(old.cost, now.cost)];
}
