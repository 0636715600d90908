import { groupByDeployment, type Placement, selectLastDraining } from './placement';
import type { Schedule } from './schedule-result';

/**
 * The draining replicas whose replacement has no place. `lock --finalize` keeps them, so they serve until it has one: as
 * many of a deployment as it lacks.
 */
export function listUnreplaced({ placements, shortfalls }: Pick<Schedule, 'placements' | 'shortfalls'>): Placement[] {
  if (shortfalls.length === 0) return [];
  const byDeployment = groupByDeployment(placements);
  return shortfalls.flatMap(({ deployment, missing }) => {
    return selectLastDraining(byDeployment.get(deployment) ?? [], missing);
  });
}
