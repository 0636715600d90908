import type { CompiledFleet } from '../compiled-fleet';
import { placementKeyOf } from '../placement';
import type { Placement, Schedule } from '../schedule-result';
import type { Lock } from './lock';

/**
 * The lock that a schedule leads to. A shortfall is recorded where it was accepted before at that size or more,
 * or where `acceptUnplaced` accepts it now; where the deployment allows it, there is nothing to accept. What a
 * replica of earlier engines is made of stands there for as long as its line does.
 */
export function computeNextLock(
  { deployments: workloads }: CompiledFleet,
  { placements, shortfalls }: Schedule,
  previous: Lock,
  { acceptUnplaced = false, settle = false }: { acceptUnplaced?: boolean; settle?: boolean } = {},
): Lock {
  const partial = new Set(workloads.filter(({ allowPartial }) => allowPartial).map(({ id }) => id));
  const accepted = shortfalls.filter(
    ({ deployment, missing }) =>
      !partial.has(deployment) && (acceptUnplaced || missing <= (previous.unplaced.get(deployment) ?? 0)),
  );
  const stay = settle ? dropFinalized(placements, shortfalls, previous) : placements;
  return {
    placements: stay,
    unplaced: new Map(accepted.map(({ deployment, missing }) => [deployment, missing])),
    shapes: keepUsedRevisions(stay, workloads, previous.shapes),
  };
}

/**
 * The placements without those that were leaving before. What starts to leave only now has no replacement that
 * serves, and one without any replacement is the last that serves: settling drops neither.
 */
function dropFinalized(
  placements: readonly Placement[],
  shortfalls: Schedule['shortfalls'],
  previous: Lock,
): Placement[] {
  const short = new Set(shortfalls.map(({ deployment }) => deployment));
  const left = new Set(previous.placements.filter(({ leaving }) => leaving).map(placementKeyOf));
  return placements.filter(
    (one) => !one.leaving || short.has(one.deployment) || !left.has(placementKeyOf(one)),
  );
}

/** Of some former shapes those that replicas still have. */
function keepUsedRevisions(
  placements: readonly Placement[],
  workloads: CompiledFleet['deployments'],
  known: Lock['shapes'],
): Lock['shapes'] {
  if (known.length === 0) return known;
  const declared = new Map(workloads.map(({ id, shape }) => [id, shape]));
  const former = placements.filter(({ deployment, shape }) => declared.get(deployment) !== shape);
  const used = new Set(former.map(({ deployment, shape }) => `${deployment} ${shape}`));
  return known.filter(({ deployment, shape }) => used.has(`${deployment} ${shape}`));
}
