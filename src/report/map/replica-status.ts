import { placeText, replacingText } from '../../base/text';
import type { FleetDiff, ReplicaChangeWithCauses } from '../../diff/fleet-diff';
import type { Change, DeploymentPlan } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ReplicaChange } from '../../plan/replica-moves';
import type { Placement } from '../../scheduler/schedule-result';
import { formatCauses, formatReplicaAction } from '../diff/change-sentences';

/** What happens to a replica, and why, as sentences. */
export interface MappedReplicaStatus {
  readonly mark: ReplicaChange['action'];
  readonly why: readonly string[];
}

type Replica = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** Tells what happens to a replica. */
export type ReplicaStatusLookup = (replica: Replica) => MappedReplicaStatus;

/** What happens to replicas when a plan is accepted. */
export function createPlanStatus(deployments: readonly DeploymentPlan[]): ReplicaStatusLookup {
  const all = deployments.flatMap(({ changes }) =>
    changes.flatMap((change): [string, MappedReplicaStatus][] =>
      change.action === 'remove'
        ? []
        : [[keyOf(change.replica.placement), statusOfChange(change)], ...statusOfReplaced(change)],
    ),
  );
  return createLookup(new Map(all), KEPT_STATUS);
}

/** The old replica of one that moves, where it serves on. */
function statusOfReplaced(change: Change): [string, MappedReplicaStatus][] {
  if (change.action !== 'move' || !change.surgeFirst) return [];
  const to = placeText(change.replica.placement);
  return [
    [keyOf(change.from), { mark: 'leaving', why: [`It serves until it is settled. ${to} takes over.`] }],
  ];
}

const KEPT_STATUS: MappedReplicaStatus = { mark: 'keep', why: ['It stays where the lock has it.'] };

const NEW_STATUS: MappedReplicaStatus = { mark: 'place', why: ['It is new: the lock does not have it.'] };

function statusOfChange(change: Exclude<Change, { action: 'remove' }>): MappedReplicaStatus {
  if (change.action === 'place') return NEW_STATUS;
  if (change.action === 'leaving') {
    return { mark: 'leaving', why: ['It serves until it is settled, and does not count.'] };
  }
  const { from, reason, surgeFirst } = change;
  const how = replacingText(surgeFirst);
  const why = formatEvictionReason(reason);
  if (placeText(from) === placeText(change.replica.placement)) {
    return { mark: 'roll', why: [`It is replaced where it is, ${how}: ${why}.`] };
  }
  return { mark: 'move', why: [`It comes from ${placeText(from)}, ${how}: ${why}.`] };
}

/** What happens to replicas between two states. */
export function createDiffStatus({ deployments }: FleetDiff): ReplicaStatusLookup {
  const all = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) =>
      statusesOf(change).map(([place, standing]): [string, MappedReplicaStatus] => [
        keyOf({ ...place, deployment }),
        standing,
      ]),
    ),
  );
  return createLookup(new Map(all), { mark: 'keep', why: ['Nothing happens to it.'] });
}

/** What happens to a replica where it is; and where it was, if it moves. */
function statusesOf(change: ReplicaChangeWithCauses): [Omit<Replica, 'deployment'>, MappedReplicaStatus][] {
  const { action, from, surgeFirst, causes } = change;
  const clause = formatReplicaAction(change);
  // Of what comes from the same lines the map has the sentence once.
  const because = causes.length === 0 ? [] : [`Because ${formatCauses(causes)}.`];
  const why = [`${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`, ...because];
  const own: [ReplicaChangeWithCauses, MappedReplicaStatus] = [change, { mark: action, why }];
  if (action !== 'move' || !from) return [own];
  const until = surgeFirst ? 'It serves until it is settled.' : 'It goes first, with a gap.';
  const over = `${placeText(change)} takes over.`;
  return [own, [from, { mark: surgeFirst ? 'leaving' : 'remove', why: [until, over] }]];
}

function createLookup(
  known: ReadonlyMap<string, MappedReplicaStatus>,
  others: MappedReplicaStatus,
): ReplicaStatusLookup {
  return (replica) => known.get(keyOf(replica)) ?? others;
}

function keyOf({ deployment, cluster, index }: Replica): string {
  return `${deployment} ${placeText({ cluster, index })}`;
}
