import { namespaceIn } from '../api/resource';
import { groupBy } from '../order';
import { changedPairsOf, type Pair, pairsOf } from '../pairs';
import type { ClusterCost, Cost, PoolCost, Range, VolumeCost } from './cost';
import type {
  ClusterCostChange,
  CostChanges,
  DeploymentCostChange,
  NamespaceCostChange,
  PoolCostChange,
  ReplicaCostChange,
  SumChange,
  VolumeCostChange,
} from './cost-changes';
import { costDelta } from './delta';
import { withSameSources } from './same-sources';
import { difference, NOTHING, type Sum, sumOf } from './sum';

/** What a change of a fleet costs. */
export function costChangesOf(was: Cost, is: Cost): CostChanges {
  const [after, before] = withSameSources(is, was);
  const { currency, hoursPerMonth, sources } = after;
  const clusters = changedPairsOf(before.clusters, after.clusters, ({ cluster }) => cluster).flatMap(
    clusterChange,
  );
  const deployments = changedPairsOf(
    before.deployments,
    after.deployments,
    ({ deployment }) => deployment,
  ).flatMap(deploymentChange);
  return {
    currency,
    hoursPerMonth,
    before: before.total,
    after: after.total,
    delta: costDelta(before, after),
    clusters,
    namespaces: namespaceChanges(before, after, [
      ...deployments,
      ...clusters.flatMap(({ volumes }) => volumes),
    ]),
    deployments,
    sources,
  };
}

/** What a namespace uses differs by what its deployments and volumes do: of the rest nobody needs the price. */
function namespaceChanges(
  before: Cost,
  after: Cost,
  parts: readonly (DeploymentCostChange | VolumeCostChange)[],
): NamespaceCostChange[] {
  const changed = groupBy(parts, (part) => {
    return namespaceIn('deployment' in part ? part.deployment : part.cache);
  });
  return pairsOf(before.namespaces, after.namespaces, ({ namespace }) => namespace).flatMap(
    ({ key, was, is }): NamespaceCostChange[] => {
      const own = changed.get(key);
      if (!own) return [];
      const [old, now] = [was?.total ?? NOTHING, is?.total ?? NOTHING];
      return [{ namespace: key, before: old, after: now, delta: sumOf(own.map(({ delta }) => delta)) }];
    },
  );
}

const NO_RANGE: Range = { least: NOTHING, most: NOTHING };
const NO_CLUSTER: Pick<ClusterCost, 'cluster' | 'pools' | 'volumes' | 'total'> = {
  cluster: '',
  pools: [],
  volumes: [],
  total: NO_RANGE,
};
const NO_NODES: PoolCost['nodes'] = { least: 0, most: 0 };

function clusterChange({ key, was, is }: Pair<ClusterCost>): ClusterCostChange[] {
  const [old, now] = [was ?? NO_CLUSTER, is ?? NO_CLUSTER];
  const pools = pairsOf(old.pools, now.pools, ({ pool }) => pool).flatMap(poolChange);
  const volumes = pairsOf(old.volumes, now.volumes, ({ cache }) => cache).flatMap(volumeChange);
  if (pools.length + volumes.length === 0) return [];
  const delta = costDelta({ clusters: [{ ...old, cluster: key }] }, { clusters: [{ ...now, cluster: key }] });
  return [{ cluster: key, before: old.total, after: now.total, delta, pools, volumes }];
}

function poolChange({ key, was, is }: Pair<PoolCost>): PoolCostChange[] {
  const [before, after] = [rangeOf(was), rangeOf(is)];
  const nodes = { before: was?.nodes ?? NO_NODES, after: is?.nodes ?? NO_NODES };
  const bounds = (['least', 'most'] as const).filter(
    (bound) => nodes.before[bound] !== nodes.after[bound] || !isSame(before[bound], after[bound]),
  );
  if (bounds.length === 0) return [];
  return [{ pool: key, before, after, delta: costDelta(alone(was), alone(is)), nodes }];
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
  const delta = before.unknown + after.unknown > 0 ? { unknown: 1 } : deltaOf(before, after);
  return [{ cache: key, before, after, delta, sizeGiB }];
}

type Deployment = Cost['deployments'][number];

function deploymentChange({ key, was, is }: Pair<Deployment>): DeploymentCostChange[] {
  if (was && is && isUnchanged(was, is)) return [];
  const replicas = pairsOf(was?.replicas ?? [], is?.replicas ?? [], placeOf).flatMap((one) =>
    sumChange(plain(one.was), plain(one.is)).map((sums): ReplicaCostChange => {
      const { cluster = '', index = 0 } = one.is ?? one.was ?? {};
      return { cluster, index, ...sums };
    }),
  );
  if (replicas.length === 0) return [];
  const delta = sumOf(replicas.map((replica) => replica.delta));
  return [{ deployment: key, before: was?.cost ?? NOTHING, after: is?.cost ?? NOTHING, delta, replicas }];
}

/** The common case, told without looking replicas up. */
function isUnchanged(was: Deployment, is: Deployment): boolean {
  return (
    was.replicas.length === is.replicas.length &&
    was.replicas.every((old, i) => {
      const now = is.replicas[i];
      return now?.cluster === old.cluster && now.index === old.index && isSame(old, now);
    })
  );
}

type Replica = Deployment['replicas'][number];

function placeOf({ cluster, index }: Replica): string {
  return `${cluster}/${index}`;
}

function plain(replica: Replica | undefined): Sum | undefined {
  if (!replica) return undefined;
  const { cluster: _, index: _i, leaving: _l, ...sum } = replica;
  return sum;
}

function sumChange(was: Sum | undefined, is: Sum | undefined): SumChange[] {
  const [before, after] = [was ?? NOTHING, is ?? NOTHING];
  return isSame(before, after) ? [] : [{ before, after, delta: deltaOf(before, after) }];
}

/** Unknown where a side has parts without a price, unless there are as many on both, which are taken for the same. */
function deltaOf(before: Sum, after: Sum): Sum {
  return before.unknown === after.unknown ? sumOf([difference(before, after)]) : { unknown: 1 };
}

/** Whether two amounts are the same, whatever the day of their prices. */
function isSame(a: Sum, b: Sum): boolean {
  return a.perHour === b.perHour && a.unknown === b.unknown;
}
