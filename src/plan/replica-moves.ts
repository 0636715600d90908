import { haveSamePools } from '../scheduler/placement';
import type { EvictionReason, Placement } from '../scheduler/schedule-result';

/** Where a replica is. */
export type Place = Pick<Placement, 'cluster' | 'index' | 'pools'>;

/**
 * What happens to one replica: by a plan, by a scenario, or between two states. Documents show it in their own fields.
 * `From`: how an earlier replica is shown.
 */
export interface ReplicaChange<From extends Place = Place> {
  /**
   * `move`: it takes the place of another of its deployment. `roll`: its pods are replaced where they are. `leaving`: it
   * serves until it is settled, and none takes its place.
   */
  readonly action: 'keep' | 'place' | 'move' | 'roll' | 'leaving' | 'remove';
  readonly cluster: string;
  readonly index: number;

  /** The pool of each engine; before, where it is removed. */
  readonly pools: Placement['pools'];

  /** The one whose place it takes: of a move, and of what is rolled with another shape or on other pools. */
  readonly from?: From;

  /** Whether the one that it takes the place of serves until it is settled; otherwise there is a gap. Only of a move. */
  readonly surgeFirst?: boolean;

  /** When it is rolled, counted over the replicas of the deployment. */
  readonly wave?: number;

  /** Whether it stops serving while it is rolled: an engine of it has one copy and no surge. */
  readonly down?: boolean;

  /** Why it does not stay, or the one whose place it takes. Absent where the lock alone says so. */
  readonly reason?: EvictionReason;
}

/** A replica that does not stay, and why, where that is known. */
export interface EvictedReplica {
  readonly placement: Placement;
  readonly reason: EvictionReason | undefined;
}

/**
 * What happens to each replica of one deployment, by action, then in the order of the placements. One that goes and one
 * that is new are a move; `from` of a removed one is itself.
 *
 * @param gone what does not stay as it is, by cluster and index
 */
export function replicaChangesOf(
  previous: readonly Placement[],
  next: readonly Placement[],
  gone: readonly EvictedReplica[],
): ReplicaChange<Placement>[] {
  const before = indexByIdentity(previous);
  const staying = next.filter(({ leaving }) => !leaving);
  const after = indexByIdentity(staying);
  const present = indexByIdentity(next);
  const added = staying.filter((placement) => !hasSamePlacement(before, placement));
  const evicted = gone.filter(({ placement }) => !hasSamePlacement(after, placement));
  const moves = pairMoves(evicted, added, before);
  const movedFrom = new Set([...moves.values()].map(({ placement }) => identity(placement)));
  const reasons = new Map(gone.map(({ placement, reason }) => [identity(placement), reason]));
  const whyOf = (one: Placement) => because(reasons.get(identity(one)));
  return [
    ...staying.filter((one) => hasSamePlacement(before, one)).map((one) => changeOf('keep', one)),
    ...added.filter((one) => !moves.has(one)).map((one) => changeOf('place', one)),
    ...[...moves].map(([to, { placement: from, reason }]) => {
      const surgeFirst = present.get(identity(from))?.leaving === true;
      return { ...changeOf('move', to), from, ...because(reason), surgeFirst };
    }),
    ...evicted
      .filter(({ placement }) => !movedFrom.has(identity(placement)) && !present.has(identity(placement)))
      .map(({ placement, reason }) => ({
        ...changeOf('remove', placement),
        from: placement,
        ...because(reason),
      })),
    ...next
      .filter((one) => one.leaving && !movedFrom.has(identity(one)))
      .map((one) => ({ ...changeOf('leaving', one), ...whyOf(one) })),
  ];
}

/** Whether all lines of a deployment are the earlier ones. Most deployments have no others. */
export function areUnchanged(previous: readonly Placement[], next: readonly Placement[]): boolean {
  return previous.length === next.length && next.every((one, i) => one === previous[i] && !one.leaving);
}

function changeOf(
  action: ReplicaChange['action'],
  { cluster, index, pools }: Placement,
): ReplicaChange<never> {
  return { action, cluster, index, pools };
}

function because(reason: EvictionReason | undefined): Pick<ReplicaChange, 'reason'> {
  return reason ? { reason } : {};
}

/**
 * Pairs replicas that go with new ones: first those that keep cluster and index, then in order the others. One that was
 * leaving before has been replaced then, and goes nowhere else; one that is too much is replaced by none.
 *
 * @returns what goes by what takes its place
 */
function pairMoves(
  evicted: readonly EvictedReplica[],
  added: readonly Placement[],
  before: ByIdentity,
): ReadonlyMap<Placement, EvictedReplica> {
  const replaceable = evicted.filter(({ reason }) => reason?.kind !== 'scaled-down');
  const newByIdentity = indexByIdentity(added);
  const moves = new Map<Placement, EvictedReplica>();
  const elsewhere: EvictedReplica[] = [];
  for (const one of replaceable) {
    const to = newByIdentity.get(identity(one.placement));
    if (to) moves.set(to, one);
    else if (before.get(identity(one.placement))?.leaving !== true) elsewhere.push(one);
  }
  const left = added.filter((placement) => !moves.has(placement));
  for (const [i, to] of left.entries()) {
    const one = elsewhere[i];
    if (one) moves.set(to, one);
  }
  return moves;
}

/** The cluster and the number of a replica, which no other of its deployment has. */
export function identity({ cluster, index }: Pick<Placement, 'cluster' | 'index'>): string {
  return `${cluster}/${index}`;
}

type ByIdentity = ReadonlyMap<string, Placement>;

function indexByIdentity(placements: readonly Placement[]): ByIdentity {
  return new Map(placements.map((placement) => [identity(placement), placement]));
}

/** Whether one of some placements says all that this one does, but whether it is leaving. */
function hasSamePlacement(placements: ByIdentity, placement: Placement): boolean {
  const other = placements.get(identity(placement));
  return (
    other !== undefined && other.shape === placement.shape && haveSamePools(other.pools, placement.pools)
  );
}
