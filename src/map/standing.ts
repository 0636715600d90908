import type { CausedChange, DeploymentDiff, FleetDiff } from '../diff/fleet-diff';
import { changeText } from '../diff/words';
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
  const to = placeOf(change.replica.placement);
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
  if (placeOf(from) === placeOf(change.replica.placement)) {
    return { mark: 'roll', why: [`It is replaced where it is, ${how}: ${why}.`] };
  }
  return { mark: 'move', why: [`It comes from ${placeOf(from)}, ${how}: ${why}.`] };
}

/** What happens to replicas between two states. */
export function compared({ deployments }: FleetDiff): StandingOf {
  const all = deployments.flatMap((diff) => {
    const moves = movesOf(diff);
    return diff.changes.map((change): [string, Standing] => {
      const key = keyOf({ ...change, deployment: diff.deployment });
      return [key, ofDifference(change, moves.get(change))];
    });
  });
  return lookup(new Map(all), { mark: 'keep', why: ['Nothing happens to it.'] });
}

function ofDifference(change: CausedChange, other: CausedChange | undefined): Standing {
  const clause = changeText(change);
  const text = `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
  if (!other) return { mark: change.action, why: [text] };
  if (change.action === 'place') return { mark: 'move', why: [`It comes from ${placeOf(other)}.`, text] };
  return { mark: change.action, why: [text, `${placeOf(other)} takes over.`] };
}

/** Replicas that go and those that come in their place, each by the other. */
function movesOf({ changes }: DeploymentDiff): ReadonlyMap<CausedChange, CausedChange> {
  const going = changes.filter(({ action }) => action === 'leaving' || action === 'remove');
  const coming = changes.filter(({ action }) => action === 'place');
  return new Map(
    going.flatMap((gone, i): [CausedChange, CausedChange][] => {
      const come = coming[i];
      return come
        ? [
            [gone, come],
            [come, gone],
          ]
        : [];
    }),
  );
}

function lookup(known: ReadonlyMap<string, Standing>, others: Standing): StandingOf {
  return (replica) => known.get(keyOf(replica)) ?? others;
}

function keyOf({ deployment, cluster, index }: Replica): string {
  return `${deployment} ${placeOf({ cluster, index })}`;
}

function placeOf({ cluster, index }: Omit<Replica, 'deployment'>): string {
  return `${cluster}/${index}`;
}
