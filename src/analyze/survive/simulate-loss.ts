import { compareText, groupBy } from '../../base/order';
import { poolKeyOf } from '../../cost/pool-prices';
import type { CompiledCluster, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { scheduleState } from '../../scheduler/schedule';
import { asKnown, type RetainedLock, retainLock } from '../../scheduler/retained-lock';
import type { Placement } from '../../scheduler/placement';
import type { SchedulingState } from '../../scheduler/scheduling-state';

/** The compiled fleet and its placements, from which losses are simulated. The matcher is valid for every loss. */
export interface LossTrial {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];

  /** What stays of `placements` before a loss. */
  readonly retained: RetainedLock;

  /** Replicas that serve before a loss, by deployment. Draining ones do not count. */
  readonly before: ReadonlyMap<string, number>;
}

/** @param known what stays for a fleet of the same deployments. Default: nothing */
export function createLossTrial(trial: Omit<LossTrial, 'retained'>, known?: RetainedLock): LossTrial {
  return { ...trial, retained: asKnown(retainLock(trial.model, trial.placements, trial.matcher, known)) };
}

export function placeAfterLoss(
  { model, matcher, placements, retained }: LossTrial,
  losing: ClusterLoss,
): SchedulingState {
  return scheduleState(applyLoss(model, losing), placements, matcher, retained);
}

/** Counts the replicas that have a place before a loss and none after it, by deployment, without zeros. */
export function countMissingAfterLoss(
  { before }: Pick<LossTrial, 'before'>,
  state: SchedulingState,
): Map<string, number> {
  const missing = new Map<string, number>();
  for (const deployment of state.unsettled()) {
    const replicas = (before.get(deployment.id) ?? 0) - state.staying(deployment).length;
    if (replicas > 0) missing.set(deployment.id, replicas);
  }
  return missing;
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

/** Copies a compiled fleet without the lost clusters. All other objects are shared. */
function applyLoss({ clusters, ...model }: CompiledFleet, losing: ClusterLoss): CompiledFleet {
  const lost = new Set([...losing.clusters].map(({ name }) => name));
  return { ...model, clusters: clusters.filter(({ name }) => !lost.has(name)) };
}

/**
 * The same trial with extra nodes.
 *
 * @param known the trial with other extra nodes. What has the same nodes in both is shared. Default: `trial`
 */
export function enlarge(trial: LossTrial, extra: ExtraNodeCounts, known = trial): LossTrial {
  const clusters = trial.model.clusters.map((cluster) => addExtraNodes(cluster, extra));
  return createLossTrial({ ...trial, model: { ...trial.model, clusters } }, known.retained);
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
