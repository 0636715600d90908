import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';
import { SCORING_POLICIES } from './scoring';
import { TopologySpread } from './topology-spread';

/**
 * Places the missing replicas of a deployment, one at a time: in the failure domain with the fewest of its replicas
 * if it names domains, then on the cluster with the best score of its policy. Ties of `Spread` go to the cluster with
 * the most free room for the deployment, all others to the first in natural order of names.
 *
 * An evicted replica goes back to its cluster if that has room, because its weights are there.
 */
export function placeMissingReplicas(state: SchedulingState, deployment: CompiledDeployment): void {
  if (state.missing(deployment) === 0) return;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  for (const { placement } of state.evicted(deployment.id)) {
    const cluster = state.clusters.get(placement.cluster);
    if (!cluster || !state.feasible.of(deployment.demand).has(cluster) || spread.findLimit(cluster)) continue;
    const added = placeNew(state, cluster, spread, placement.index);
    if (added) state.origins.set(added, 'returned');
  }
  const { policy, domainKey } = deployment.placement;
  if (policy === 'Spread' && domainKey === undefined) {
    if (spreadsByRoom(state.filledInOrder, deployment)) fillUnusedClusters(state, spread);
    else fillUnusedInOrder(state, spread);
  }
  while (state.missing(deployment) > 0) {
    const cluster = pickCluster(state, spread);
    if (!cluster) return;
    placeNew(state, cluster, spread);
  }
}

/**
 * Adds one replica to each cluster without one of the deployment: those that gateways reach first, the one with the
 * most free room before others. It does what `pickCluster` does, without a look at every cluster for every replica.
 */
function fillUnusedClusters(state: SchedulingState, spread: TopologySpread): void {
  const { deployment } = spread;
  for (const ranking of state.freeRoom.rankings(deployment.demand, deployment.avoids)) {
    const taken = [];
    while (state.missing(deployment) > 0) {
      const next = ranking.take();
      if (!next) break;
      const unused = spread.countOnCluster(next.cluster) === 0 && !spread.findLimit(next.cluster);
      // A cluster without room for a replica has none for the next either.
      if (!unused || placeNew(state, next.cluster, spread)) taken.push(next);
    }
    ranking.restore(taken);
  }
}

/** Like `fillUnusedClusters`, in the order of the clusters' names. */
function fillUnusedInOrder(state: SchedulingState, spread: TopologySpread): void {
  const { deployment } = spread;
  const { demand, avoids = new Set() } = deployment;
  for (const avoided of avoids.size > 0 ? [false, true] : [false]) {
    // Clusters without room leave the set while it is visited.
    for (const cluster of state.feasible.of(demand)) {
      if (state.missing(deployment) === 0) return;
      if (avoids.has(cluster.name) !== avoided) continue;
      if (spread.countOnCluster(cluster) === 0 && !spread.findLimit(cluster)) placeNew(state, cluster, spread);
    }
  }
}

/** Whether ties between clusters go to the one with the most free room for a deployment, not to the first by name. */
export function spreadsByRoom(
  filledInOrder: ReadonlySet<ReplicaDemand>,
  { demand, variants, placement: { policy } }: CompiledDeployment,
): boolean {
  return SCORING_POLICIES[policy].ties === 'room' && variants === undefined && !filledInOrder.has(demand);
}

/** Adds a replica like `addReplica`. A search may give it another place. */
function placeNew(...replica: Parameters<typeof addReplica>): AssignedReplica | undefined {
  const [state] = replica;
  const added = addReplica(...replica);
  // A search moves replicas between places of one layout.
  if (added && replica[2].deployment.variants === undefined) state.added.add(added);
  return added;
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
): AssignedReplica | undefined {
  const { deployment } = spread;
  if (state.missing(deployment) === 0) return undefined;
  const chosen = state.assignments.choose(deployment, cluster);
  if (!chosen) {
    state.feasible.close(deployment.demand, cluster);
    return undefined;
  }
  spread.add(cluster);
  return state.add({ id: deployment.id, shape: chosen.shape }, cluster, chosen.assignment, index);
}

interface Candidate {
  readonly cluster: CompiledCluster;
  /** The replicas of the deployment in the failure domain of the cluster. */
  readonly domain: number;
  readonly score: number;
  readonly avoided: boolean;
}

/**
 * The cluster with the lowest score, of equal ones one that gateways reach, then one with the most free room where
 * the policy asks for that. Clusters come in natural order of names, so the first of equal ones wins.
 */
function pickCluster(state: SchedulingState, spread: TopologySpread): CompiledCluster | undefined {
  const { demand, placement } = spread.deployment;
  const { least } = SCORING_POLICIES[placement.policy];
  const byRoom = spreadsByRoom(state.filledInOrder, spread.deployment);
  const roomOf = ({ cluster }: Candidate): number => (byRoom ? state.freeRoom.of(demand, cluster) : 0);
  let found: Candidate | undefined;
  for (const cluster of state.feasible.of(demand)) {
    if (spread.findLimit(cluster)) continue;
    const domain = spread.countInDomain(cluster);
    if (found && domain > found.domain) continue;
    const candidate = judge(cluster, domain, state, spread);
    const order = found ? compareCandidates(candidate, found) : -1;
    if (order > 0 || (order === 0 && found && roomOf(candidate) <= roomOf(found))) continue;
    found = candidate;
    if (!byRoom && domain === 0 && candidate.score === least && !candidate.avoided) break;
  }
  return found?.cluster;
}

function judge(
  cluster: CompiledCluster,
  domain: number,
  { assignments }: SchedulingState,
  spread: TopologySpread,
): Candidate {
  const { placement, avoids } = spread.deployment;
  const score = SCORING_POLICIES[placement.policy].score(cluster, spread, assignments);
  return { cluster, domain, score, avoided: avoids?.has(cluster.name) === true };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.domain !== b.domain) return a.domain - b.domain;
  // Two unknown prices are infinite, and equal.
  if (a.score !== b.score) return a.score - b.score;
  return Number(a.avoided) - Number(b.avoided);
}
