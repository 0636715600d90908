import type { CompiledCluster, CompiledDeployment, CompiledFleet } from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import { AssignmentCache, FeasibleClusters } from './feasible-clusters';
import type { Assignment } from './fit-replica';
import { Ledger } from './ledger';
import { comparePlacements, joinPlacements, type Placement, sortByIdentity } from './placement';
import type { AssignedReplica, RetainedPlacements } from './retained-replicas';
import type { Eviction, EvictionReason } from './schedule-result';

interface DeploymentReplicas {
  readonly staying: AssignedReplica[];
  readonly draining: AssignedReplica[];
  /** The sorted placements, if they are known. */
  lines: readonly Placement[] | undefined;
}

const NO_REPLICAS: DeploymentReplicas = { staying: [], draining: [], lines: undefined };

/** The decisions of one scheduling run so far. */
export class SchedulingState {
  readonly ledger = new Ledger();
  readonly clusters: ReadonlyMap<string, CompiledCluster>;
  readonly feasible: FeasibleClusters;
  readonly assignments: AssignmentCache;
  /** By deployment, then by cluster and index. */
  readonly #evictions = new Map<string, Map<string, Eviction>>();
  readonly #removed = new WeakSet<AssignedReplica>();
  readonly #replicas = new Map<string, DeploymentReplicas>();
  #lock: readonly Placement[] | undefined;

  constructor(
    readonly model: CompiledFleet,
    readonly matcher = new PodMatcher(),
  ) {
    this.clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
    this.feasible = new FeasibleClusters(model.clusters);
    this.assignments = new AssignmentCache(matcher, this.ledger);
  }

  /** The replicas of a deployment that count, without those that are draining. */
  staying(deployment: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(deployment.id).staying;
  }

  draining(deployment: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(deployment.id).draining;
  }

  /** The clusters of the replicas that count, one entry for each replica. */
  clustersOf(deployment: CompiledDeployment): CompiledCluster[] {
    return this.staying(deployment).flatMap(({ placement }) => this.clusters.get(placement.cluster) ?? []);
  }

  /** The number of replicas that a deployment lacks; 0 if it is paused. */
  missing(deployment: CompiledDeployment): number {
    return deployment.paused ? 0 : Math.max(0, deployment.replicas - this.staying(deployment).length);
  }

  /** Keeps the valid placements of a deployment and evicts the others. Call it before any replica of it is placed. */
  retain(
    { id }: CompiledDeployment,
    lines: readonly Placement[],
    { placed, draining: old, evictions, intact }: RetainedPlacements,
  ): void {
    for (const { assignment } of placed) this.ledger.add(assignment.charges);
    const staying = old.length === 0 ? [...placed] : placed.filter(({ placement }) => !placement.draining);
    const draining = old.map(({ placed: replica }) => replica);
    this.#replicas.set(id, { staying, draining, lines: intact ? lines : undefined });
    for (const { placement, reason } of evictions) this.evict(placement, reason);
  }

  /** Records that the state equals the placements of a lock, so that `placements` returns the same list. */
  keepLock(lock: readonly Placement[]): void {
    this.#lock = lock;
  }

  place(placement: Placement, assignment: Assignment): void {
    this.ledger.add(assignment.charges);
    this.#list(placement).push({ placement, assignment });
  }

  /** Removes a replica without an eviction, as if it had never been placed. */
  remove(placed: AssignedReplica): void {
    this.ledger.remove(placed.assignment.charges);
    this.#removed.add(placed);
    const list = this.#list(placed.placement);
    list.splice(list.indexOf(placed), 1);
  }

  drop(placed: AssignedReplica, reason: EvictionReason): void {
    this.remove(placed);
    this.evict(placed.placement, reason);
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
      const [kept, serving] = [staying, draining].map((all) => all.filter((one) => this.isPlaced(one)));
      this.#replicas.set(id, { staying: kept ?? [], draining: serving ?? [], lines: undefined });
    }
  }

  /** Whether a replica that was placed has not been removed since. */
  isPlaced(placed: AssignedReplica): boolean {
    return !this.#removed.has(placed);
  }

  #of(deployment: string): DeploymentReplicas {
    return this.#replicas.get(deployment) ?? NO_REPLICAS;
  }

  /** The list that holds a replica. Callers change it, so everything that is cached about it is dropped. */
  #list({ deployment, cluster, draining }: Placement): AssignedReplica[] {
    let replicas = this.#replicas.get(deployment);
    if (!replicas) this.#replicas.set(deployment, (replicas = { staying: [], draining: [], lines: undefined }));
    replicas.lines = undefined;
    this.#lock = undefined;
    this.assignments.invalidate(cluster);
    return draining ? replicas.draining : replicas.staying;
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
  freeIndex({ id }: CompiledDeployment, { name }: CompiledCluster, wanted = 0): number {
    const dropped = this.evicted(id).filter(({ reason }) => reason.kind === 'scaled-down');
    const { staying, draining } = this.#of(id);
    const replicas = [...staying, ...draining, ...dropped];
    const taken = new Set(
      replicas.filter(({ placement }) => placement.cluster === name).map(({ placement }) => placement.index),
    );
    if (!taken.has(wanted)) return wanted;
    let index = 0;
    while (taken.has(index)) index++;
    return index;
  }

  /** All placements, sorted. */
  placements(): readonly Placement[] {
    return this.#lock ?? joinPlacements([...this.#replicas].map(([id, all]) => [id, all.lines ?? sortReplicas(all)]));
  }
}

function sortReplicas({ staying, draining }: DeploymentReplicas): readonly Placement[] {
  return sortByIdentity(
    [...staying, ...draining].map(({ placement }) => placement),
    (placement) => placement,
  );
}
