import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { AssignmentCache, FeasibleClusters } from './feasible-clusters';
import type { SchedulingState } from './scheduling-state';
import { SCORING_POLICIES, type ScoringContext } from './scoring';
import { TopologySpread } from './topology-spread';

/** The caches that all deployments of a scheduling run share. */
export interface PlacementCaches {
  readonly feasible: FeasibleClusters;
  readonly assignments: AssignmentCache;
}

/**
 * Places the missing replicas of a deployment, one at a time: in the failure domain with the fewest of its replicas
 * if it names domains, then on the cluster with the best score of its policy, then on the first by name.
 *
 * An evicted replica goes back to its cluster if that has room, because its weights are there.
 */
export function placeMissingReplicas(
  state: SchedulingState,
  deployment: CompiledDeployment,
  caches: PlacementCaches,
): void {
  if (state.missing(deployment) === 0) return;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  for (const { placement } of state.evicted(deployment.id)) {
    const cluster = state.clusters.get(placement.cluster);
    if (!cluster || !caches.feasible.of(deployment.demand).includes(cluster) || spread.findLimit(cluster)) continue;
    addReplica(state, deployment, cluster, { caches, spread, index: placement.index });
  }
  const context = {
    deployment,
    spread,
    assignment: (cluster: CompiledCluster) => caches.assignments.of(deployment.demand, cluster),
    fullness: (cluster: CompiledCluster) => caches.assignments.fullness(cluster),
  };
  while (state.missing(deployment) > 0) {
    const cluster = pickCluster(caches.feasible.of(deployment.demand), context);
    if (!cluster) return;
    addReplica(state, deployment, cluster, { caches, spread });
  }
}

/** What `addReplica` needs in addition to the state. */
interface AddOptions {
  readonly caches: PlacementCaches;
  readonly spread: TopologySpread;
  /** The index to use if it is free. */
  readonly index?: number;
}

/**
 * Adds a replica on a cluster if one is missing and the cluster has room. Closes the cluster to the demand if it
 * has none.
 */
export function addReplica(
  state: SchedulingState,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  { caches, spread, index }: AddOptions,
): void {
  if (state.missing(deployment) === 0) return;
  const assignment = caches.assignments.of(deployment.demand, cluster);
  if (!assignment) {
    caches.feasible.close(deployment.demand, cluster);
    return;
  }
  const { engines } = deployment.demand;
  const pools = Object.fromEntries(engines.map(({ name }, e) => [name, assignment.pools[e]?.name ?? '']));
  const free = state.freeIndex(deployment, cluster, index);
  state.place(
    { deployment: deployment.id, cluster: cluster.name, index: free, pools, shape: deployment.shape },
    assignment,
  );
  caches.assignments.invalidate(cluster);
  spread.add(cluster);
}

/** The cluster with the lowest score. Clusters come sorted by name, so the first of equal clusters wins. */
function pickCluster(clusters: readonly CompiledCluster[], context: ScoringContext): CompiledCluster | undefined {
  const { score: scoreOf, least } = SCORING_POLICIES[context.deployment.placement.policy];
  let found: { cluster: CompiledCluster; domain: number; score: number } | undefined;
  for (const cluster of clusters) {
    if (context.spread.findLimit(cluster)) continue;
    const domain = context.spread.countInDomain(cluster);
    if (found && domain > found.domain) continue;
    const score = scoreOf(cluster, context);
    if (found && domain === found.domain && score >= found.score) continue;
    found = { cluster, domain, score };
    if (domain === 0 && score === least) break;
  }
  return found?.cluster;
}
