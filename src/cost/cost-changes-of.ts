import { namespaceIn } from '../api/resource';
import { groupBy } from '../order';
import { changedPairsOf, type Pair, pairsOf } from '../pairs';
import { boughtChange } from './bought-change';
import { clusterCostChange } from './cluster-cost-change';
import type { Cost } from './cost';
import type {
  CostChanges,
  DeploymentCostChange,
  NamespaceCostChange,
  ReplicaCostChange,
  SumChange,
  VolumeCostChange,
} from './cost-changes';
import { costDelta } from './delta';
import { withSameSources } from './same-sources';
import { NOTHING, type Sum, sumOf } from './sum';
import { isSame, sumDelta } from './sum-delta';

/** What a change of a fleet costs. */
export function costChangesOf(was: Cost, is: Cost): CostChanges {
  const [after, before] = withSameSources(is, was);
  const { currency, hoursPerMonth, sources } = after;
  const clusters = changedPairsOf(before.clusters, after.clusters, ({ cluster }) => cluster).flatMap(
    clusterCostChange,
  );
  const deployments = changedPairsOf(
    before.deployments,
    after.deployments,
    ({ deployment }) => deployment,
  ).flatMap(deploymentChange);
  return {
    currency,
    hoursPerMonth,
    ...boughtChange(before, after, {
      total: costDelta(before, after),
      fixed: sumOf(clusters.map(({ fixed }) => fixed.delta)),
      autoscaled: {
        least: sumOf(clusters.map(({ autoscaled }) => autoscaled.delta.least)),
        most: sumOf(clusters.map(({ autoscaled }) => autoscaled.delta.most)),
      },
      storage: sumOf(clusters.map(({ storage }) => storage.delta)),
      idle: sumOf(clusters.map(({ idle }) => idle.delta)),
    }),
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

type Deployment = Cost['deployments'][number];

function deploymentChange({ key, was, is }: Pair<Deployment>): DeploymentCostChange[] {
  if (was && is && isUnchanged(was, is)) return [];
  const replicas = pairsOf(was?.replicas ?? [], is?.replicas ?? [], placeOf).flatMap((one) =>
    sumChange(one.was?.cost, one.is?.cost).map((sums): ReplicaCostChange => {
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
      return now?.cluster === old.cluster && now.index === old.index && isSame(old.cost, now.cost);
    })
  );
}

type Replica = Deployment['replicas'][number];

function placeOf({ cluster, index }: Replica): string {
  return `${cluster}/${index}`;
}

function sumChange(was: Sum | undefined, is: Sum | undefined): SumChange[] {
  const [before, after] = [was ?? NOTHING, is ?? NOTHING];
  return isSame(before, after) ? [] : [{ before, after, delta: sumDelta(before, after) }];
}
