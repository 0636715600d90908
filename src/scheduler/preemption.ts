import { groupBy } from '../base/order';
import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import { rejectNew } from './filters';
import { fitReplica } from './fit-replica';
import { addReplica } from './place-replicas';
import { findBackendChange, isDeclaredShape, variantsOf } from './placement';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

/**
 * Counts the replicas of earlier engines that a deployment may take down to make room for new ones: those that
 * start to leave, and as many of those that left before as have no replacement yet. Call it before any replica is
 * placed.
 */
export function countPreemptable(state: SchedulingState, deployment: CompiledDeployment): number {
  const previous = previousRevisionsOf(state, deployment);
  if (previous.length === 0) return 0;
  const starting = new Set(state.evicted(deployment.id).map(({ placement }) => placement));
  const before = previous.filter(({ placement }) => !starting.has(placement)).length;
  return previous.length - before + Math.max(0, before - state.staying(deployment).length);
}

/**
 * Replaces replicas that run earlier engines of a deployment by one new replica that fits nowhere else: on the
 * cluster that needs the fewest victims, the later ones first. They stop before the new replica serves.
 *
 * @param limit the most replicas to take down
 * @returns the number of replicas that were taken down; 0 if that makes no room
 */
export function preempt(state: SchedulingState, deployment: CompiledDeployment, limit: number): number {
  if (limit === 0 || state.missing(deployment) === 0) return 0;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const byCluster = groupBy(previousRevisionsOf(state, deployment), ({ placement }) => placement.cluster);
  const options = [...byCluster].flatMap(([name, previous]) => {
    const cluster = state.clusters.get(name);
    if (!cluster || rejectNew(deployment.demand, cluster) || spread.findLimit(cluster)) return [];
    const victims = findVictims(state, deployment, cluster, previous);
    return victims.length > 0 && victims.length <= limit ? [{ cluster, victims }] : [];
  });
  const [best] = options.sort((a, b) => a.victims.length - b.victims.length);
  const first = best?.victims.at(-1);
  if (!best || !first) return 0;
  for (const placed of best.victims) {
    const changed = findBackendChange(placed.placement, best.cluster);
    state.drop(placed, { ...(changed ? { kind: 'backend', ...changed } : { kind: 'shape' }), downtime: 'no-room' });
  }
  state.reopen(best.cluster);
  const added = addReplica(state, best.cluster, spread, first.placement.index);
  if (added) state.origins.set(added, 'preempting');
  return best.victims.length;
}

/** The replicas of a deployment that leave because they run earlier engines, or other software. */
export function previousRevisionsOf(state: SchedulingState, deployment: CompiledDeployment): AssignedReplica[] {
  return state.draining(deployment).filter(({ placement }) => {
    const cluster = state.clusters.get(placement.cluster);
    return !isDeclaredShape(deployment, placement.shape) || (cluster && findBackendChange(placement, cluster));
  });
}

/** Replicas to remove from a cluster so that a new one has room, and no more of them than it needs. Empty if that does not help. */
function findVictims(
  state: SchedulingState,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  previous: readonly AssignedReplica[],
): AssignedReplica[] {
  const { ledger, matcher } = state;
  const fits = (): boolean =>
    variantsOf(deployment).some(({ demand }) => fitReplica(demand, cluster, matcher, ledger) !== undefined);
  const removed: AssignedReplica[] = [];
  for (const placed of previous.toReversed()) {
    ledger.remove(placed.assignment.charges);
    removed.push(placed);
    if (fits()) break;
  }
  const needed = fits() ? removed.filter((placed) => !fitsWithRestored(state, placed, fits)) : [];
  for (const { assignment } of fits() ? needed : removed) ledger.add(assignment.charges);
  return needed;
}

/** Restores a replica, and keeps it if a new one still has room. */
function fitsWithRestored({ ledger }: SchedulingState, { assignment }: AssignedReplica, fits: () => boolean): boolean {
  ledger.add(assignment.charges);
  if (fits()) return true;
  ledger.remove(assignment.charges);
  return false;
}
