import { compareText, groupBy } from '../../base/order';
import { poolKeyOf } from '../../cost/pool-prices';
import type { CompiledCluster, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { scheduleState } from '../../scheduler/schedule';
import type { Placement } from '../../scheduler/placement';
import type { SchedulingState } from '../../scheduler/scheduling-state';

/** The compiled fleet and its placements, from which losses are simulated. The matcher is valid for every loss. */
export interface LossTrial {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];

  /** Replicas that serve before a loss, by deployment. Draining ones do not count. */
  readonly before: ReadonlyMap<string, number>;
}

export function placeAfterLoss(
  { model, matcher, placements }: LossTrial,
  losing: ClusterLoss,
  extra: ExtraNodeCounts = new Map(),
): SchedulingState {
  return scheduleState(applyLoss(model, losing, extra), placements, matcher);
}

/** Counts the replicas that have a place before a loss and none after it, by deployment, without zeros. */
export function countMissingAfterLoss(
  { model, before }: Pick<LossTrial, 'model' | 'before'>,
  state: SchedulingState,
): Map<string, number> {
  const missing = model.deployments.map((deployment): [string, number] => {
    return [deployment.id, (before.get(deployment.id) ?? 0) - state.staying(deployment).length];
  });
  return new Map(missing.filter(([, replicas]) => replicas > 0));
}

/** A set of clusters that are lost together, named after the cluster or the failure domain. */
export interface ClusterLoss {
  readonly name: string;
  readonly clusters: ReadonlySet<CompiledCluster>;
}

/** Lists one loss per cluster, or per failure domain if a label is given. A cluster without the label is never lost. */
export function listLosses({ clusters }: CompiledFleet, label: string | undefined): ClusterLoss[] {
  if (label === undefined) return clusters.map((cluster) => ({ name: cluster.name, clusters: new Set([cluster]) }));
  const inDomain = groupBy(
    clusters.filter(({ labels }) => labels[label] !== undefined),
    ({ labels }) => labels[label] ?? '',
  );
  return [...inDomain].sort(([a], [b]) => compareText(a, b)).map(([name, all]) => ({ name, clusters: new Set(all) }));
}

/** Nodes to add to pools, by `poolKeyOf`. */
export type ExtraNodeCounts = ReadonlyMap<string, number>;

/** Copies a compiled fleet without the lost clusters and with extra nodes. All other objects are shared. */
function applyLoss({ clusters, ...model }: CompiledFleet, losing: ClusterLoss, extra: ExtraNodeCounts): CompiledFleet {
  const lost = new Set([...losing.clusters].map(({ name }) => name));
  const remaining = clusters.filter(({ name }) => !lost.has(name));
  return enlarge({ ...model, clusters: remaining }, extra);
}

/** Copies a compiled fleet with extra nodes. */
export function enlarge(model: CompiledFleet, extra: ExtraNodeCounts): CompiledFleet {
  if (extra.size === 0) return model;
  return { ...model, clusters: model.clusters.map((cluster) => addExtraNodes(cluster, extra)) };
}

/** Copies of clusters with extra nodes, by the number for each pool. Equal copies share what is known of them. */
const ENLARGED = new WeakMap<CompiledCluster, Map<string, CompiledCluster>>();

function addExtraNodes(cluster: CompiledCluster, extra: ExtraNodeCounts): CompiledCluster {
  const more = cluster.pools.map(({ name }) => extra.get(poolKeyOf(cluster.name, name)) ?? 0);
  if (more.every((nodes) => nodes === 0)) return cluster;
  const copies = ENLARGED.get(cluster) ?? new Map<string, CompiledCluster>();
  ENLARGED.set(cluster, copies);
  const known = copies.get(more.join());
  if (known) return known;
  const pools = cluster.pools.map((pool, p) => ({ ...pool, nodes: pool.nodes + (more[p] ?? 0) }));
  const copy = { ...cluster, pools };
  copies.set(more.join(), copy);
  return copy;
}
