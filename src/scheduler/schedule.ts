import { compareText } from '../base/order';
import type { CompiledDeployment, CompiledFleet } from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import { AssignmentCache, FeasibleClusters } from './feasible-clusters';
import { placeMissingReplicas } from './place-replicas';
import { countPreemptable, preempt } from './preemption';
import { RejectionFinder } from './rejections';
import { retainPlacements } from './retain-placements';
import type { Placement, Schedule, Shortfall } from './schedule-result';
import { SchedulingState } from './scheduling-state';

/**
 * Chooses a cluster, and a pool for each engine, for every replica of the fleet.
 *
 * Pure, and independent of the order of its inputs. What was placed before stays where it is while it holds, so
 * growing a fleet moves nothing, and scheduling a schedule again changes nothing. Where engines changed shape, the
 * replacement is placed beside the old replica if both have room, else in its place. A replica that fits nowhere is
 * a result with its reasons, never an exception.
 *
 * @param previous the placements of the lock; none for a first plan
 * @param matcher remembers how pods fit on nodes; share one to ask again later at no cost
 */
export function schedule(
  model: CompiledFleet,
  previous: readonly Placement[] = [],
  matcher = new PodMatcher(),
): Schedule {
  const state = new SchedulingState(model, matcher);
  const lacking = retainAndListMissing(state, previous);
  placeAll(state, lacking);
  return {
    placements: state.placements(),
    evictions: state.evictions(),
    shortfalls: listShortfalls(state, lacking),
  };
}

/** The same decision without the reasons of what has no place, which take longer to find than a place. */
export function scheduleState(
  model: CompiledFleet,
  previous: readonly Placement[],
  matcher: PodMatcher,
): SchedulingState {
  const state = new SchedulingState(model, matcher);
  placeAll(state, retainAndListMissing(state, previous));
  return state;
}

/** Keeps what holds; the deployments that lack replicas then. Nothing that follows takes one away that counts. */
function retainAndListMissing(
  state: SchedulingState,
  previous: readonly Placement[],
): readonly CompiledDeployment[] {
  retainPlacements(state, previous);
  return state.model.deployments.filter((workload) => state.missing(workload) > 0);
}

/** Fills every deployment in turn, and from the first again when replicas gave way: what they left is for all. */
function placeAll(state: SchedulingState, lacking: readonly CompiledDeployment[]): void {
  const { clusters: sites } = state.model;
  const rooms = {
    feasible: new FeasibleClusters(sites),
    assignments: new AssignmentCache(state.matcher, state.ledger),
  };
  const left = new Map(lacking.map((workload) => [workload, countPreemptable(state, workload)]));
  for (let w = 0; w < lacking.length; w++) {
    const workload = lacking[w];
    if (!workload) return;
    placeMissingReplicas(state, workload, rooms);
    const most = left.get(workload) ?? 0;
    const gone = preempt(state, workload, rooms, most);
    left.set(workload, most - gone);
    if (gone > 0) w = -1;
  }
}

function listShortfalls(state: SchedulingState, lacking: readonly CompiledDeployment[]): Shortfall[] {
  const rejections = new RejectionFinder(state.model.clusters, state.matcher, state.ledger);
  return lacking
    .filter((workload) => state.missing(workload) > 0)
    .map((workload) => ({
      deployment: workload.id,
      missing: state.missing(workload),
      ...rejections.of(workload, state.clustersOf(workload)),
    }))
    .sort((a, b) => compareText(a.deployment, b.deployment));
}
