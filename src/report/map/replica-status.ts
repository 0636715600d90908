import { placeText, describeReplacement } from '../../base/text';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Change, DeploymentPlan } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ReplicaChange } from '../../plan/replica-moves';
import { placementKeyOf, type ReplicaId } from '../../scheduler/placement';
import { formatCauses, formatReplicaAction } from '../diff/change-sentences';

/** What happens to a replica, and why, as sentences. */
interface MappedReplicaStatus {
  readonly mark: ReplicaChange['action'];
  readonly why: readonly string[];
}

export type ReplicaStatusLookup = (replica: ReplicaId) => MappedReplicaStatus;

/** Creates a lookup of what happens to replicas when a plan is accepted. */
export function createPlanStatus(deployments: readonly DeploymentPlan[]): ReplicaStatusLookup {
  const all = deployments.flatMap(({ changes }) =>
    changes.flatMap((change): [string, MappedReplicaStatus][] =>
      change.action === 'remove'
        ? []
        : [[placementKeyOf(change.replica.placement), statusOfChange(change)], ...statusOfReplaced(change)],
    ),
  );
  const statuses = new Map(all);
  return (replica) => statuses.get(placementKeyOf(replica)) ?? KEPT_STATUS;
}

/** Returns the status of the old replica of a move, if the old replica serves until the plan is finalized. */
function statusOfReplaced(change: Change): [string, MappedReplicaStatus][] {
  if (change.action !== 'move' || !change.surgeFirst) return [];
  const to = placeText(change.replica.placement);
  return [
    [placementKeyOf(change.from), { mark: 'draining', why: [`It serves until it is finalized. ${to} takes over.`] }],
  ];
}

const KEPT_STATUS: MappedReplicaStatus = { mark: 'keep', why: ['It stays where the lock file has it.'] };

const NEW_STATUS: MappedReplicaStatus = { mark: 'place', why: ['It is new: it is not in the lock file.'] };

function statusOfChange(change: Exclude<Change, { action: 'remove' }>): MappedReplicaStatus {
  if (change.action === 'place') return NEW_STATUS;
  if (change.action === 'draining') {
    return { mark: 'draining', why: ['It serves until it is finalized, and does not count as a replica.'] };
  }
  const { from, reason, surgeFirst } = change;
  const how = describeReplacement(surgeFirst);
  const why = formatEvictionReason(reason);
  if (placeText(from) === placeText(change.replica.placement)) {
    return { mark: 'roll', why: [`It is replaced in place, ${how}: ${why}.`] };
  }
  return { mark: 'move', why: [`It comes from ${placeText(from)}, ${how}: ${why}.`] };
}

/** Creates a lookup of what happens to replicas between two states. */
export function createDiffStatus({ deployments }: FleetDiff): ReplicaStatusLookup {
  const all = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) =>
      statusesOf(change).map(([place, status]): [string, MappedReplicaStatus] => [
        placementKeyOf({ ...place, deployment }),
        status,
      ]),
    ),
  );
  const statuses = new Map(all);
  return (replica) => statuses.get(placementKeyOf(replica)) ?? { mark: 'keep', why: ['It does not change.'] };
}

/** Returns the status of a replica at its place; and at its old place, if it moves. */
function statusesOf(change: ReplicaChangeWithCauses): [Omit<ReplicaId, 'deployment'>, MappedReplicaStatus][] {
  const { action, from, surgeFirst, causes } = change;
  const clause = formatReplicaAction(change);
  // The causes are a sentence of their own, so that the map stores equal sentences once.
  const because = causes.length === 0 ? [] : [`Because ${formatCauses(causes)}.`];
  const why = [`${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`, ...because];
  const current: [ReplicaChangeWithCauses, MappedReplicaStatus] = [change, { mark: action, why }];
  if (action !== 'move' || !from) return [current];
  const until = surgeFirst ? 'It serves until it is finalized.' : 'It is removed first, with downtime.';
  const successor = `${placeText(change)} takes over.`;
  return [current, [from, { mark: surgeFirst ? 'draining' : 'remove', why: [until, successor] }]];
}
