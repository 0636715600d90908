import type { Assignment } from './fit';
import { byIdentity } from './identity';
import { Ledger } from './ledger';
import { Matcher } from './matcher';
import { sortedLines } from './lines';
import type { Model, Site, Workload } from './model';
import type { Eviction, EvictionReason, Placement } from './types';

/** A replica that has its place. */
export interface Placed {
  readonly placement: Placement;
  readonly assignment: Assignment;
}

/** What one scheduling run has decided so far. */
export class State {
  readonly ledger = new Ledger();
  readonly sites: ReadonlyMap<string, Site>;
  readonly #evictions = new Map<string, Eviction[]>();
  readonly #staying = new Map<string, Placed[]>();
  readonly #leaving = new Map<string, Placed[]>();

  constructor(
    readonly model: Model,
    readonly matcher = new Matcher(),
  ) {
    this.sites = new Map(model.sites.map((site) => [site.name, site]));
  }

  /** The replicas of a deployment that count, without those that are leaving. */
  staying(workload: Workload): readonly Placed[] {
    return this.#staying.get(workload.id) ?? [];
  }

  /** The replicas of a deployment that are leaving. */
  leaving(workload: Workload): readonly Placed[] {
    return this.#leaving.get(workload.id) ?? [];
  }

  /** The clusters of the replicas that count, one entry a replica. */
  sitesOf(workload: Workload): Site[] {
    return this.staying(workload).flatMap(({ placement }) => this.sites.get(placement.cluster) ?? []);
  }

  /** How many replicas a deployment still lacks. One that is paused lacks none. */
  missing(workload: Workload): number {
    return workload.paused ? 0 : Math.max(0, workload.replicas - this.staying(workload).length);
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
    return this.#list(placed.placement).includes(placed);
  }

  #list({ deployment, leaving }: Placement): Placed[] {
    const lists = leaving ? this.#leaving : this.#staying;
    const known = lists.get(deployment);
    if (known) return known;
    const list: Placed[] = [];
    lists.set(deployment, list);
    return list;
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
    const here = [...(this.#staying.get(id) ?? []), ...(this.#leaving.get(id) ?? []), ...dropped];
    const taken = new Set(
      here.filter(({ placement }) => placement.cluster === name).map(({ placement }) => placement.index),
    );
    if (!taken.has(wanted)) return wanted;
    let index = 0;
    while (taken.has(index)) index++;
    return index;
  }

  placements(): readonly Placement[] {
    const all: Placement[] = [];
    for (const lists of [this.#staying, this.#leaving]) {
      for (const list of lists.values()) for (const { placement } of list) all.push(placement);
    }
    return sortedLines(all);
  }
}
