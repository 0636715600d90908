import { groupBy } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { evictOvercommitted } from './overcommitted';
import { groupByDeployment, type Placement, sortPlacements } from './placement';
import { type RetainedLock, retainedOf, retainLock } from './retained-lock';
import type { AssignedReplica, DrainingReplica } from './retained-replicas';
import { scaleDown } from './scale-down';
import type { SurgeWithoutRoom } from './schedule-result';
import { yieldSurges } from './yield-surges';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

/**
 * Keeps every previous placement that is valid and still wanted, deployments of higher priority first.
 *
 * A placement that has to leave its cluster (a taint, a changed cluster selector) or runs earlier engines stays as
 * draining: it is charged and serves unchanged until its replacement serves. A placement is evicted if its
 * deployment, cluster or pool is gone, if it has no room, or if its earlier engines are unknown.
 *
 * @param retained what can stay of `previous`, if it is known
 */
export function retainPlacements(
  state: SchedulingState,
  previous: readonly Placement[],
  retained = retainLock(state.model, previous, state.matcher),
): void {
  const leaving = retainAll(state, sortPlacements(previous), retained);
  const starting = leaving.filter(({ leaves, wasDraining }) => leaves && !wasDraining);
  const draining = groupBy(starting, ({ deployment }) => deployment);
  // Scale down first: a replica that is no longer wanted may be the whole excess of a pool.
  for (const deployment of state.unsettled()) {
    scaleDown(state, deployment, draining.get(deployment)?.map(({ placed }) => placed) ?? []);
  }
  const yielding = yieldSurges(state);
  evictOvercommitted(state);
  state.withoutSurge = yielding.filter((one) => isStaying(state, one));
  for (const replica of leaving) updateDraining(state, replica);
}

/** Keeps every placement that is valid on its cluster, and returns those that are draining. */
function retainAll(state: SchedulingState, lock: readonly Placement[], retained: RetainedLock): DrainingReplica[] {
  state.retain(retained);
  const lines = groupByDeployment(lock);
  const unsettled = state.unsettled().flatMap(({ id }) => retainedOf(retained, id) ?? []);
  if (retained.base.size < lines.size) evictUndeclared(state, lines);
  else if (unsettled.every((one) => one.lines !== undefined)) state.keepLock(lock);
  return unsettled.flatMap(({ leaving }) => leaving);
}

function evictUndeclared(state: SchedulingState, lines: ReadonlyMap<string, readonly Placement[]>): void {
  for (const [id, placements] of lines) {
    if (state.deployments.has(id)) continue;
    for (const placement of placements) state.evict(placement, { kind: 'deployment-gone' });
  }
}

/**
 * Records why a replica starts to leave. If its reason is gone, it counts again where the deployment lacks one and may
 * have another one there.
 */
function updateDraining(
  state: SchedulingState,
  { deployment, placed, paused, leaves, wasDraining }: DrainingReplica,
): void {
  if (paused || !placed.placement.draining || !state.isPlaced(placed)) return;
  if (leaves) {
    if (!wasDraining) state.evict(placed.placement, leaves);
  } else if (state.missing(deployment) > 0 && mayCount(state, deployment, placed)) {
    const { draining: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}

function isStaying(state: SchedulingState, { deployment: id, ...at }: SurgeWithoutRoom): boolean {
  const deployment = state.deployments.get(id);
  const staying = deployment ? state.staying(deployment) : [];
  return staying.some(({ placement }) => placement.cluster === at.cluster && placement.index === at.index);
}

function mayCount(state: SchedulingState, deployment: CompiledDeployment, { placement }: AssignedReplica): boolean {
  const cluster = state.clusters.get(placement.cluster);
  return cluster !== undefined && !new TopologySpread(deployment, state.clustersOf(deployment)).findLimit(cluster);
}
