import { qualifiedNameOf } from '../api/resource';
import { groupBy, sortUnique } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { admitsPods, listRoutedDeployments } from '../routing/routed-deployments';
import type { Routing } from '../routing/routing';
import type { MoveRemedy, VacatedClusters } from '../scheduler/remedy';
import { listReplicasAfter } from './deployment-plans';
import type { DeploymentPlan } from './plan';

interface ServingFleet {
  readonly fleet: Pick<Fleet, 'deployments'>;

  /** Absent: it is not known which deployments have routes. */
  readonly routing?: Pick<Routing, 'services'>;
}

/**
 * Adds to moves the clusters that all replicas of a deployment leave, and whose pods may be its clients: a gate refuses
 * that.
 */
export function judgeVacating(plans: readonly DeploymentPlan[], { fleet, routing }: ServingFleet): DeploymentPlan[] {
  if (!routing || !plans.some(({ shortfall }) => shortfall?.remedies.some(({ kind }) => kind === 'move'))) {
    return [...plans];
  }
  const routed = listRoutedDeployments(routing);
  const open = fleet.deployments.filter((one) => admitsPods(one) && !routed.has(qualifiedNameOf(one)));
  const ids = new Set(open.map(qualifiedNameOf));
  const replicas = indexServingClusters(plans);
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    const remedies = shortfall.remedies.map((remedy) => {
      const vacates = remedy.kind === 'move' ? listVacated(remedy, ids, replicas) : [];
      return vacates.length > 0 ? { ...remedy, vacates } : remedy;
    });
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

/** The clusters of the replicas of each deployment that are not draining, one entry for each replica. */
export function indexServingClusters(plans: readonly DeploymentPlan[]): ReadonlyMap<string, readonly string[]> {
  return new Map(plans.map((plan) => [plan.deployment, clustersOf(plan)]));
}

function clustersOf(plan: DeploymentPlan): readonly string[] {
  return listReplicasAfter(plan).flatMap(({ placement: { cluster, draining } }) => (draining ? [] : [cluster]));
}

/** The clusters of the replicas of a deployment after moves of it. */
export function clustersAfter(before: readonly string[], moves: MoveRemedy['moves']): string[] {
  const left = moves.map(({ from }) => from);
  const staying = before.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...staying, ...moves.map(({ to }) => to)];
}

function listVacated(
  { moves }: Pick<MoveRemedy, 'moves'>,
  open: ReadonlySet<string>,
  replicas: ReadonlyMap<string, readonly string[]>,
): VacatedClusters[] {
  return [...groupBy(moves, ({ deployment }) => deployment)].flatMap(([deployment, own]) => {
    if (!open.has(deployment)) return [];
    const before = replicas.get(deployment) ?? [];
    const after = new Set(clustersAfter(before, own));
    const clusters = sortUnique(own.flatMap(({ from }) => (after.has(from) ? [] : [from])));
    return clusters.length > 0 ? [{ deployment, clusters }] : [];
  });
}
