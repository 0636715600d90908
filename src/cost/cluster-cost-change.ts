import { type Pair, pairsOf } from '../pairs';
import { boughtChange } from './bought-change';
import type { ClusterCost, PoolCost, Range, VolumeCost } from './cost';
import type { ClusterCostChange, PoolCostChange, VolumeCostChange } from './cost-changes';
import { costDelta, type Leaf, leafDifference, NONE } from './delta';
import { NOTHING, sumOf } from './sum';
import { isSame, sumDelta } from './sum-delta';

/** What a cluster costs before and after. Nothing where neither what is bought there nor what of it is idle changes. */
export function clusterCostChange({ key, was, is }: Pair<ClusterCost>): ClusterCostChange[] {
  const [old, now] = [was ?? NO_CLUSTER, is ?? NO_CLUSTER];
  const pairs = pairsOf(old.pools, now.pools, ({ pool }) => pool);
  const pools = pairs.flatMap(poolChange);
  const volumes = pairsOf(old.volumes, now.volumes, ({ cache }) => cache).flatMap(volumeChange);
  if (pools.length + volumes.length === 0) return [];
  const delta = {
    total: costDelta({ clusters: [{ ...old, cluster: key }] }, { clusters: [{ ...now, cluster: key }] }),
    fixed: nodesDelta(pairs, false).most,
    autoscaled: nodesDelta(pairs, true),
    storage: sumOf(volumes.map((volume) => volume.delta)),
    idle: sumOf(pools.map(({ idle }) => idle.delta)),
  };
  return [{ cluster: key, ...boughtChange(old, now, delta), pools, volumes }];
}

const NO_RANGE: Range = { least: NOTHING, most: NOTHING };
const NO_CLUSTER: ClusterCost = {
  cluster: '',
  fixed: NOTHING,
  autoscaled: NO_RANGE,
  storage: NOTHING,
  total: NO_RANGE,
  idle: NOTHING,
  pools: [],
  volumes: [],
};
const NO_NODES: PoolCost['nodes'] = { least: 0, most: 0 };

/** Of the nodes of pools with an autoscaler, or of those without. */
function nodesDelta(pools: readonly Pair<PoolCost>[], autoscaled: boolean): Range {
  const [was, is] = (['was', 'is'] as const).map((side) => {
    const own = pools.flatMap(({ [side]: pool }) => (pool?.autoscaled === autoscaled ? [pool] : []));
    return { clusters: [{ ...NO_CLUSTER, pools: own }] };
  });
  return was && is ? costDelta(was, is) : NO_RANGE;
}

function poolChange({ key, was, is }: Pair<PoolCost>): PoolCostChange[] {
  const [before, after] = [rangeOf(was), rangeOf(is)];
  const nodes = { before: was?.nodes ?? NO_NODES, after: is?.nodes ?? NO_NODES };
  const bounds = (['least', 'most'] as const).filter(
    (bound) => nodes.before[bound] !== nodes.after[bound] || !isSame(before[bound], after[bound]),
  );
  const moreIdle = leafDifference(idleOf(was), idleOf(is));
  if (bounds.length + moreIdle.length === 0) return [];
  const idle = { before: idleOf(was).cost, after: idleOf(is).cost, delta: sumOf(moreIdle) };
  return [{ pool: key, before, after, delta: costDelta(alone(was), alone(is)), idle, nodes }];
}

/** The nodes of a pool that always run, less those that are taken. */
function idleOf(pool: PoolCost | undefined): Leaf {
  if (!pool) return NONE;
  return { amount: Math.max(0, pool.nodes.least - pool.taken), cost: pool.idle };
}

/** A pool as if it were all that is bought. */
function alone(pool: PoolCost | undefined) {
  return { clusters: [{ ...NO_CLUSTER, pools: pool ? [pool] : [] }] };
}

function rangeOf(pool: PoolCost | undefined): Range {
  return pool ? { least: pool.least, most: pool.most } : NO_RANGE;
}

function volumeChange({ key, was, is }: Pair<VolumeCost>): VolumeCostChange[] {
  const sizeGiB = { before: was?.sizeGiB ?? 0, after: is?.sizeGiB ?? 0 };
  const [before, after] = [was?.cost ?? NOTHING, is?.cost ?? NOTHING];
  const sameSize = sizeGiB.before === sizeGiB.after;
  if (sameSize && isSame(before, after)) return [];
  const delta = before.unknown + after.unknown > 0 ? { unknown: 1 } : sumDelta(before, after);
  return [{ cache: key, before, after, delta, sizeGiB }];
}
