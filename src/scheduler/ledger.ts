import { getOrCompute } from '../base/memoize';
import type { Pool } from './compiled-fleet';
import { countRoom, PACKINGS } from './packing/packings';
import { footprintKeyOf, type PodFootprint } from './packing/pod-footprint';
import type { PodLoad } from './packing/worst-case';

/** Pods on a pool, and what each of them takes. */
export interface PoolLoad {
  readonly pool: Pool;
  readonly footprint: PodFootprint;
  readonly pods: number;
}

/** Pods to add to, or take from, a pool. */
export interface Charge extends PoolLoad {
  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  /** The part of a node that each takes, by the kind of device of which it takes most, from 0 to 1. */
  readonly share: number;
  /** The engine whose pods these are, and the devices that each takes by request: for messages. */
  readonly engine: string;
  readonly perPod: Readonly<Record<string, number>>;
}

/** What each pool has promised. The only thing that changes during a scheduling run. */
export class Ledger {
  #loads = new Map<Pool, Map<string, PodLoad>>();
  #extraNodes = new Map<Pool, number>();
  readonly #room = new Map<Pool, Map<readonly Charge[], boolean>>();

  /** @param counting whether nodes that a snapshot shows as lost count: as `declared` they do */
  constructor(private readonly counting: 'available' | 'declared' = 'available') {}

  /** The same promises, as they would stand if `pool` had `nodes` more. */
  enlarged(pool: Pool, nodes: number): Ledger {
    const view = new Ledger(this.counting);
    view.#loads = this.#loads;
    view.#extraNodes = new Map([...this.#extraNodes, [pool, nodes]]);
    return view;
  }

  /** Gives `pool` so many nodes more from now on. */
  enlarge(pool: Pool, nodes: number): void {
    this.#extraNodes.set(pool, (this.#extraNodes.get(pool) ?? 0) + nodes);
    this.#room.delete(pool);
  }

  /** Whether every pod on the pools, old and new, keeps a sure place when `charges` are added. */
  fits(charges: readonly Charge[]): boolean {
    return poolsOf(charges).every((pool) => this.missingNodes(pool, charges) === 0);
  }

  /** As `fits`, for charges on one pool that are asked for time and again: computed anew when the pool changed. */
  hasRoom(pool: Pool, charges: readonly Charge[]): boolean {
    return getOrCompute(this.#room, pool, charges, () => this.missingNodes(pool, charges) === 0);
  }

  /** The nodes of a pool that new promises are made on: what is declared, less what a snapshot shows as lost. */
  nodes(pool: Pool): number {
    return pool.nodes - this.lost(pool) + (this.#extraNodes.get(pool) ?? 0);
  }

  /** The nodes of a pool that are declared, and left out because a snapshot shows them as lost. */
  lost(pool: Pool): number {
    return this.counting === 'available' ? pool.lost : 0;
  }

  /**
   * How many nodes `pool` lacks for what it has promised and those of `charges` that concern it.
   *
   * @param ignored kinds of the node that nobody is charged for
   */
  missingNodes(pool: Pool, charges: readonly Charge[], ignored: readonly number[] = []): number {
    const added = charges.filter((charge) => charge.pool === pool);
    const loads = this.#with(pool, added).map((load) => ignoreKinds(load, ignored));
    return Math.max(0, PACKINGS[pool.packing](pool.node.counts, loads) - this.nodes(pool));
  }

  /** How many nodes `pool` lacks for a sure place of some of what it has promised, where the rest stands already. */
  missingFor(pool: Pool, some: readonly PoolLoad[]): number {
    const asked = new Set(some.map(({ footprint: need }) => footprintKeyOf(need)));
    const isAsked = ({ footprint: need }: PodLoad): boolean => asked.has(footprintKeyOf(need));
    const needed = PACKINGS[pool.packing](pool.node.counts, this.#with(pool, []), isAsked);
    return Math.max(0, needed - this.nodes(pool));
  }

  /** Whether `charges` would fit beside what `pool` has promised if its cluster packed pods as tightly as possible. */
  fitsBinPacked(pool: Pool, charges: readonly Charge[]): boolean {
    const added = charges.filter((charge) => charge.pool === pool);
    return (
      pool.packing === 'Spread' &&
      PACKINGS.BinPack(pool.node.counts, this.#with(pool, added)) <= this.nodes(pool)
    );
  }

  /** Whether a pool has promised more than it declares. What a snapshot shows as lost takes no promise back. */
  isOvercommitted(pool: Pool): boolean {
    // With a node for each pod, no packing is short of nodes.
    if (this.#pods(pool) <= pool.nodes) return false;
    return PACKINGS[pool.packing](pool.node.counts, this.#with(pool, [])) > pool.nodes;
  }

  /** The pools that have promised more than they declare. */
  overcommittedPools(): Pool[] {
    return [...this.#loads.keys()].filter((pool) => this.isOvercommitted(pool));
  }

  /** How many more pods of one need have a sure place in `pool`. */
  room(pool: Pool, need: PodFootprint): number {
    const size = { packing: pool.packing, amounts: pool.node.counts, nodes: this.nodes(pool) };
    return countRoom(size, this.#with(pool, []), need);
  }

  /** Whether two pools of one shape and size hold the same, so that what fits one fits the other. */
  sameState(a: Pool, b: Pool): boolean {
    return (
      a.packing === b.packing &&
      a.node === b.node &&
      this.nodes(a) === this.nodes(b) &&
      this.#state(a) === this.#state(b)
    );
  }

  add(charges: readonly PoolLoad[]): void {
    for (const { pool, footprint: need, pods } of charges) this.#change(pool, need, pods);
  }

  remove(charges: readonly Charge[]): void {
    for (const { pool, footprint: need, pods } of charges) this.#change(pool, need, -pods);
  }

  /** What a pool has promised, as a share of all its devices and resources, from 0 to 1. */
  share(pool: Pool): number {
    const promised = [...(this.#loads.get(pool)?.values() ?? [])].reduce(
      (sum, { footprint: need, pods }) => sum + pods * largestShareOf(need, pool),
      0,
    );
    return pool.nodes > 0 ? promised / pool.nodes : 0;
  }

  #change(pool: Pool, need: PodFootprint, pods: number): void {
    this.#room.delete(pool);
    const known = this.#loads.get(pool);
    const loads = known ?? new Map<string, PodLoad>();
    if (!known) this.#loads.set(pool, loads);
    const key = footprintKeyOf(need);
    const left = (loads.get(key)?.pods ?? 0) + pods;
    if (left > 0) loads.set(key, { footprint: need, pods: left });
    else loads.delete(key);
  }

  #pods(pool: Pool): number {
    let sum = 0;
    for (const { pods } of this.#loads.get(pool)?.values() ?? []) sum += pods;
    return sum;
  }

  #with(pool: Pool, charges: readonly Charge[]): PodLoad[] {
    const loads = new Map(this.#loads.get(pool));
    for (const { footprint: need, pods } of charges) {
      const key = footprintKeyOf(need);
      loads.set(key, { footprint: need, pods: (loads.get(key)?.pods ?? 0) + pods });
    }
    return [...loads.values()];
  }

  #state(pool: Pool): string {
    const loads = [...(this.#loads.get(pool) ?? [])].map(([key, { pods }]) => `${key}x${pods}`);
    return loads.sort().join(' ');
  }
}

function ignoreKinds({ footprint: need, pods }: PodLoad, ignored: readonly number[]): PodLoad {
  if (need === 'node' || ignored.length === 0) return { footprint: need, pods };
  return { footprint: need.filter(({ kinds }) => !kinds.every((kind) => ignored.includes(kind))), pods };
}

function poolsOf(charges: readonly Charge[]): Pool[] {
  return [...new Set(charges.map(({ pool }) => pool))];
}

/** The largest share of any kind of a node that a pod takes. */
function largestShareOf(need: PodFootprint, { node: { counts } }: Pool): number {
  if (need === 'node') return 1;
  const shares = need.map(
    ({ count, kinds }) => count / kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0),
  );
  return Math.max(0, ...shares);
}
