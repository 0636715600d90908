import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { SchedulingState } from './scheduling-state';
import { SCORING_POLICIES } from './scoring';
import { TopologySpread } from './topology-spread';

/**
 * Places the missing replicas of a deployment, one at a time: in the failure domain with the fewest of its replicas
 * if it names domains, then on the cluster with the best score of its policy, then on the first by name.
 *
 * An evicted replica goes back to its cluster if that has room, because its weights are there.
 */
export function placeMissingReplicas(state: SchedulingState, deployment: CompiledDeployment): void {
  if (state.missing(deployment) === 0) return;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  for (const { placement } of state.evicted(deployment.id)) {
    const cluster = state.clusters.get(placement.cluster);
    if (!cluster || !state.feasible.of(deployment.demand).includes(cluster) || spread.findLimit(cluster)) continue;
    addReplica(state, cluster, spread, placement.index);
  }
  while (state.missing(deployment) > 0) {
    const cluster = pickCluster(state, spread);
    if (!cluster) return;
    addReplica(state, cluster, spread);
  }
}

/**
 * Adds a replica on a cluster if one is missing and the cluster has room. Closes the cluster to the demand if it
 * has none.
 *
 * @param spread counts the replicas of the deployment
 * @param index the index to use if it is free
 */
export function addReplica(
  state: SchedulingState,
  cluster: CompiledCluster,
  spread: TopologySpread,
  index?: number,
): void {
  const { deployment } = spread;
  const { id } = deployment;
  if (state.missing(deployment) === 0) return;
  const chosen = state.assignments.choose(deployment, cluster);
  if (!chosen) {
    state.feasible.close(deployment.demand, cluster);
    return;
  }
  const { shape, demand, assignment } = chosen;
  const pools = Object.fromEntries(demand.engines.map(({ name }, e) => [name, assignment.pools[e]?.name ?? '']));
  const free = state.freeIndex(deployment, cluster, index);
  state.place({ deployment: id, cluster: cluster.name, index: free, pools, shape }, assignment);
  spread.add(cluster);
}

interface Candidate {
  readonly cluster: CompiledCluster;

  /** The replicas of the deployment in the failure domain of the cluster. */
  readonly domain: number;
  readonly score: number;
  readonly avoided: boolean;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.domain !== b.domain) return a.domain < b.domain;
  return a.score === b.score ? b.avoided && !a.avoided : a.score < b.score;
}

/** The cluster with the lowest score, of equal ones one that gateways reach. Clusters come sorted by name, so the first of equal clusters wins. */
function pickCluster({ feasible, assignments }: SchedulingState, spread: TopologySpread): CompiledCluster | undefined {
  const { demand, placement, avoids } = spread.deployment;
  const { score: scoreOf, least } = SCORING_POLICIES[placement.policy];
  let found: Candidate | undefined;
  for (const cluster of feasible.of(demand)) {
    if (spread.findLimit(cluster)) continue;
    const domain = spread.countInDomain(cluster);
    if (found && domain > found.domain) continue;
    const score = scoreOf(cluster, spread, assignments);
    const candidate = { cluster, domain, score, avoided: avoids?.has(cluster.name) === true };
    if (found && !isBefore(candidate, found)) continue;
    found = candidate;
    if (domain === 0 && score === least && !candidate.avoided) break;
  }
  return found?.cluster;
}
