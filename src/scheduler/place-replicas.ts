import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';
import { ROOM_OF_REPLICA } from './free-room';
import { SCORING_POLICIES } from './scoring';
import { TopologySpread } from './topology-spread';

/**
 * Places the missing replicas of a deployment, one at a time: on clusters that gateways reach if it has a service, in
 * the failure domain with the fewest of its replicas if it names domains, then on the cluster with the best score of
 * its policy. Ties of `Spread` go to the cluster with the most free room for the deployment, all others to the first in
 * natural order of names.
 *
 * An evicted replica goes back to its cluster if that has room, because its weights are there.
 */
export function placeMissingReplicas(state: SchedulingState, deployment: CompiledDeployment): void {
  if (state.missing(deployment) === 0) return;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  for (const { placement } of state.evicted(deployment.id)) {
    const cluster = state.clusters.get(placement.cluster);
    if (!cluster || !state.feasible.of(deployment).has(cluster) || spread.findLimit(cluster)) continue;
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
 * Adds one replica to each cluster without one of the deployment, of those that gateways reach: the one with the most
 * free room before others. It does what `pickCluster` does, without a look at every cluster for every replica.
 */
function fillUnusedClusters(state: SchedulingState, spread: TopologySpread): void {
  const { deployment } = spread;
  const ranking = state.freeRoom.rank(deployment.demand, deployment.avoids);
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

/** Like `fillUnusedClusters`, in the order of the clusters' names. */
function fillUnusedInOrder(state: SchedulingState, spread: TopologySpread): void {
  const { deployment } = spread;
  // Clusters without room leave the set while it is visited.
  for (const cluster of state.feasible.of(deployment)) {
    if (state.missing(deployment) === 0) return;
    if (deployment.avoids?.has(cluster.name)) continue;
    if (spread.countOnCluster(cluster) === 0 && !spread.findLimit(cluster)) placeNew(state, cluster, spread);
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
  if (added) state.added.add(added);
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
    state.feasible.close(deployment, cluster);
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
 * The cluster with the lowest score, of those that gateways reach if one of them has room. Of equal ones it is the one
 * with the most free room where the policy asks for that. Clusters come in natural order of names, so the first of
 * equal ones wins.
 */
function pickCluster(state: SchedulingState, spread: TopologySpread): CompiledCluster | undefined {
  const { demand, placement } = spread.deployment;
  const { least } = SCORING_POLICIES[placement.policy];
  const byRoom = spreadsByRoom(state.filledInOrder, spread.deployment);
  const roomOf = ({ cluster }: Candidate): number => (byRoom ? state.freeRoom.of(demand, cluster) : 0);
  let found: Candidate | undefined;
  for (const cluster of state.feasible.of(spread.deployment)) {
    if (spread.findLimit(cluster)) continue;
    const domain = spread.countInDomain(cluster);
    if (found && domain > found.domain && !found.avoided) continue;
    const candidate = judge(cluster, domain, state, spread);
    const order = found ? compareCandidates(candidate, found) : -1;
    if (order > 0 || (order === 0 && found && roomOf(candidate) <= roomOf(found))) continue;
    found = candidate;
    if (!byRoom && isBest(candidate, least)) break;
  }
  return found?.cluster;
}

/** Whether no cluster can come before a candidate, whatever it has. */
function isBest({ domain, score, avoided }: Candidate, least: number): boolean {
  return domain === 0 && score === least && !avoided;
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

/** What decides between clusters with room, in this order. The least wins. */
const STEPS = [
  ['gateway', ({ avoided }: Candidate) => Number(avoided)],
  ['domain', ({ domain }: Candidate) => domain],
  ['score', ({ score }: Candidate) => score],
] as const;

function compareCandidates(a: Candidate, b: Candidate): number {
  // Two unknown prices are infinite, and equal.
  const step = STEPS.find(([, of]) => of(a) !== of(b));
  return step ? step[1](a) - step[1](b) : 0;
}

/** Why a cluster is chosen and not another one that has room as well. */
export interface ChosenCluster {
  readonly cluster: string;

  /**
   * What decides: whether a gateway reaches the cluster, the replicas in the failure domain, the score of the policy,
   * free devices, or the name.
   */
  readonly by: 'gateway' | 'domain' | 'score' | 'room' | 'name';

  /** The replicas of the deployment that each of the two has without the one in question. */
  readonly replicas: { readonly chosen: number; readonly other: number };

  /** For how many replicas the free devices of each are enough, whether guaranteed or not. */
  readonly room: { readonly chosen: number; readonly other: number };
}

/**
 * Finds what decides between two clusters with room for a replica. Undefined where the other one comes first: then a
 * search or the lock decided.
 */
export function findDecidingStep(
  state: SchedulingState,
  spread: TopologySpread,
  [chosen, other]: readonly [CompiledCluster, CompiledCluster],
): ChosenCluster | undefined {
  const { deployment } = spread;
  const [first, second] = [chosen, other].map((one) => judge(one, spread.countInDomain(one), state, spread));
  if (!first || !second) return undefined;
  const room = {
    chosen: state.freeRoom.of(deployment.demand, chosen) / ROOM_OF_REPLICA,
    other: state.freeRoom.of(deployment.demand, other) / ROOM_OF_REPLICA,
  };
  const replicas = { chosen: spread.countOnCluster(chosen), other: spread.countOnCluster(other) };
  const found = { cluster: chosen.name, replicas, room };
  const step = STEPS.find(([, of]) => of(first) !== of(second));
  if (step) return compareCandidates(first, second) < 0 ? { ...found, by: step[0] } : undefined;
  const isByRoom = spreadsByRoom(state.filledInOrder, deployment) && room.chosen !== room.other;
  if (isByRoom) return room.chosen > room.other ? { ...found, by: 'room' } : undefined;
  const names = [...state.clusters.keys()];
  return names.indexOf(chosen.name) < names.indexOf(other.name) ? { ...found, by: 'name' } : undefined;
}
