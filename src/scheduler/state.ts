import type { Assignment } from './fit';
import type { Held, Placed } from './held';
import { byIdentity, inOrder } from './identity';
import { Ledger } from './ledger';
import { Matcher } from './matcher';
import { joinedLines } from './lines';
import type { Model, Site, Workload } from './model';
import type { Eviction, EvictionReason, Placement } from './types';

/** The replicas of one deployment. */
interface Replicas {
  readonly staying: Placed[];
  readonly leaving: Placed[];

  /** Their lines, where these are known. */
  lines: readonly Placement[] | undefined;
}

const NONE: Replicas = { staying: [], leaving: [], lines: undefined };

/** What one scheduling run has decided so far. */
export class State {
  readonly ledger = new Ledger();
  readonly sites: ReadonlyMap<string, Site>;
  readonly #evictions = new Map<string, Eviction[]>();
  readonly #replicas = new Map<string, Replicas>();
  #lock: readonly Placement[] | undefined;

  constructor(
    readonly model: Model,
    readonly matcher = new Matcher(),
  ) {
    this.sites = new Map(model.sites.map((site) => [site.name, site]));
  }

  /** The replicas of a deployment that count, without those that are leaving. */
  staying(workload: Workload): readonly Placed[] {
    return this.#of(workload.id).staying;
  }

  /** The replicas of a deployment that are leaving. */
  leaving(workload: Workload): readonly Placed[] {
    return this.#of(workload.id).leaving;
  }

  /** The clusters of the replicas that count, one entry a replica. */
  sitesOf(workload: Workload): Site[] {
    return this.staying(workload).flatMap(({ placement }) => this.sites.get(placement.cluster) ?? []);
  }

  /** How many replicas a deployment still lacks. One that is paused lacks none. */
  missing(workload: Workload): number {
    return workload.paused ? 0 : Math.max(0, workload.replicas - this.staying(workload).length);
  }

  /** Leaves the previous lines of a deployment, all that is there of it, where they are as far as they hold. */
  hold({ id }: Workload, lines: readonly Placement[], { placed, leaving, evictions, intact }: Held): void {
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
  holdsAll(lock: readonly Placement[]): void {
    this.#lock = lock;
  }

  place(placement: Placement, assignment: Assignment): Placed {
    const placed = { placement, assignment };
    this.ledger.add(assignment.charges);
    this.#list(placement).push(placed);
    return placed;
  }

  /** Takes a replica away again, as if it had never been placed. */
  remove(placed: Placed): void {
    this.ledger.remove(placed.assignment.charges);
    const list = this.#list(placed.placement);
    list.splice(list.indexOf(placed), 1);
  }

  /** Takes a replica away, and tells why. */
  drop(placed: Placed, reason: EvictionReason): void {
    this.remove(placed);
    this.evict(placed.placement, reason);
  }

  /** Whether a replica that was placed is still there. */
  holds(placed: Placed): boolean {
    const { staying, leaving } = this.#of(placed.placement.deployment);
    return (placed.placement.leaving ? leaving : staying).includes(placed);
  }

  #of(deployment: string): Replicas {
    return this.#replicas.get(deployment) ?? NONE;
  }

  /** The list in which a replica stands, to be changed. */
  #list({ deployment, leaving }: Placement): Placed[] {
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
    const others = this.evicted(deployment).filter((other) => byIdentity(other.placement, placement) !== 0);
    this.#evictions.set(deployment, [...others, { placement, reason }]);
  }

  /** The previous placements of a deployment that do not stay. */
  evicted(deployment: string): readonly Eviction[] {
    return this.#evictions.get(deployment) ?? [];
  }

  evictions(): Eviction[] {
    return [...this.#evictions.values()].flat().sort((a, b) => byIdentity(a.placement, b.placement));
  }

  /**
   * `wanted` if it is free on a cluster, else the lowest index that no replica of the deployment has there. One that
   * was scaled down in the same run had its own: what goes and what comes are told apart.
   */
  freeIndex({ id }: Workload, { name }: Site, wanted = 0): number {
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
    return this.#lock ?? joinedLines([...this.#replicas].map(([id, all]) => [id, all.lines ?? linesOf(all)]));
  }
}

function linesOf({ staying, leaving }: Replicas): readonly Placement[] {
  return inOrder(
    [...staying, ...leaving].map(({ placement }) => placement),
    (placement) => placement,
  );
}
