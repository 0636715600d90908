import { samePools } from '../scheduler/same-placement';
import type { Eviction, EvictionReason, Placement } from '../scheduler/types';

/** What happens to the replicas of one deployment. */
export interface Moves {
  readonly kept: readonly Placement[];
  readonly placed: readonly Placement[];
  readonly moved: readonly Move[];
  readonly removed: readonly Eviction[];
  /** Leaving, without a replica that takes their place in this plan. */
  readonly leaving: readonly Placement[];
}

/** A replica that gives way to another one of its deployment. */
export interface Move {
  readonly from: Placement;
  readonly to: Placement;
  readonly reason: EvictionReason;
  readonly surgeFirst: boolean;
}

/**
 * Tells what a schedule does to one deployment: each replica that is evicted is paired with one that is new, in
 * order; what is left over on either side is removed or placed.
 */
export function pairMoves(
  previous: readonly Placement[],
  next: readonly Placement[],
  evictions: readonly Eviction[],
): Moves {
  if (evictions.length === 0 && stayAsTheyAre(previous, next)) return { ...NO_MOVES, kept: next };
  const before = byIdentity(previous);
  const staying = next.filter(({ leaving }) => !leaving);
  const after = byIdentity(staying);
  const added = staying.filter((placement) => !isIn(before, placement));
  const evicted = evictions.filter(({ placement }) => !isIn(after, placement));
  const moved = pair(evicted, added).map(
    ([{ placement: from, reason }, to]): Move => ({
      from,
      to,
      reason,
      surgeFirst: next.some((other) => other.leaving && identity(other) === identity(from)),
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

const NO_MOVES: Moves = { kept: [], placed: [], moved: [], removed: [], leaving: [] };

/** Whether all lines of a deployment are the earlier ones. Most deployments have no others. */
function stayAsTheyAre(previous: readonly Placement[], next: readonly Placement[]): boolean {
  return previous.length === next.length && next.every((one, i) => one === previous[i] && !one.leaving);
}

/** Pairs evicted replicas with new ones: first those that keep cluster and index, then in order. */
function pair(evicted: readonly Eviction[], added: readonly Placement[]): [Eviction, Placement][] {
  const replaceable = evicted.filter(({ reason }) => reason.kind !== 'scaled-down');
  const byIdentity = new Map(added.map((placement) => [identity(placement), placement]));
  const inPlace = replaceable.flatMap((eviction): [Eviction, Placement][] => {
    const to = byIdentity.get(identity(eviction.placement));
    return to ? [[eviction, to]] : [];
  });
  const used = new Set<Eviction | Placement>(inPlace.flat());
  const left = added.filter((placement) => !used.has(placement));
  const elsewhere = replaceable
    .filter((eviction) => !used.has(eviction))
    .flatMap((eviction, i): [Eviction, Placement][] => (left[i] ? [[eviction, left[i]]] : []));
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
