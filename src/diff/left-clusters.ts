import type { ModelDeployment } from '../api/model-deployment';
import { sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import { serviceNameOf } from '../manifest/kubernetes/object-names';
import type { PlacedFleet } from '../plan/decision';
import { hasLocalClients, listRoutedDeployments } from '../routing/routed-deployments';
import { groupByDeployment } from '../scheduler/placement';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import type { DeploymentDiff, ReplicaChangeWithCauses } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { createKeptCheck } from './kept-without-edits';
import { listFrozen } from './replica-changes';
import { type Cause, dedupeCauses, REMOVING_ACTIONS, toCauses } from './replica-causes';

/** Clusters that all replicas of a deployment leave, while it keeps some elsewhere, and whose pods are its clients. */
export interface LeftClusters {
  readonly deployment: ModelDeployment;
  readonly clusters: readonly string[];

  /** The Service by which clients in a cluster reached its replicas. */
  readonly service: string;

  /** Whether replicas serve on each of them until they are finalized. */
  readonly draining: boolean;

  /** Whether replacements of such replicas have no place, so that they are not finalized before. Absent: all have one. */
  readonly unreplaced?: true;
  readonly causes: readonly Cause[];

  /** The earlier state, if a replica stays on each of them without these edits and with the lock of that state. */
  readonly keptBy?: string;

  /** Whether the change has no other edits. Absent: it has. */
  readonly isWhole?: true;
}

type States = Readonly<Record<'before' | 'after', PlacedFleet>>;

/**
 * Finds clusters that all replicas of a deployment leave, if its NetworkPolicy admits clients there and no service sends
 * requests to it. Requests of services go to the other replicas. A replica that was draining before has left already.
 */
export function findLeftClusters(diff: FleetDiff, { before, after }: States): LeftClusters[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const [routed, frozen] = [listRoutedDeployments(before.routing), listFrozen(after)];
  const unreplaced = groupByDeployment(listUnreplaced(after.schedule));
  const isKeptWithout = createKeptCheck(diff, { before, after });
  const edits = diff.declarations.flatMap(toCauses).length;
  const declared = new Set(after.fleet.clusters.map(({ metadata }) => metadata.name));
  return diff.deployments.flatMap((change): LeftClusters[] => {
    const { deployment: id, serving } = change;
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is || serving.after === 0 || frozen.has(id) || !hasLocalClients(was, routed)) return [];
    const kept = new Set(listClusters(after, id, false));
    const clusters = listClusters(before, id, false).filter((one) => declared.has(one) && !kept.has(one));
    if (clusters.length === 0) return [];
    const draining = new Set(listClusters(after, id, true));
    const causes = findLeavingCauses(change, new Set(clusters));
    const isKept = isKeptWithout({ deployment: id, clusters, causes });
    const isUnreplaced = (unreplaced.get(id) ?? []).some(({ cluster }) => clusters.includes(cluster));
    return [
      {
        deployment: is,
        clusters,
        service: serviceNameOf(was.metadata),
        draining: clusters.every((one) => draining.has(one)),
        ...(isUnreplaced && { unreplaced: true }),
        causes,
        ...(isKept && { keptBy: diff.against }),
        ...(causes.length === edits && { isWhole: true }),
      },
    ];
  });
}

/** The clusters of the replicas of a deployment that are draining, or of the others. */
function listClusters({ schedule }: PlacedFleet, id: string, draining: boolean): string[] {
  const placements = groupByDeployment(schedule.placements).get(id) ?? [];
  const wanted = placements.filter((one) => (one.draining === true) === draining);
  return sortUnique(wanted.map(({ cluster }) => cluster));
}

function findLeavingCauses({ changes }: DeploymentDiff, clusters: ReadonlySet<string>): Cause[] {
  return dedupeCauses(changes.filter((change) => isFrom(change, clusters)).flatMap(({ causes }) => causes));
}

/**
 * Where the first of the edits is for which replicas of some deployments leave some clusters. An edit that makes them
 * restart only, such as new nodes for all that stays, comes after those for which they leave. Undefined: none leave, or
 * no edit is the cause.
 */
export function placeOfLeaving(
  { deployments }: Pick<FleetDiff, 'deployments'>,
  ids: readonly string[],
  left: readonly string[],
): string | undefined {
  const clusters = new Set(left);
  const leaving = deployments
    .filter(({ deployment }) => ids.includes(deployment))
    .flatMap(({ changes }) => changes)
    .filter((change) => REMOVING_ACTIONS.has(change.action) && isFrom(change, clusters));
  return leaving.flatMap(({ causes }) => causes.slice(0, 1))[0]?.where;
}

/** Whether a replica is on one of some clusters before the change. */
function isFrom({ cluster, from }: ReplicaChangeWithCauses, clusters: ReadonlySet<string>): boolean {
  return clusters.has(from?.cluster ?? cluster);
}
