import { groupByDeployment, type Placement, placementKeyOf, selectLastDraining } from '../placement';

/**
 * The placements without those that were draining before. A replica that starts to drain only now has no replacement
 * that serves: `finalize` does not drop it. Nor does it drop as many replicas of a deployment as have no replacement, or
 * one that is placed only now.
 *
 * @param missing the number of replicas that each deployment lacks
 * @param previous the placements of the lock
 */
export function dropFinalized(
  placements: readonly Placement[],
  missing: ReadonlyMap<string, number>,
  previous: readonly Placement[],
): readonly Placement[] {
  const known = new Map(previous.map((one) => [placementKeyOf(one), one]));
  const ready = placements.filter((one) => one.draining && known.get(placementKeyOf(one))?.draining);
  const starting = groupByDeployment(placements.filter((one) => !one.draining && !known.has(placementKeyOf(one))));
  const dropped = new Set(ready);
  for (const [id, group] of groupByDeployment(ready)) {
    const unserved = (missing.get(id) ?? 0) + (starting.get(id)?.length ?? 0);
    for (const one of selectLastDraining(group, unserved)) dropped.delete(one);
  }
  return placements.filter((one) => !dropped.has(one));
}
