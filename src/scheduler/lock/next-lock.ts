import type { CompiledFleet } from '../compiled-fleet';
import { groupByDeployment, isDeclaredShape, selectLastDraining, type Placement, placementKeyOf } from '../placement';
import type { Schedule } from '../schedule-result';
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
    ({ deployment, missing, waiting = 0 }) =>
      !partial.has(deployment) &&
      (acceptUnplaced || missing <= Math.max(waiting, previous.unplaced.get(deployment) ?? 0)),
  );
  const kept = finalize ? dropFinalized(placements, shortfalls, previous) : placements;
  const unplaced = new Map(accepted.map(({ deployment, missing }) => [deployment, missing]));
  const shapes = keepUsedRevisions(kept, deployments, previous.shapes);
  return { placements: kept, unplaced, shapes, ...(previous.layouts && { layouts: previous.layouts }) };
}

/**
 * The placements without those that were draining before. A replica that starts to drain only now has no replacement
 * that serves: `finalize` does not drop it. Nor does it drop as many replicas of a deployment as have no replacement, or
 * one that is placed only now.
 */
function dropFinalized(
  placements: readonly Placement[],
  shortfalls: Schedule['shortfalls'],
  previous: Lock,
): Placement[] {
  const missing = new Map(shortfalls.map((one) => [one.deployment, one.missing]));
  const known = new Map(previous.placements.map((one) => [placementKeyOf(one), one]));
  const ready = placements.filter((one) => one.draining && known.get(placementKeyOf(one))?.draining);
  const starting = groupByDeployment(placements.filter((one) => !one.draining && !known.has(placementKeyOf(one))));
  const dropped = new Set(ready);
  for (const [id, group] of groupByDeployment(ready)) {
    const unserved = (missing.get(id) ?? 0) + (starting.get(id)?.length ?? 0);
    for (const one of selectLastDraining(group, unserved)) dropped.delete(one);
  }
  return placements.filter((one) => !dropped.has(one));
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
