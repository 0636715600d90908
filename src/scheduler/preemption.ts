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
export function countPreemptable(state: SchedulingState, workload: CompiledDeployment): number {
  const former = previousRevisionsOf(state, workload);
  if (former.length === 0) return 0;
  const starting = new Set(state.evicted(workload.id).map(({ placement }) => placement));
  const before = former.filter(({ placement }) => !starting.has(placement)).length;
  return former.length - before + Math.max(0, before - state.staying(workload).length);
}

/**
 * Gives one replica that fits nowhere the place of replicas that run earlier engines of its deployment: on the
 * cluster where the fewest have to go, and of these the later ones. They are gone before it serves.
 *
 * @param most how many may go
 * @returns how many went; 0 where none of them would make room
 */
export function preempt(
  state: SchedulingState,
  workload: CompiledDeployment,
  rooms: PlacementCaches,
  most: number,
): number {
  if (most === 0 || state.missing(workload) === 0) return 0;
  const spread = new TopologySpread(workload, state.clustersOf(workload));
  const ways = [
    ...groupBy(previousRevisionsOf(state, workload), ({ placement }) => placement.cluster),
  ].flatMap(([cluster, former]) => {
    const site = state.clusters.get(cluster);
    if (!site || rejectNew(workload.demand, site) || spread.findLimit(site)) return [];
    const going = findVictims(state, workload, site, former);
    return going.length > 0 && going.length <= most ? [{ site, going }] : [];
  });
  const [way] = ways.sort((a, b) => a.going.length - b.going.length);
  const first = way?.going.at(-1);
  if (!way || !first) return 0;
  for (const placed of way.going) state.drop(placed, { kind: 'shape', gap: 'no-room' });
  rooms.feasible.reopen(way.site);
  rooms.assignments.invalidate(way.site);
  addReplica(state, workload, way.site, { rooms, spread, index: first.placement.index });
  return way.going.length;
}

function previousRevisionsOf(state: SchedulingState, workload: CompiledDeployment): AssignedReplica[] {
  return state.leaving(workload).filter(({ placement }) => placement.shape !== workload.shape);
}

/** Replicas of a cluster without which a new one has room there, none of them needlessly; none where nothing helps. */
function findVictims(
  state: SchedulingState,
  workload: CompiledDeployment,
  site: CompiledCluster,
  former: readonly AssignedReplica[],
): AssignedReplica[] {
  const { ledger, matcher } = state;
  const fits = (): boolean => fitReplica(workload.demand, site, matcher, ledger) !== undefined;
  const gone: AssignedReplica[] = [];
  for (const placed of former.toReversed()) {
    ledger.remove(placed.assignment.charges);
    gone.push(placed);
    if (fits()) break;
  }
  const needed = fits() ? gone.filter((placed) => !fitsWithRestored(state, placed, fits)) : [];
  for (const { assignment } of fits() ? needed : gone) ledger.add(assignment.charges);
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
