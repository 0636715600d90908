import { groupBy } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { evictOvercommitted } from './overcommitted';
import { groupByDeployment, type Placement, sortPlacements } from './placement';
import { type RetainedLock, retainLock } from './retained-lock';
import type { AssignedReplica, DrainingReplica } from './retained-replicas';
import { scaleDown } from './scale-down';
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
  const { deployments } = state.model;
  const starting = leaving.filter(({ leaves, wasDraining }) => leaves && !wasDraining);
  const draining = groupBy(starting, ({ deployment }) => deployment);
  // Scale down first: a replica that is no longer wanted may be the whole excess of a pool.
  for (const deployment of deployments) {
    scaleDown(state, deployment, draining.get(deployment)?.map(({ placed }) => placed) ?? []);
  }
  state.withoutSurge = yieldSurges(state);
  evictOvercommitted(state);
  for (const replica of leaving) updateDraining(state, replica);
}

/** Keeps every placement that is valid on its cluster, and returns those that are draining. */
function retainAll(
  state: SchedulingState,
  lock: readonly Placement[],
  { deployments, ledger }: RetainedLock,
): DrainingReplica[] {
  const lines = groupByDeployment(lock);
  const draining: DrainingReplica[] = [];
  let [known, intact] = [0, 0];
  state.ledger.addAll(ledger);
  for (const [i, deployment] of state.model.deployments.entries()) {
    const retained = deployments[i];
    if (!retained) continue;
    state.retain(deployment, lines.get(deployment.id), retained);
    for (const one of retained.draining) draining.push(one);
    known += 1;
    if (retained.intact) intact += 1;
  }
  if (known < lines.size) evictUndeclared(state, lines);
  if (intact === lines.size) state.keepLock(lock);
  return draining;
}

function evictUndeclared(state: SchedulingState, lines: ReadonlyMap<string, readonly Placement[]>): void {
  const declared = new Set(state.model.deployments.map(({ id }) => id));
  for (const [id, placements] of lines) {
    if (declared.has(id)) continue;
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

function mayCount(state: SchedulingState, deployment: CompiledDeployment, { placement }: AssignedReplica): boolean {
  const cluster = state.clusters.get(placement.cluster);
  return cluster !== undefined && !new TopologySpread(deployment, state.clustersOf(deployment)).findLimit(cluster);
}
