import { groupBy } from '../base/order';
import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import { rejectNew } from './filters';
import { fitReplica } from './fit-replica';
import { addReplica, type PlacementCaches } from './place-replicas';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

/**
 * How many replicas of earlier engines a deployment may take down to make room for new ones: those that start to
 * leave, and of those that left before as many as have no replacement yet. To be asked before anything is filled.
 */
export function countPreemptable(state: SchedulingState, deployment: CompiledDeployment): number {
  const previous = previousRevisionsOf(state, deployment);
  if (previous.length === 0) return 0;
  const starting = new Set(state.evicted(deployment.id).map(({ placement }) => placement));
  const before = previous.filter(({ placement }) => !starting.has(placement)).length;
  return previous.length - before + Math.max(0, before - state.staying(deployment).length);
}

/**
 * Gives one replica that fits nowhere the place of replicas that run earlier engines of its deployment: on the
 * cluster where the fewest have to go, and of these the later ones. They are gone before it serves.
 *
 * @param limit how many may go
 * @returns how many went; 0 where none of them would make room
 */
export function preempt(
  state: SchedulingState,
  deployment: CompiledDeployment,
  caches: PlacementCaches,
  limit: number,
): number {
  if (limit === 0 || state.missing(deployment) === 0) return 0;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const options = [
    ...groupBy(previousRevisionsOf(state, deployment), ({ placement }) => placement.cluster),
  ].flatMap(([name, previous]) => {
    const cluster = state.clusters.get(name);
    if (!cluster || rejectNew(deployment.demand, cluster) || spread.findLimit(cluster)) return [];
    const victims = findVictims(state, deployment, cluster, previous);
    return victims.length > 0 && victims.length <= limit ? [{ cluster, victims }] : [];
  });
  const [best] = options.sort((a, b) => a.victims.length - b.victims.length);
  const first = best?.victims.at(-1);
  if (!best || !first) return 0;
  for (const placed of best.victims) state.drop(placed, { kind: 'shape', gap: 'no-room' });
  caches.feasible.reopen(best.cluster);
  caches.assignments.invalidate(best.cluster);
  addReplica(state, deployment, best.cluster, { caches, spread, index: first.placement.index });
  return best.victims.length;
}

function previousRevisionsOf(state: SchedulingState, deployment: CompiledDeployment): AssignedReplica[] {
  return state.leaving(deployment).filter(({ placement }) => placement.shape !== deployment.shape);
}

/** Replicas of a cluster without which a new one has room there, none of them needlessly; none where nothing helps. */
function findVictims(
  state: SchedulingState,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  previous: readonly AssignedReplica[],
): AssignedReplica[] {
  const { ledger, matcher } = state;
  const fits = (): boolean => fitReplica(deployment.demand, cluster, matcher, ledger) !== undefined;
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

/** Puts a replica back, and leaves it there if a new one still has room. */
function fitsWithRestored(
  { ledger }: SchedulingState,
  { assignment }: AssignedReplica,
  fits: () => boolean,
): boolean {
  ledger.add(assignment.charges);
  if (fits()) return true;
  ledger.remove(assignment.charges);
  return false;
}
