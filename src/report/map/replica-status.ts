import { capitalize, describeReplacement, placeText } from '../../base/text';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Change, DeploymentPlan } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ReplicaChange, ReplicaLocation } from '../../plan/replica-moves';
import { isLoss } from '../../scheduler/lost-clusters';
import { placementKeyOf, type ReplicaId } from '../../scheduler/placement';
import { describeLostReplica, formatCauses, formatReplicaAction, poolsOf } from '../diff/change-sentences';
import { outcomeOf, plannedOutcomeOf } from '../plan/total-line';
import type { Mark } from './map-data';

/** What happens to a replica, and why, as sentences. */
export interface MappedReplicaStatus {
  readonly mark: Mark;
  readonly why: readonly string[];

  /** From where to where the replica goes. Only for both ends of a move. */
  readonly move?: string;
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
  const why = [`It serves until it is finalized. ${to} takes over.`];
  const move = formatMove(change.from, change.replica.placement);
  return [[placementKeyOf(change.from), { mark: 'draining', why, move }]];
}

function formatMove(from: ReplicaLocation, to: ReplicaLocation): string {
  const [was, is] = [from, to].map(placeText);
  return was === is ? `${is}, pool ${poolsOf(from)} \u2192 ${poolsOf(to)}` : `${was} \u2192 ${is}`;
}

const KEPT_STATUS: MappedReplicaStatus = { mark: 'keep', why: ['It stays where the lock file has it.'] };

const NEW_STATUS: MappedReplicaStatus = { mark: 'place', why: ['It is new: it is not in the lock file.'] };

function statusOfChange(change: Exclude<Change, { action: 'remove' }>): MappedReplicaStatus {
  if (change.action === 'place') return NEW_STATUS;
  if (change.action === 'draining') {
    const until = change.unreplaced ? 'its replacement fits' : 'it is finalized';
    return { mark: plannedOutcomeOf(change), why: [`It serves until ${until}, and does not count as a replica.`] };
  }
  if (change.action === 'lost') {
    const { cluster } = change.replica.placement;
    return {
      mark: 'lost',
      why: [`It ${describeLostReplica(cluster)}. It has no place elsewhere, and keeps this one.`],
    };
  }
  const { from, reason, surgeFirst } = change;
  const how = isLoss(reason) ? '' : `, ${describeReplacement(surgeFirst)}`;
  const why = formatEvictionReason(reason);
  const mark = plannedOutcomeOf(change);
  if (mark === 'roll') return { mark, why: [`It is replaced in place${how}: ${why}.`] };
  const { placement } = change.replica;
  const origin = placeText(from) === placeText(placement) ? `pool ${poolsOf(from)}` : placeText(from);
  return { mark, why: [`It comes from ${origin}${how}: ${why}.`], move: formatMove(from, placement) };
}

/** What happens between two states to the replicas of each. */
export interface DiffStatuses {
  readonly before: ReplicaStatusLookup;
  readonly after: ReplicaStatusLookup;
}

/**
 * Creates lookups of what happens to replicas between two states. Each state has its own: the place that a replica
 * leaves may be that of another afterwards.
 */
export function createDiffStatus({ deployments }: FleetDiff): DiffStatuses {
  const all = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) => statusesOf(change).map((placed) => ({ ...placed, deployment }))),
  );
  const lookupIn = (state: keyof DiffStatuses): ReplicaStatusLookup => {
    const statuses = new Map(
      all
        .filter(({ states }) => states.includes(state))
        .map(({ place, status, deployment }) => [placementKeyOf({ ...place, deployment }), status] as const),
    );
    return (replica) => statuses.get(placementKeyOf(replica)) ?? UNCHANGED_STATUS;
  };
  return { before: lookupIn('before'), after: lookupIn('after') };
}

const UNCHANGED_STATUS: MappedReplicaStatus = { mark: 'keep', why: ['It does not change.'] };

/** The status of a replica at a place, in the states in which it is there. */
interface PlacedStatus {
  readonly place: ReplicaLocation;
  readonly states: readonly (keyof DiffStatuses)[];
  readonly status: MappedReplicaStatus;
}

const BOTH: PlacedStatus['states'] = ['before', 'after'];

/** The states in which a changed replica is at its place. Others: both. */
const STATES_OF: Readonly<Partial<Record<ReplicaChange['action'], PlacedStatus['states']>>> = {
  place: ['after'],
  remove: ['before'],
};

/** Returns the status of a replica at its place; and at its old place, if it moves. */
function statusesOf(change: ReplicaChangeWithCauses): PlacedStatus[] {
  const { action, from, surgeFirst, causes } = change;
  const clause = formatReplicaAction(change);
  // The causes are a sentence of their own, so that the map stores equal sentences once.
  const because = causes.length === 0 ? [] : [`Because ${formatCauses(causes)}.`];
  const why = [`${capitalize(clause)}.`, ...because];
  const mark = outcomeOf(change);
  if (action !== 'move' || !from) {
    const move = mark === 'move' && from ? { move: formatMove(from, change) } : {};
    return [{ place: change, states: STATES_OF[action] ?? BOTH, status: { mark, why, ...move } }];
  }
  const move = formatMove(from, change);
  const until = isLoss(change.reason)
    ? 'It does not serve: its cluster is lost.'
    : surgeFirst
      ? 'It serves until it is finalized.'
      : 'It is removed first, with downtime.';
  const left = {
    mark: surgeFirst ? 'draining' : 'remove',
    why: [until, `${placeText(change)} takes over.`],
    move,
  } as const;
  return [
    { place: change, states: ['after'], status: { mark, why, move } },
    { place: from, states: surgeFirst ? BOTH : ['before'], status: left },
  ];
}
