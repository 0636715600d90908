import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { AssignmentCache, FeasibleClusters } from './feasible-clusters';
import type { SchedulingState } from './scheduling-state';
import { SCORING_POLICIES, type ScoringContext } from './scoring';
import { TopologySpread } from './topology-spread';

/** What filling needs beside the state. Shared by all deployments of a run. */
export interface PlacementCaches {
  readonly feasible: FeasibleClusters;
  readonly assignments: AssignmentCache;
}

/**
 * Gives a place to each replica that lacks one, one at a time: on the cluster that the deployment's policy likes
 * best, in the failure domain with the fewest of its replicas where it names domains; the first by name among
 * equals.
 *
 * A replica that was evicted goes back to its cluster where that still has room: its weights are there.
 */
export function placeMissingReplicas(
  state: SchedulingState,
  workload: CompiledDeployment,
  rooms: PlacementCaches,
): void {
  if (state.missing(workload) === 0) return;
  const spread = new TopologySpread(workload, state.clustersOf(workload));
  for (const { placement } of state.evicted(workload.id)) {
    const site = state.clusters.get(placement.cluster);
    if (!site || !rooms.feasible.of(workload.demand).includes(site) || spread.findLimit(site)) continue;
    addReplica(state, workload, site, { rooms, spread, index: placement.index });
  }
  const view = {
    workload,
    spread,
    assignment: (site: CompiledCluster) => rooms.assignments.of(workload.demand, site),
    fullness: (site: CompiledCluster) => rooms.assignments.fullness(site),
  };
  while (state.missing(workload) > 0) {
    const site = pickCluster(rooms.feasible.of(workload.demand), view);
    if (!site) return;
    addReplica(state, workload, site, { rooms, spread });
  }
}

/** What adding a replica needs beside the state. */
export interface AddOptions {
  readonly rooms: PlacementCaches;
  readonly spread: TopologySpread;
  /** The index that it gets where that is free. */
  readonly index?: number;
}

/** Adds a replica on a cluster if one is missing and the cluster has room; closes the cluster otherwise. */
export function addReplica(
  state: SchedulingState,
  workload: CompiledDeployment,
  site: CompiledCluster,
  { rooms, spread, index }: AddOptions,
): void {
  if (state.missing(workload) === 0) return;
  const assignment = rooms.assignments.of(workload.demand, site);
  if (!assignment) {
    rooms.feasible.close(workload.demand, site);
    return;
  }
  const { engines } = workload.demand;
  const pools = Object.fromEntries(engines.map(({ name }, e) => [name, assignment.pools[e]?.name ?? '']));
  const free = state.freeIndex(workload, site, index);
  state.place(
    { deployment: workload.id, cluster: site.name, index: free, pools, shape: workload.shape },
    assignment,
  );
  rooms.assignments.invalidate(site);
  spread.add(site);
}

/** The cluster with the lowest score; sites come sorted by name, so the first wins among equals. */
function pickCluster(sites: readonly CompiledCluster[], view: ScoringContext): CompiledCluster | undefined {
  const { score: scoreOf, least } = SCORING_POLICIES[view.workload.placement.policy];
  let found: { site: CompiledCluster; domain: number; score: number } | undefined;
  for (const site of sites) {
    if (view.spread.findLimit(site)) continue;
    const domain = view.spread.countInDomain(site);
    if (found && domain > found.domain) continue;
    const score = scoreOf(site, view);
    if (found && domain === found.domain && score >= found.score) continue;
    found = { site, domain, score };
    if (domain === 0 && score === least) break;
  }
  return found?.site;
}
