import { groupByDeployment, type Placement, selectLastDraining } from './placement';
import type { Schedule } from './schedule-result';

type PlacedSchedule = Pick<Schedule, 'placements' | 'shortfalls'>;

/**
 * The draining replicas whose replacement has no place. `lock --finalize` keeps them, so they serve until it has one: as
 * many of a deployment as it lacks. Those of lost clusters do not serve, and are left out.
 */
export function listUnreplaced(schedule: PlacedSchedule): Placement[] {
  return listWithoutReplacement(schedule).filter(({ lost }) => !lost);
}

/** The replicas that would leave, of drained and of lost clusters, whose replacement has no place. */
export function listWithoutReplacement({ placements, shortfalls }: PlacedSchedule): Placement[] {
  if (shortfalls.length === 0) return [];
  const byDeployment = groupByDeployment(placements);
  return shortfalls.flatMap(({ deployment, missing }) => {
    return selectLastDraining(byDeployment.get(deployment) ?? [], missing);
  });
}
