import { compareText, groupBy } from '../../base/order';
import { poolKeyOf } from '../../cost/pool-prices';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { scheduleState } from '../../scheduler/schedule';
import type { Placement } from '../../scheduler/schedule-result';
import type { SchedulingState } from '../../scheduler/scheduling-state';

/** A fleet to lose clusters of: what was decided, and how pods fit, which no loss changes. */
export interface LossTrial {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];

  /** Replicas that count, by deployment. */
  readonly before: ReadonlyMap<string, number>;
}

const NO_EXTRA: ExtraNodeCounts = new Map();

/** Where everything goes after a loss. */
export function placeAfterLoss(
  { model, matcher, placements }: LossTrial,
  losing: ClusterLoss,
  extra = NO_EXTRA,
): SchedulingState {
  return scheduleState(applyLoss(model, losing, extra), placements, matcher);
}

/** Replicas that had a place before a loss and have none after, by deployment; those that lack none left out. */
export function countMissingAfterLoss(
  { model, before }: Pick<LossTrial, 'model' | 'before'>,
  state: SchedulingState,
): Map<string, number> {
  const missing = model.deployments.map((workload): [string, number] => {
    return [workload.id, (before.get(workload.id) ?? 0) - countServingReplicas(state, workload)];
  });
  return new Map(missing.filter(([, replicas]) => replicas > 0));
}

/** Replicas of a deployment that count. */
export function countServingReplicas(state: SchedulingState, workload: CompiledDeployment): number {
  return state.staying(workload).length;
}

/** Clusters that are lost together. */
export interface ClusterLoss {
  readonly name: string;
  readonly sites: ReadonlySet<CompiledCluster>;
}

/** Every cluster alone, or every failure domain with all its clusters; a cluster in none is not lost. */
export function listLosses({ clusters: sites }: CompiledFleet, label: string | undefined): ClusterLoss[] {
  if (label === undefined) return sites.map((site) => ({ name: site.name, sites: new Set([site]) }));
  const inDomain = groupBy(
    sites.filter(({ labels }) => labels[label] !== undefined),
    ({ labels }) => labels[label] ?? '',
  );
  return [...inDomain]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, all]) => ({ name, sites: new Set(all) }));
}

/** Nodes to add to pools, by `poolKey`. */
export type ExtraNodeCounts = ReadonlyMap<string, number>;

/** A model without the clusters of a loss, and with more nodes in some pools. Everything else is the same object. */
export function applyLoss(
  { clusters: sites, ...model }: CompiledFleet,
  losing: ClusterLoss,
  extra: ExtraNodeCounts,
): CompiledFleet {
  const left = sites.filter((site) => !losing.sites.has(site));
  return { ...model, clusters: extra.size === 0 ? left : left.map((site) => addExtraNodes(site, extra)) };
}

function addExtraNodes(site: CompiledCluster, extra: ExtraNodeCounts): CompiledCluster {
  const more = site.pools.map(({ name }) => extra.get(poolKeyOf(site.name, name)) ?? 0);
  if (more.every((nodes) => nodes === 0)) return site;
  return { ...site, pools: site.pools.map((pool, p) => ({ ...pool, nodes: pool.nodes + (more[p] ?? 0) })) };
}
