import type { CausedChange, FleetDiff } from '../diff/fleet-diff';
import { causesText, happeningText, placeText } from '../diff/words';
import { formatEviction } from '../plan/reasons';
import type { Change, DeploymentPlan } from '../plan/plan';
import type { Placement } from '../scheduler/types';
import type { MARKS } from './map-data';

/** What happens to a replica, and why, as sentences. */
export interface Standing {
  readonly mark: (typeof MARKS)[number];
  readonly why: readonly string[];
}

type Replica = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** Tells what happens to a replica. */
export type StandingOf = (replica: Replica) => Standing;

/** What happens to replicas when a plan is accepted. */
export function planned(deployments: readonly DeploymentPlan[]): StandingOf {
  const all = deployments.flatMap(({ changes }) =>
    changes.flatMap((change): [string, Standing][] =>
      change.action === 'remove'
        ? []
        : [[keyOf(change.replica.placement), ofChange(change)], ...takenOver(change)],
    ),
  );
  return lookup(new Map(all), KEPT);
}

/** The old replica of one that moves, where it serves on. */
function takenOver(change: Change): [string, Standing][] {
  if (change.action !== 'move' || !change.surgeFirst) return [];
  const to = placeText(change.replica.placement);
  return [
    [keyOf(change.from), { mark: 'leaving', why: [`It serves until it is settled. ${to} takes over.`] }],
  ];
}

const KEPT: Standing = { mark: 'keep', why: ['It stays where the lock has it.'] };

const NEW: Standing = { mark: 'place', why: ['It is new: the lock does not have it.'] };

function ofChange(change: Exclude<Change, { action: 'remove' }>): Standing {
  if (change.action === 'place') return NEW;
  if (change.action === 'leaving') {
    return { mark: 'leaving', why: ['It serves until it is settled, and does not count.'] };
  }
  const { from, reason, surgeFirst } = change;
  const how = surgeFirst ? 'which serves until it is settled' : 'with a gap';
  const why = formatEviction(reason);
  if (placeText(from) === placeText(change.replica.placement)) {
    return { mark: 'roll', why: [`It is replaced where it is, ${how}: ${why}.`] };
  }
  return { mark: 'move', why: [`It comes from ${placeText(from)}, ${how}: ${why}.`] };
}

/** What happens to replicas between two states. */
export function compared({ deployments }: FleetDiff): StandingOf {
  const all = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) =>
      standingsOf(change).map(([place, standing]): [string, Standing] => [
        keyOf({ ...place, deployment }),
        standing,
      ]),
    ),
  );
  return lookup(new Map(all), { mark: 'keep', why: ['Nothing happens to it.'] });
}

/** What happens to a replica where it is; and where it was, if it moves. */
function standingsOf(change: CausedChange): [Omit<Replica, 'deployment'>, Standing][] {
  const { action, from, surgeFirst, causes } = change;
  const clause = happeningText(change);
  // Of what comes from the same lines the map has the sentence once.
  const because = causes.length === 0 ? [] : [`Because ${causesText(causes)}.`];
  const why = [`${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`, ...because];
  const own: [CausedChange, Standing] = [change, { mark: action, why }];
  if (action !== 'move' || !from) return [own];
  const until = surgeFirst ? 'It serves until it is settled.' : 'It goes first, with a gap.';
  const over = `${placeText(change)} takes over.`;
  return [own, [from, { mark: surgeFirst ? 'leaving' : 'remove', why: [until, over] }]];
}

function lookup(known: ReadonlyMap<string, Standing>, others: Standing): StandingOf {
  return (replica) => known.get(keyOf(replica)) ?? others;
}

function keyOf({ deployment, cluster, index }: Replica): string {
  return `${deployment} ${placeText({ cluster, index })}`;
}
