import type { CompiledFleet } from '../compiled-fleet';
import { isDeclaredShape, type Placement, placementKeyOf } from '../placement';
import type { Schedule } from '../schedule-result';
import { dropFinalized } from './drop-finalized';
import type { Lock } from './lock';

/**
 * The lock that results from a schedule. A shortfall is recorded if it was accepted before at that size or more, or
 * if `acceptUnplaced` accepts it now, or if all of it waits for replicas that a rebalance replaces. A deployment that allows partial placement needs no acceptance. The spec of a
 * replica of earlier engines is kept as long as the replica.
 */
export function computeNextLock(
  { deployments }: CompiledFleet,
  { placements, shortfalls }: Schedule,
  previous: Lock,
  { acceptUnplaced = false, finalize = false }: { acceptUnplaced?: boolean; finalize?: boolean } = {},
): Lock {
  const partial = new Set(deployments.filter(({ allowPartial }) => allowPartial).map(({ id }) => id));
  const accepted = shortfalls.filter(
    ({ deployment, missing: lacking, waiting = 0 }) =>
      !partial.has(deployment) &&
      (acceptUnplaced || lacking <= Math.max(waiting, previous.unplaced.get(deployment) ?? 0)),
  );
  const missing = new Map(shortfalls.map((one) => [one.deployment, one.missing]));
  const left = finalize ? dropFinalized(placements, missing, previous.placements) : placements;
  const kept = toLockLines(left, deployments, previous.placements);
  const unplaced = new Map(accepted.map((one) => [one.deployment, one.missing]));
  const shapes = keepUsedRevisions(kept, deployments, previous.shapes);
  return { placements: kept, unplaced, shapes, ...(previous.layouts && { layouts: previous.layouts }) };
}

/**
 * The placements as a lock has them: it does not say of a cluster that it is lost, and a pause keeps the lines of a
 * deployment there as they were.
 */
export function toLockLines(
  placements: readonly Placement[],
  deployments: CompiledFleet['deployments'],
  previous: readonly Placement[],
): readonly Placement[] {
  if (!placements.some(({ lost }) => lost)) return placements;
  const paused = new Set(deployments.filter((one) => one.paused).map(({ id }) => id));
  const lines = new Map(previous.map((one) => [placementKeyOf(one), one]));
  return placements.map((one) => {
    if (!one.lost) return one;
    const { lost: _, ...line } = one;
    return (paused.has(one.deployment) && lines.get(placementKeyOf(one))) || line;
  });
}

function keepUsedRevisions(
  placements: readonly Placement[],
  deployments: CompiledFleet['deployments'],
  known: Lock['shapes'],
): Lock['shapes'] {
  if (known.length === 0) return known;
  const declared = new Map(deployments.map((one) => [one.id, one]));
  const outdated = placements.filter(({ deployment, shape }) => {
    const compiled = declared.get(deployment);
    return !compiled || !isDeclaredShape(compiled, shape);
  });
  const used = new Set(outdated.map(({ deployment, shape }) => `${deployment} ${shape}`));
  return known.filter(({ deployment, shape }) => used.has(`${deployment} ${shape}`));
}
