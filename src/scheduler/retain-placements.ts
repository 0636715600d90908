import { groupBy } from '../base/order';
import { evictOvercommitted } from './overcommitted';
import { groupByDeployment, sortPlacements } from './placement-order';
import { type AssignedReplica, type DrainingReplica, findRetained } from './retained-replicas';
import { scaleDown } from './scale-down';
import type { Placement } from './schedule-result';
import type { SchedulingState } from './scheduling-state';

/**
 * Keeps every previous placement that still holds and is still wanted, deployments of higher priority first.
 *
 * One that has to leave its cluster (a taint, a changed cluster selector) or runs earlier engines stays as leaving,
 * charged and serving as what it is, until its replacement does. One whose deployment, cluster or pool is gone, that
 * has no room, or of which nobody knows what it is made of, is evicted.
 */
export function retainPlacements(state: SchedulingState, previous: readonly Placement[]): void {
  const leaving = retainAll(state, sortPlacements(previous));
  const { deployments } = state.model;
  const draining = groupBy(leaving.filter(startsDraining), ({ deployment }) => deployment);
  // First, since a replica that is not wanted any more may be all that is too much for a pool.
  for (const deployment of deployments) {
    const starting = draining.get(deployment)?.map(({ placed }) => placed);
    scaleDown(state, deployment, starting ?? NO_REPLICAS);
  }
  evictOvercommitted(state);
  for (const replica of leaving) updateDraining(state, replica);
}

const NO_REPLICAS: readonly AssignedReplica[] = [];

/** Leaves every line where it is as far as it holds there, whatever else is placed; tells of those that leave. */
function retainAll(state: SchedulingState, lock: readonly Placement[]): DrainingReplica[] {
  const lines = groupByDeployment(lock);
  const leaving: DrainingReplica[] = [];
  let [known, intact] = [0, 0];
  for (const deployment of state.model.deployments) {
    const previous = lines.get(deployment.id);
    if (!previous) continue;
    const retained = findRetained(deployment, previous, state);
    state.retain(deployment, previous, retained);
    leaving.push(...retained.leaving);
    known += 1;
    if (retained.intact) intact += 1;
  }
  if (known < lines.size) evictUndeclared(state, lines);
  if (intact === lines.size) state.keepLock(lock);
  return leaving;
}

function evictUndeclared(state: SchedulingState, lines: ReadonlyMap<string, readonly Placement[]>): void {
  const declared = new Set(state.model.deployments.map(({ id }) => id));
  for (const [id, placements] of lines) {
    if (declared.has(id)) continue;
    for (const placement of placements) state.evict(placement, { kind: 'deployment-gone' });
  }
}

function startsDraining({ leaves, wasLeaving }: DrainingReplica): boolean {
  return leaves !== undefined && !wasLeaving;
}

/** Tells why a replica starts to leave; one that left for a reason that is over counts again where a replica is missing. */
function updateDraining(
  state: SchedulingState,
  { deployment, placed, paused, leaves, wasLeaving }: DrainingReplica,
): void {
  if (paused || !placed.placement.leaving || !state.isPlaced(placed)) return;
  if (leaves) {
    if (!wasLeaving) state.evict(placed.placement, leaves);
  } else if (state.missing(deployment) > 0) {
    const { leaving: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}
