import { samePools } from '../scheduler/same-placement';
import type { EvictionReason, Placement } from '../scheduler/types';

/** What happens to the replicas of one deployment. `R`: why a replica goes, undefined where that may be unknown. */
export interface Moves<R = EvictionReason> {
  readonly kept: readonly Placement[];
  readonly placed: readonly Placement[];
  readonly moved: readonly Move<R>[];
  readonly removed: readonly Gone<R>[];
  /** Leaving, without a replica that takes their place in this plan. */
  readonly leaving: readonly Placement[];
}

/** A replica that does not stay. */
interface Gone<R> {
  readonly placement: Placement;
  readonly reason: R;
}

/** A replica that gives way to another one of its deployment. */
export interface Move<R = EvictionReason> {
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
  gone: readonly Gone<R>[],
): Moves<R> {
  if (gone.length === 0 && stayAsTheyAre(previous, next)) return { ...NO_MOVES, kept: next };
  const before = byIdentity(previous);
  const staying = next.filter(({ leaving }) => !leaving);
  const after = byIdentity(staying);
  const left = new Set(next.filter(({ leaving }) => leaving).map(identity));
  const added = staying.filter((placement) => !isIn(before, placement));
  const evicted = gone.filter(({ placement }) => !isIn(after, placement));
  const replaceable = evicted.filter(({ reason }) => reason?.kind !== 'scaled-down');
  const wasLeaving = ({ placement }: Gone<R>): boolean => before.get(identity(placement))?.leaving === true;
  const moved = pair(replaceable, added, wasLeaving).map(
    ([{ placement: from, reason }, to]): Move<R> => ({
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
    kept: staying.filter((placement) => isIn(before, placement)),
    placed: added.filter((placement) => !movedTo.has(placement)),
    moved,
    removed: evicted.filter(
      ({ placement }) => !movedFrom.has(identity(placement)) && !present.has(identity(placement)),
    ),
    leaving: next.filter((placement) => placement.leaving && !movedFrom.has(identity(placement))),
  };
}

const NO_MOVES: Moves<never> = { kept: [], placed: [], moved: [], removed: [], leaving: [] };

/** Whether all lines of a deployment are the earlier ones. Most deployments have no others. */
function stayAsTheyAre(previous: readonly Placement[], next: readonly Placement[]): boolean {
  return previous.length === next.length && next.every((one, i) => one === previous[i] && !one.leaving);
}

/** Pairs replicas that go with new ones: first those that keep cluster and index, then in order those that count. */
function pair<G extends Gone<unknown>>(
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

function byIdentity(placements: readonly Placement[]): ByIdentity {
  return new Map(placements.map((placement) => [identity(placement), placement]));
}

/** Whether one of some placements says all that this one does, but whether it is leaving. */
function isIn(placements: ByIdentity, placement: Placement): boolean {
  const other = placements.get(identity(placement));
  return other !== undefined && other.shape === placement.shape && samePools(other.pools, placement.pools);
}
