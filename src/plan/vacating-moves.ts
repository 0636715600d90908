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
  const replicas = new Map(plans.map((plan) => [plan.deployment, clustersOf(plan)]));
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

/** The clusters of the replicas that count, one entry for each replica. */
function clustersOf(plan: DeploymentPlan): readonly string[] {
  return listReplicasAfter(plan).flatMap(({ placement: { cluster, draining } }) => (draining ? [] : [cluster]));
}

function listVacated(
  { moves }: Pick<MoveRemedy, 'moves'>,
  open: ReadonlySet<string>,
  replicas: ReadonlyMap<string, readonly string[]>,
): VacatedClusters[] {
  return [...groupBy(moves, ({ deployment }) => deployment)].flatMap(([deployment, own]) => {
    if (!open.has(deployment)) return [];
    const before = replicas.get(deployment) ?? [];
    const from = own.map((one) => one.from);
    const after = [...before, ...own.map(({ to }) => to)];
    const clusters = sortUnique(from.filter((name) => countOn(after, name) === countOn(from, name)));
    return clusters.length > 0 ? [{ deployment, clusters }] : [];
  });
}

function countOn(clusters: readonly string[], name: string): number {
  return clusters.filter((one) => one === name).length;
}
