import { haveSamePools } from '../scheduler/placement';
import type { EvictionReason, Placement } from '../scheduler/schedule-result';

/** What happens to the replicas of one deployment. `R`: why a replica goes, undefined where that may be unknown. */
export interface ReplicaMoves<R = EvictionReason> {
  readonly kept: readonly Placement[];
  readonly placed: readonly Placement[];
  readonly moved: readonly ReplicaMove<R>[];
  readonly removed: readonly EvictedReplica<R>[];
  /** Leaving, without a replica that takes their place in this plan. */
  readonly leaving: readonly Placement[];
}

/** A replica that does not stay. */
interface EvictedReplica<R> {
  readonly placement: Placement;
  readonly reason: R;
}

/** A replica that gives way to another one of its deployment. */
export interface ReplicaMove<R = EvictionReason> {
  readonly from: Placement;
  readonly to: Placement;
  readonly reason: R;
  readonly surgeFirst: boolean;
}

/**
 * Tells what happens to one deployment: each replica that goes is paired with one that is new, in order; what is left
 * over on either side is removed or placed. One that was leaving before has been replaced then, and goes nowhere else.
 *
 * @param gone what does not stay as it is, by cluster and index
 */
export function pairMoves<R extends EvictionReason | undefined>(
  previous: readonly Placement[],
  next: readonly Placement[],
  gone: readonly EvictedReplica<R>[],
): ReplicaMoves<R> {
  if (gone.length === 0 && areUnchanged(previous, next)) return { ...NO_MOVES, kept: next };
  const before = indexByIdentity(previous);
  const staying = next.filter(({ leaving }) => !leaving);
  const after = indexByIdentity(staying);
  const left = new Set(next.filter(({ leaving }) => leaving).map(identity));
  const added = staying.filter((placement) => !hasSamePlacement(before, placement));
  const evicted = gone.filter(({ placement }) => !hasSamePlacement(after, placement));
  const replaceable = evicted.filter(({ reason }) => reason?.kind !== 'scaled-down');
  const wasLeaving = ({ placement }: EvictedReplica<R>): boolean =>
    before.get(identity(placement))?.leaving === true;
  const moved = pairReplicas(replaceable, added, wasLeaving).map(
    ([{ placement: from, reason }, to]): ReplicaMove<R> => ({
      from,
      to,
      reason,
      surgeFirst: left.has(identity(from)),
    }),
  );
  const movedFrom = new Set(moved.map(({ from }) => identity(from)));
  const movedTo = new Set(moved.map(({ to }) => to));
  const present = new Set(next.map(identity));
  return {
    kept: staying.filter((placement) => hasSamePlacement(before, placement)),
    placed: added.filter((placement) => !movedTo.has(placement)),
    moved,
    removed: evicted.filter(
      ({ placement }) => !movedFrom.has(identity(placement)) && !present.has(identity(placement)),
    ),
    leaving: next.filter((placement) => placement.leaving && !movedFrom.has(identity(placement))),
  };
}

const NO_MOVES: ReplicaMoves<never> = { kept: [], placed: [], moved: [], removed: [], leaving: [] };

/** Whether all lines of a deployment are the earlier ones. Most deployments have no others. */
function areUnchanged(previous: readonly Placement[], next: readonly Placement[]): boolean {
  return previous.length === next.length && next.every((one, i) => one === previous[i] && !one.leaving);
}

/** Pairs replicas that go with new ones: first those that keep cluster and index, then in order those that count. */
function pairReplicas<G extends EvictedReplica<unknown>>(
  replaceable: readonly G[],
  added: readonly Placement[],
  wasLeaving: (gone: G) => boolean,
): [G, Placement][] {
  const byIdentity = new Map(added.map((placement) => [identity(placement), placement]));
  const inPlace = replaceable.flatMap((gone): [G, Placement][] => {
    const to = byIdentity.get(identity(gone.placement));
    return to ? [[gone, to]] : [];
  });
  const used = new Set<G | Placement>(inPlace.flat());
  const left = added.filter((placement) => !used.has(placement));
  const elsewhere = replaceable
    .filter((gone) => !used.has(gone) && !wasLeaving(gone))
    .flatMap((gone, i): [G, Placement][] => (left[i] ? [[gone, left[i]]] : []));
  return [...inPlace, ...elsewhere];
}

function identity({ cluster, index }: Placement): string {
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
