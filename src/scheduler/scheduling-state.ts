import { groupBy } from '../base/order';
import {
  type CompiledCluster,
  type CompiledDeployment,
  type CompiledFleet,
  indexDeployments,
  type ReplicaDemand,
} from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import { compareByPriority } from './deployment-order';
import { AssignmentCache, FeasibleClusters } from './feasible-clusters';
import type { Assignment } from './fit-replica';
import { FreeRoom } from './free-room';
import { MovableReplicas } from './joint/movable-replicas';
import { Ledger } from './ledger';
import { comparePlacements, joinPlacements, type Placement, sortByIdentity } from './placement';
import { type RetainedLock, retainedOf } from './retained-lock';
import type { AssignedReplica, DeploymentReplicas } from './retained-replicas';
import type { Eviction, EvictionReason, PlacementOrigin, SurgeWithoutRoom } from './schedule-result';

/** The replicas of a deployment once one was placed or removed: lists that this state alone has. */
interface ChangedReplicas extends DeploymentReplicas {
  readonly staying: AssignedReplica[];
  readonly draining: AssignedReplica[];
}

const NO_REPLICAS: DeploymentReplicas = { staying: [], draining: [] };

/** The decisions of one scheduling run so far. */
export class SchedulingState {
  readonly ledger = new Ledger();
  readonly clusters: ReadonlyMap<string, CompiledCluster>;
  readonly deployments: ReadonlyMap<string, CompiledDeployment>;
  readonly feasible: FeasibleClusters;
  readonly assignments: AssignmentCache;
  readonly freeRoom: FreeRoom;
  /** The replicas that this run placed, and that may still get another place. */
  readonly added = new MovableReplicas();
  /** The new replicas whose place the policy of their deployment did not choose. Some may have been removed since. */
  readonly origins = new Map<AssignedReplica, PlacementOrigin>();
  /** The deployments for which a search for places ended at its limit of steps. */
  readonly limited = new Set<CompiledDeployment>();
  /** The deployments for which a search for moves of locked replicas ended at its limit of steps. */
  readonly limitedMoves = new Set<CompiledDeployment>();
  /** The number of missing replicas that get a place when draining ones are gone, by deployment. */
  readonly waiting = new Map<string, number>();
  /** The replicas of the lock without room for their surge. */
  withoutSurge: readonly SurgeWithoutRoom[] = [];
  /** By deployment, then by cluster and index. */
  readonly #evictions = new Map<string, Map<string, Eviction>>();
  readonly #removed = new WeakSet<AssignedReplica>();
  readonly #changed = new Map<string, ChangedReplicas>();
  #retained: RetainedLock | undefined;
  #unsettled: readonly CompiledDeployment[] | undefined;
  #lock: readonly Placement[] | undefined;
  #drainingByCluster: ReadonlyMap<string, readonly AssignedReplica[]> | undefined;

  constructor(
    readonly model: CompiledFleet,
    readonly matcher = new PodMatcher(),
    /** Demands that fill clusters in the order of their names, whatever room these have. */
    readonly filledInOrder: ReadonlySet<ReplicaDemand> = new Set(),
  ) {
    this.clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
    this.deployments = indexDeployments(model.deployments);
    this.feasible = new FeasibleClusters(model.clusters, matcher);
    this.assignments = new AssignmentCache(matcher, this.ledger);
    this.freeRoom = new FreeRoom(this.feasible, matcher, this.ledger);
  }

  /** The replicas of a deployment that count, without those that are draining. */
  staying(deployment: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(deployment.id).staying;
  }

  draining(deployment: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(deployment.id).draining;
  }

  /** The replicas of all deployments that are draining a cluster. */
  drainingOn({ name }: CompiledCluster): readonly AssignedReplica[] {
    this.#drainingByCluster ??= groupBy(
      this.model.deployments.flatMap(({ id }) => this.#of(id).draining),
      ({ placement }) => placement.cluster,
    );
    return this.#drainingByCluster.get(name) ?? [];
  }

  /** The clusters of the replicas that count, one entry for each replica. */
  clustersOf(deployment: CompiledDeployment): CompiledCluster[] {
    const clusters: CompiledCluster[] = [];
    for (const { placement } of this.staying(deployment)) {
      const cluster = this.clusters.get(placement.cluster);
      if (cluster) clusters.push(cluster);
    }
    return clusters;
  }

  /** The number of replicas that a deployment lacks; 0 if it is paused. */
  missing(deployment: CompiledDeployment): number {
    return deployment.paused ? 0 : Math.max(0, deployment.replicas - this.staying(deployment).length);
  }

  /** Keeps the valid placements of a lock, and evicts the others. Call it before any replica is placed. */
  retain(retained: RetainedLock): void {
    this.ledger.addAll(retained.ledger);
    this.#retained = retained;
    this.#unsettled = undefined;
    for (const id of retained.unsettled) {
      for (const { placement, reason } of retainedOf(retained, id)?.evictions ?? []) this.evict(placement, reason);
    }
  }

  /**
   * The deployments that may have other replicas than they want, or other ones than the lock, in the order of the fleet.
   * Most deployments of a large fleet are none of them.
   */
  unsettled(): readonly CompiledDeployment[] {
    if (!this.#retained) return this.model.deployments;
    if (this.#unsettled) return this.#unsettled;
    const ids = new Set([...this.#retained.unsettled, ...this.#changed.keys()]);
    const deployments = [...ids].flatMap((id) => this.deployments.get(id) ?? []);
    return (this.#unsettled = deployments.sort(compareByPriority));
  }

  /** Records that the state equals the placements of a lock, so that `placements` returns the same list. */
  keepLock(lock: readonly Placement[]): void {
    this.#lock = lock;
  }

  place(placement: Placement, assignment: Assignment): AssignedReplica {
    const placed = { placement, assignment };
    this.ledger.add(assignment.charges);
    this.#list(placement).push(placed);
    return placed;
  }

  /**
   * Places a new replica.
   *
   * @param index the index to use if it is free
   */
  add(
    deployment: Pick<CompiledDeployment, 'id' | 'shape'>,
    cluster: CompiledCluster,
    assignment: Assignment,
    index?: number,
  ): AssignedReplica {
    const { id, shape } = deployment;
    const { poolNames: pools } = assignment;
    const free = this.freeIndex(deployment, cluster, index);
    const backend = cluster.backend && { backend: cluster.backend.type };
    return this.place({ deployment: id, cluster: cluster.name, index: free, pools, shape, ...backend }, assignment);
  }

  /** Removes a replica without an eviction, as if it had never been placed. */
  remove(placed: AssignedReplica): void {
    this.ledger.remove(placed.assignment.charges);
    this.#removed.add(placed);
    const list = this.#list(placed.placement);
    list.splice(list.indexOf(placed), 1);
  }

  /** Makes a cluster a candidate again after a replica was removed from it. */
  reopen(cluster: CompiledCluster): void {
    this.feasible.reopen(cluster);
    this.freeRoom.clear();
  }

  drop(placed: AssignedReplica, reason: EvictionReason): void {
    this.remove(placed);
    this.evict(placed.placement, reason);
  }

  /** Lets a replica serve until its replacement does, and not count any more. */
  leave(placed: AssignedReplica, reason: EvictionReason): void {
    const { placement, assignment } = placed;
    this.remove(placed);
    this.place({ ...placement, draining: true }, assignment);
    this.evict(placement, reason);
  }

  /** Records that missing replicas get a place when replicas that drain are gone. */
  awaits({ id }: CompiledDeployment, replicas = 1): void {
    this.waiting.set(id, (this.waiting.get(id) ?? 0) + replicas);
  }

  /**
   * Drops many replicas. Each has left the ledger before the next is taken from `drops`, and all leave the lists of
   * replicas at the end.
   */
  dropAll(drops: Iterable<{ readonly placed: AssignedReplica; readonly reason: EvictionReason }>): void {
    const deployments = new Set<string>();
    for (const { placed, reason } of drops) {
      this.ledger.remove(placed.assignment.charges);
      this.#removed.add(placed);
      this.#list(placed.placement);
      this.evict(placed.placement, reason);
      deployments.add(placed.placement.deployment);
    }
    for (const id of deployments) {
      const { staying, draining } = this.#of(id);
      const isPlaced = (one: AssignedReplica): boolean => this.isPlaced(one);
      this.#change(id, { staying: staying.filter(isPlaced), draining: draining.filter(isPlaced) });
    }
  }

  /** Whether a replica that was placed has not been removed since. */
  isPlaced(placed: AssignedReplica): boolean {
    return !this.#removed.has(placed);
  }

  #of(deployment: string): DeploymentReplicas {
    const kept = this.#changed.get(deployment) ?? (this.#retained && retainedOf(this.#retained, deployment));
    return kept ?? NO_REPLICAS;
  }

  /** The list that holds a replica. Callers change it, so everything that is cached about it is dropped. */
  #list({ deployment, cluster, draining }: Placement): AssignedReplica[] {
    let replicas = this.#changed.get(deployment);
    if (!replicas) {
      const { staying, draining: leaving } = this.#of(deployment);
      this.#change(deployment, (replicas = { staying: [...staying], draining: [...leaving] }));
    }
    this.#lock = undefined;
    this.#drainingByCluster = undefined;
    this.assignments.invalidate(cluster);
    return draining ? replicas.draining : replicas.staying;
  }

  #change(deployment: string, replicas: ChangedReplicas): void {
    this.#changed.set(deployment, replicas);
    if (!this.#retained?.unsettled.has(deployment)) this.#unsettled = undefined;
    this.#drainingByCluster = undefined;
  }

  /** Records why a previous placement does not stay. It replaces an earlier reason for the same placement. */
  evict(placement: Placement, reason: EvictionReason): void {
    const { deployment, cluster, index } = placement;
    const evictions = this.#evictions.get(deployment) ?? new Map<string, Eviction>();
    this.#evictions.set(deployment, evictions);
    const key = `${cluster}/${index}`;
    // The latest is the last.
    evictions.delete(key);
    evictions.set(key, { placement, reason });
  }

  evicted(deployment: string): readonly Eviction[] {
    return [...(this.#evictions.get(deployment)?.values() ?? [])];
  }

  /** All previous placements that do not stay, sorted. */
  evictions(): Eviction[] {
    const all = [...this.#evictions.values()].flatMap((evictions) => [...evictions.values()]);
    return all.sort((a, b) => comparePlacements(a.placement, b.placement));
  }

  /**
   * Returns `wanted` if it is free on a cluster, else the lowest index that no replica of the deployment has there.
   * The index of a replica that was scaled down in the same run is not reused, because a plan would show its
   * removal and the addition as one replica.
   */
  freeIndex({ id }: Pick<CompiledDeployment, 'id'>, { name }: CompiledCluster, wanted = 0): number {
    const taken = new Set<number>();
    const { staying, draining } = this.#of(id);
    for (const { placement } of staying) if (placement.cluster === name) taken.add(placement.index);
    for (const { placement } of draining) if (placement.cluster === name) taken.add(placement.index);
    for (const { placement, reason } of this.#evictions.get(id)?.values() ?? []) {
      if (reason.kind === 'scaled-down' && placement.cluster === name) taken.add(placement.index);
    }
    if (!taken.has(wanted)) return wanted;
    let index = 0;
    while (taken.has(index)) index++;
    return index;
  }

  /** All placements, sorted. */
  placements(): readonly Placement[] {
    return this.#lock ?? joinPlacements(this.model.deployments.map(({ id }) => [id, sortReplicas(this.#of(id))]));
  }
}

function sortReplicas({ staying, draining, lines }: DeploymentReplicas): readonly Placement[] {
  if (lines) return lines;
  return sortByIdentity(
    [...staying, ...draining].map(({ placement }) => placement),
    (placement) => placement,
  );
}
