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
  const { deployments: workloads } = state.model;
  const going = groupBy(leaving.filter(startsDraining), ({ workload }) => workload);
  // First, since a replica that is not wanted any more may be all that is too much for a pool.
  for (const workload of workloads) {
    const starting = going.get(workload)?.map(({ placed }) => placed);
    scaleDown(state, workload, starting ?? NO_REPLICAS);
  }
  evictOvercommitted(state);
  for (const one of leaving) updateDraining(state, one);
}

const NO_REPLICAS: readonly AssignedReplica[] = [];

/** Leaves every line where it is as far as it holds there, whatever else is placed; tells of those that leave. */
function retainAll(state: SchedulingState, lock: readonly Placement[]): DrainingReplica[] {
  const lines = groupByDeployment(lock);
  const all: DrainingReplica[] = [];
  let [known, intact] = [0, 0];
  for (const workload of state.model.deployments) {
    const own = lines.get(workload.id);
    if (!own) continue;
    const held = findRetained(workload, own, state);
    state.retain(workload, own, held);
    all.push(...held.leaving);
    known += 1;
    if (held.intact) intact += 1;
  }
  if (known < lines.size) evictUndeclared(state, lines);
  if (intact === lines.size) state.keepLock(lock);
  return all;
}

function evictUndeclared(state: SchedulingState, lines: ReadonlyMap<string, readonly Placement[]>): void {
  const declared = new Set(state.model.deployments.map(({ id }) => id));
  for (const [id, gone] of lines) {
    if (declared.has(id)) continue;
    for (const placement of gone) state.evict(placement, { kind: 'deployment-gone' });
  }
}

function startsDraining({ leaves, wasLeaving }: DrainingReplica): boolean {
  return leaves !== undefined && !wasLeaving;
}

/** Tells why a replica starts to leave; one that left for a reason that is over counts again where a replica is missing. */
function updateDraining(
  state: SchedulingState,
  { workload, placed, paused, leaves, wasLeaving }: DrainingReplica,
): void {
  if (paused || !placed.placement.leaving || !state.isPlaced(placed)) return;
  if (leaves) {
    if (!wasLeaving) state.evict(placed.placement, leaves);
  } else if (state.missing(workload) > 0) {
    const { leaving: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}
