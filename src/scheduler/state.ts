import type { Assignment } from './fit';
import { byIdentity } from './identity';
import { Ledger } from './ledger';
import { Matcher } from './matcher';
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

  /** How many replicas a deployment still lacks. */
  missing(workload: Workload): number {
    return Math.max(0, workload.replicas - this.staying(workload).length);
  }

  place(placement: Placement, assignment: Assignment): void {
    this.ledger.add(assignment.charges);
    const lists = placement.leaving ? this.#leaving : this.#staying;
    const list = lists.get(placement.deployment) ?? [];
    list.push({ placement, assignment });
    lists.set(placement.deployment, list);
  }

  drop(placed: Placed, reason: EvictionReason): void {
    this.ledger.remove(placed.assignment.charges);
    const { deployment } = placed.placement;
    this.#staying.set(
      deployment,
      (this.#staying.get(deployment) ?? []).filter((other) => other !== placed),
    );
    this.evict(placed.placement, reason);
  }

  evict(placement: Placement, reason: EvictionReason): void {
    const { deployment } = placement;
    this.#evictions.set(deployment, [...this.evicted(deployment), { placement, reason }]);
  }

  /** The previous placements of a deployment that do not stay. */
  evicted(deployment: string): readonly Eviction[] {
    return this.#evictions.get(deployment) ?? [];
  }

  evictions(): Eviction[] {
    return [...this.#evictions.values()].flat().sort((a, b) => byIdentity(a.placement, b.placement));
  }

  /** `wanted` if it is free on a cluster, else the lowest index that no replica of the deployment has there. */
  freeIndex({ id }: Workload, { name }: Site, wanted = 0): number {
    const here = [...(this.#staying.get(id) ?? []), ...(this.#leaving.get(id) ?? [])];
    const taken = new Set(
      here.filter(({ placement }) => placement.cluster === name).map(({ placement }) => placement.index),
    );
    if (!taken.has(wanted)) return wanted;
    let index = 0;
    while (taken.has(index)) index++;
    return index;
  }

  placements(): Placement[] {
    const all = [...this.#staying.values(), ...this.#leaving.values()].flat();
    return all.map(({ placement }) => placement).sort(byIdentity);
  }
}
