import type { CompiledCluster, CompiledDeployment, CompiledFleet } from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import type { Assignment } from './fit-replica';
import { Ledger } from './ledger';
import { comparePlacements, joinPlacements, sortByIdentity } from './placement-order';
import type { AssignedReplica, RetainedPlacements } from './retained-replicas';
import type { Eviction, EvictionReason, Placement } from './schedule-result';

/** The replicas of one deployment. */
interface DeploymentReplicas {
  readonly staying: AssignedReplica[];
  readonly leaving: AssignedReplica[];

  /** Their lines, where these are known. */
  lines: readonly Placement[] | undefined;
}

const NO_REPLICAS: DeploymentReplicas = { staying: [], leaving: [], lines: undefined };

/** What one scheduling run has decided so far. */
export class SchedulingState {
  readonly ledger = new Ledger();
  readonly clusters: ReadonlyMap<string, CompiledCluster>;
  readonly #evictions = new Map<string, Eviction[]>();
  readonly #replicas = new Map<string, DeploymentReplicas>();
  #lock: readonly Placement[] | undefined;

  constructor(
    readonly model: CompiledFleet,
    readonly matcher = new PodMatcher(),
  ) {
    this.clusters = new Map(model.clusters.map((site) => [site.name, site]));
  }

  /** The replicas of a deployment that count, without those that are leaving. */
  staying(workload: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(workload.id).staying;
  }

  /** The replicas of a deployment that are leaving. */
  leaving(workload: CompiledDeployment): readonly AssignedReplica[] {
    return this.#of(workload.id).leaving;
  }

  /** The clusters of the replicas that count, one entry a replica. */
  clustersOf(workload: CompiledDeployment): CompiledCluster[] {
    return this.staying(workload).flatMap(({ placement }) => this.clusters.get(placement.cluster) ?? []);
  }

  /** How many replicas a deployment still lacks. One that is paused lacks none. */
  missing(workload: CompiledDeployment): number {
    return workload.paused ? 0 : Math.max(0, workload.replicas - this.staying(workload).length);
  }

  /** Leaves the previous lines of a deployment, all that is there of it, where they are as far as they hold. */
  retain(
    { id }: CompiledDeployment,
    lines: readonly Placement[],
    { placed, leaving, evictions, intact }: RetainedPlacements,
  ): void {
    for (const { assignment } of placed) this.ledger.add(assignment.charges);
    const staying = leaving.length === 0 ? [...placed] : placed.filter(({ placement }) => !placement.leaving);
    this.#replicas.set(id, {
      staying,
      leaving: leaving.map((one) => one.placed),
      lines: intact ? lines : undefined,
    });
    for (const { placement, reason } of evictions) this.evict(placement, reason);
  }

  /** Tells that what is there so far are all lines of a lock, as they stand there. */
  keepLock(lock: readonly Placement[]): void {
    this.#lock = lock;
  }

  place(placement: Placement, assignment: Assignment): AssignedReplica {
    const placed = { placement, assignment };
    this.ledger.add(assignment.charges);
    this.#list(placement).push(placed);
    return placed;
  }

  /** Takes a replica away again, as if it had never been placed. */
  remove(placed: AssignedReplica): void {
    this.ledger.remove(placed.assignment.charges);
    const list = this.#list(placed.placement);
    list.splice(list.indexOf(placed), 1);
  }

  /** Takes a replica away, and tells why. */
  drop(placed: AssignedReplica, reason: EvictionReason): void {
    this.remove(placed);
    this.evict(placed.placement, reason);
  }

  /** Whether a replica that was placed is still there. */
  isPlaced(placed: AssignedReplica): boolean {
    const { staying, leaving } = this.#of(placed.placement.deployment);
    return (placed.placement.leaving ? leaving : staying).includes(placed);
  }

  #of(deployment: string): DeploymentReplicas {
    return this.#replicas.get(deployment) ?? NO_REPLICAS;
  }

  /** The list in which a replica stands, to be changed. */
  #list({ deployment, leaving }: Placement): AssignedReplica[] {
    let replicas = this.#replicas.get(deployment);
    if (!replicas)
      this.#replicas.set(deployment, (replicas = { staying: [], leaving: [], lines: undefined }));
    replicas.lines = undefined;
    this.#lock = undefined;
    return leaving ? replicas.leaving : replicas.staying;
  }

  /** Tells why a previous placement does not stay; what was told of it before counts no more. */
  evict(placement: Placement, reason: EvictionReason): void {
    const { deployment } = placement;
    const others = this.evicted(deployment).filter(
      (other) => comparePlacements(other.placement, placement) !== 0,
    );
    this.#evictions.set(deployment, [...others, { placement, reason }]);
  }

  /** The previous placements of a deployment that do not stay. */
  evicted(deployment: string): readonly Eviction[] {
    return this.#evictions.get(deployment) ?? [];
  }

  evictions(): Eviction[] {
    return [...this.#evictions.values()].flat().sort((a, b) => comparePlacements(a.placement, b.placement));
  }

  /**
   * `wanted` if it is free on a cluster, else the lowest index that no replica of the deployment has there. One that
   * was scaled down in the same run had its own: what goes and what comes are told apart.
   */
  freeIndex({ id }: CompiledDeployment, { name }: CompiledCluster, wanted = 0): number {
    const dropped = this.evicted(id).filter(({ reason }) => reason.kind === 'scaled-down');
    const { staying, leaving } = this.#of(id);
    const here = [...staying, ...leaving, ...dropped];
    const taken = new Set(
      here.filter(({ placement }) => placement.cluster === name).map(({ placement }) => placement.index),
    );
    if (!taken.has(wanted)) return wanted;
    let index = 0;
    while (taken.has(index)) index++;
    return index;
  }

  /** Where everything is, sorted. */
  placements(): readonly Placement[] {
    return (
      this.#lock ??
      joinPlacements([...this.#replicas].map(([id, all]) => [id, all.lines ?? sortReplicas(all)]))
    );
  }
}

function sortReplicas({ staying, leaving }: DeploymentReplicas): readonly Placement[] {
  return sortByIdentity(
    [...staying, ...leaving].map(({ placement }) => placement),
    (placement) => placement,
  );
}
