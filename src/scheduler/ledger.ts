import { isWholeDevice } from './compile/shapes';
import type { CompiledQueue, Pool } from './compiled-fleet';
import { countRoom, PACKINGS } from './packing/packings';
import { footprintKeyOf, largestShareOf, type PodFootprint, wholeDevicesOf } from './packing/pod-footprint';
import type { PodLoad } from './packing/worst-case';

/** A number of pods on a pool, and the footprint of each. */
export interface PoolLoad {
  readonly pool: Pool;
  readonly footprint: PodFootprint;
  readonly pods: number;
  /** The devices of each pod by device class or extended resource, where their queue has quotas. */
  readonly claimed?: Readonly<Record<string, number>>;
}

/** A quota with too little left for some charges. */
export interface QuotaShortage {
  readonly queue: string;
  readonly resource: string;
  readonly quota: number;
  /** What other workloads use, and what replicas of the fleet are charged for. */
  readonly others: number;
  readonly inUse: number;
  readonly wanted: number;
}

/** Pods to add to a pool, or to remove from it. */
export interface Charge extends PoolLoad {
  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  /** Those of `pods` beyond the fewest that an autoscaler keeps. Absent: none. */
  readonly scaled?: number | undefined;
  /** The share of a node that each pod takes, of the kind of device that it takes most of, from 0 to 1. */
  readonly share: number;
  /** The engine of the pods and, by request, the devices of each pod: for messages. */
  readonly engine: string;
  readonly perPod: Readonly<Record<string, number>>;
}

/** The pods of a pool, by the text of their footprint. */
interface PoolPods {
  readonly loads: Map<string, PodLoad>;
  /** The number of all pods. */
  sum: number;
  /** Whether other ledgers have the same object, so that it must not change. */
  shared: boolean;
}

/** What is known of the room of a pool until its charges change. */
interface PoolRoom {
  /** Whether there is room for charges. */
  fits: Map<readonly Charge[], boolean> | undefined;
  freeNodes: number | undefined;
}

/** The pods that each pool is charged for. The only data that changes during a scheduling run. */
export class Ledger {
  #pods = new Map<Pool, PoolPods>();
  #extraNodes = new Map<Pool, number>();
  readonly #rooms = new Map<Pool, PoolRoom>();
  /** The devices that the pods of each queue claim, in the order of its quotas. */
  #claimed = new Map<CompiledQueue, number[]>();

  /** @param counting whether nodes that a snapshot shows as lost count: with `declared` they do */
  constructor(private readonly counting: 'available' | 'declared' = 'available') {}

  /** A copy of the ledger in which `pool` has `nodes` more nodes. */
  enlarged(pool: Pool, nodes: number): Ledger {
    const ledger = new Ledger(this.counting);
    ledger.#pods = this.#pods;
    ledger.#claimed = this.#claimed;
    ledger.#extraNodes = new Map([...this.#extraNodes, [pool, nodes]]);
    return ledger;
  }

  /** A copy of the ledger in which another pool has the pods of `pool`. */
  replacing(pool: Pool, other: Pool): Ledger {
    const ledger = new Ledger(this.counting);
    const move = <T>(known: ReadonlyMap<Pool, T>): Map<Pool, T> =>
      new Map([...known].map(([key, value]): [Pool, T] => [key === pool ? other : key, value]));
    ledger.#pods = move(this.#pods);
    ledger.#claimed = this.#claimed;
    ledger.#extraNodes = move(this.#extraNodes);
    return ledger;
  }

  /** A copy of the ledger without some of its charges. */
  without(charges: readonly Charge[]): Ledger {
    const ledger = new Ledger(this.counting);
    ledger.addAll(this);
    ledger.#extraNodes = new Map(this.#extraNodes);
    ledger.remove(charges);
    return ledger;
  }

  /**
   * A copy of some pools of the ledger, without some of their charges. The ledger of a large fleet has thousands of
   * pools, and a replica is on a few.
   */
  withoutOn(pools: Iterable<Pool>, charges: readonly Charge[]): Ledger {
    const ledger = new Ledger(this.counting);
    for (const pool of pools) ledger.#addPool(this, pool);
    ledger.remove(charges);
    return ledger;
  }

  /** Adds the pods of a pool of another ledger, its further nodes, and what its queue claims, on any pool. */
  #addPool(other: Ledger, pool: Pool): void {
    const pods = other.#pods.get(pool);
    if (pods) this.#share(pool, pods);
    const nodes = other.#extraNodes.get(pool);
    if (nodes !== undefined) this.#extraNodes.set(pool, nodes);
    const claimed = pool.queue && other.#claimed.get(pool.queue);
    if (pool.queue && claimed) this.#claimed.set(pool.queue, claimed);
  }

  /**
   * Adds the pods of another ledger to this one, which has none.
   *
   * @param leftOut clusters whose pods are not added, by name. Default: none
   */
  addAll(other: Ledger, leftOut?: ReadonlySet<string>): void {
    const queues = new Set<CompiledQueue>();
    for (const [pool, pods] of other.#pods) {
      if (!leftOut?.has(pool.cluster)) this.#share(pool, pods);
      else if (pool.queue) queues.add(pool.queue);
    }
    for (const [queue, counts] of other.#claimed) if (!queues.has(queue)) this.#claimed.set(queue, counts);
  }

  #share(pool: Pool, pods: PoolPods): void {
    pods.shared = true;
    this.#pods.set(pool, pods);
  }

  /** The pods that a pool is charged for. */
  loadsOf(pool: Pool): Iterable<PodLoad> {
    return this.#pods.get(pool)?.loads.values() ?? [];
  }

  /** Adds nodes to `pool` from now on. */
  enlarge(pool: Pool, nodes: number): void {
    this.#extraNodes.set(pool, (this.#extraNodes.get(pool) ?? 0) + nodes);
    this.#forget(pool);
  }

  /** Whether every pod on the pools, old and new, has a guaranteed place when `charges` are added. */
  fits(charges: readonly Charge[]): boolean {
    if (this.findQuotaShortage(charges)) return false;
    const pools = new Set(charges.map(({ pool }) => pool));
    return [...pools].every((pool) => this.missingNodes(pool, charges) === 0);
  }

  /** Like `fits`, for charges on one pool that callers check often. The result is cached until the pool changes. */
  hasRoom(pool: Pool, charges: readonly Charge[]): boolean {
    if (pool.queue && this.findQuotaShortage(charges)) return false;
    if (this.#hasNodeForEach(pool, charges)) return true;
    const room = this.#roomOf(pool);
    room.fits ??= new Map();
    let fits = room.fits.get(charges);
    if (fits === undefined) room.fits.set(charges, (fits = this.missingNodes(pool, charges) === 0));
    return fits;
  }

  /** Whether there are as many nodes as pods. With a node for each pod, no packing lacks nodes. */
  #hasNodeForEach(pool: Pool, charges: readonly Charge[]): boolean {
    let pods = this.#sumOfPods(pool);
    for (const charge of charges) if (charge.pool === pool) pods += charge.pods;
    return pods <= this.nodes(pool);
  }

  /** The first quota of a queue that has too little left for charges. Pods that wait for quota do not start. */
  findQuotaShortage(charges: readonly Charge[]): QuotaShortage | undefined {
    for (const queue of new Set(charges.flatMap(({ pool }) => pool.queue ?? []))) {
      const wanted = countQueued(queue, charges);
      for (const [q, { resource, quota, others }] of queue.quotas.entries()) {
        const more = wanted[q] ?? 0;
        const inUse = this.#claimed.get(queue)?.[q] ?? 0;
        if (more === 0 || inUse + more <= quota - others) continue;
        return { queue: queue.queue, resource, quota, others, inUse, wanted: more };
      }
    }
    return undefined;
  }

  /** The nodes of a pool that can take new pods: declared and added ones, less those that are lost. */
  nodes(pool: Pool): number {
    return pool.nodes - this.lost(pool) + (this.#extraNodes.get(pool) ?? 0);
  }

  /** The nodes of a pool that are declared, but left out because a snapshot shows them as lost. */
  lost(pool: Pool): number {
    return this.counting === 'available' ? pool.lost : 0;
  }

  /**
   * The number of nodes that `pool` lacks for its pods and those of `charges` that are on it.
   *
   * @param ignored kinds of the node that are not charged
   */
  missingNodes(pool: Pool, charges: readonly Charge[], ignored: readonly number[] = []): number {
    const all = this.#with(pool, charges);
    const loads = ignored.length === 0 ? all : all.map((load) => ignoreKinds(load, ignored));
    return Math.max(0, PACKINGS[pool.packing](pool.node.counts, loads) - this.nodes(pool));
  }

  /** The nodes that `pool` lacks to guarantee a place to the pods of `some`, which it is charged for already. */
  missingFor(pool: Pool, some: readonly PoolLoad[]): number {
    const keys = new Set(some.map(({ footprint }) => footprintKeyOf(footprint)));
    const isIncluded = ({ footprint }: PodLoad): boolean => keys.has(footprintKeyOf(footprint));
    const needed = PACKINGS[pool.packing](pool.node.counts, this.#with(pool), isIncluded);
    return Math.max(0, needed - this.nodes(pool));
  }

  /** Whether `charges` would fit in `pool` if its cluster packed pods as tightly as possible. */
  fitsBinPacked(pool: Pool, charges: readonly Charge[]): boolean {
    if (pool.packing !== 'Spread') return false;
    return PACKINGS.BinPack(pool.node.counts, this.#with(pool, charges)) <= this.nodes(pool);
  }

  /**
   * The largest pods of a pool that would lose their guaranteed place if `charges` were added, where the added pods
   * themselves would have one. Undefined if the added pods have none either.
   */
  findEndangered(pool: Pool, charges: readonly Charge[]): PodFootprint | undefined {
    const added = new Set(charges.map(({ footprint }) => footprintKeyOf(footprint)));
    const loads = this.#with(pool, charges);
    const lacksNodes = (load: PodLoad): boolean =>
      PACKINGS[pool.packing](pool.node.counts, loads, (other) => other === load) > this.nodes(pool);
    const short = loads.filter(lacksNodes);
    if (short.some(({ footprint }) => added.has(footprintKeyOf(footprint)))) return undefined;
    const [largest] = short.sort(
      (a, b) => largestShareOf(b.footprint, pool.node.counts) - largestShareOf(a.footprint, pool.node.counts),
    );
    return largest?.footprint;
  }

  /** Whether a pool is charged for more than it declares. Nodes that a snapshot shows as lost count. */
  isOvercommitted(pool: Pool): boolean {
    if (this.#sumOfPods(pool) <= pool.nodes) return false;
    return PACKINGS[pool.packing](pool.node.counts, this.#with(pool)) > pool.nodes;
  }

  overcommittedPools(): Pool[] {
    return [...this.#pods.keys()].filter((pool) => this.isOvercommitted(pool));
  }

  /** The number of further pods of one footprint that have a guaranteed place in `pool`. */
  room(pool: Pool, footprint: PodFootprint): number {
    const size = { packing: pool.packing, amounts: pool.node.counts, nodes: this.nodes(pool) };
    return countRoom(size, this.#with(pool), footprint);
  }

  /** The devices of a pool that pods take, and those that none takes. */
  deviceUse(pool: Pool): { readonly inUse: number; readonly free: number } {
    const isDevice = pool.node.counts.map((_, kind) => isWholeDevice(pool.node, kind));
    const perNode = pool.node.counts.reduce((sum, count, kind) => sum + (isDevice[kind] ? count : 0), 0);
    const devicesOf = (footprint: PodFootprint): number =>
      footprint === 'node'
        ? perNode
        : footprint.reduce(
            (sum, want) => sum + (want.kinds.some((kind) => isDevice[kind]) ? wholeDevicesOf(want) : 0),
            0,
          );
    const taken = this.#with(pool).reduce((sum, { footprint, pods }) => sum + pods * devicesOf(footprint), 0);
    // Parts of shared devices add up to fractions, with errors of binary fractions.
    const inUse = Math.ceil(Number(taken.toFixed(6)));
    return { inUse, free: Math.max(0, this.nodes(pool) * perNode - inUse) };
  }

  /** Whether two pools of one shape and size hold the same pods, so that what fits one fits the other. */
  sameState(a: Pool, b: Pool): boolean {
    const alike = a.packing === b.packing && a.node === b.node && this.nodes(a) === this.nodes(b);
    return alike && this.#state(a) === this.#state(b);
  }

  add(charges: readonly PoolLoad[]): void {
    for (const { pool, footprint, pods } of charges) this.#change(pool, footprint, pods);
    this.#claim(charges, 1);
  }

  remove(charges: readonly Charge[]): void {
    for (const { pool, footprint, pods } of charges) this.#change(pool, footprint, -pods);
    this.#claim(charges, -1);
  }

  #claim(charges: readonly PoolLoad[], sign: 1 | -1): void {
    for (const charge of charges) {
      const { queue } = charge.pool;
      if (!queue) continue;
      const before = this.#claimed.get(queue) ?? [];
      const change = countQueued(queue, [charge]);
      this.#claimed.set(
        queue,
        change.map((count, q) => (before[q] ?? 0) + sign * count),
      );
    }
  }

  /** The charges of a pool as a share of all its devices and resources, from 0 to 1. */
  share(pool: Pool): number {
    return pool.nodes > 0 ? this.#promisedNodes(pool) / pool.nodes : 0;
  }

  /** The charges of a pool as a sum of shares of a node. */
  #promisedNodes(pool: Pool): number {
    const loads = this.#pods.get(pool)?.loads;
    if (!loads) return 0;
    let promised = 0;
    for (const { footprint, pods } of loads.values()) promised += pods * largestShareOf(footprint, pool.node.counts);
    return promised;
  }

  #roomOf(pool: Pool): PoolRoom {
    let room = this.#rooms.get(pool);
    if (!room) this.#rooms.set(pool, (room = { fits: undefined, freeNodes: undefined }));
    return room;
  }

  /** The nodes of a pool that are not charged, as a sum of fractions. It says nothing about arrangements of pods. */
  freeNodes(pool: Pool): number {
    const room = this.#roomOf(pool);
    return (room.freeNodes ??= this.#countFreeNodes(pool));
  }

  #countFreeNodes(pool: Pool): number {
    const taken = pool.packing === 'Exclusive' ? this.#sumOfPods(pool) : this.#promisedNodes(pool);
    return Math.max(0, this.nodes(pool) - taken);
  }

  #forget(pool: Pool): void {
    const room = this.#rooms.get(pool);
    if (room) room.fits = room.freeNodes = undefined;
  }

  #change(pool: Pool, footprint: PodFootprint, pods: number): void {
    this.#forget(pool);
    let all = this.#pods.get(pool);
    if (!all || all.shared) {
      all = { loads: new Map(all?.loads), sum: all?.sum ?? 0, shared: false };
      this.#pods.set(pool, all);
    }
    const key = footprintKeyOf(footprint);
    const before = all.loads.get(key)?.pods ?? 0;
    const after = Math.max(0, before + pods);
    all.sum += after - before;
    if (after > 0) all.loads.set(key, { footprint, pods: after });
    else all.loads.delete(key);
  }

  #sumOfPods(pool: Pool): number {
    return this.#pods.get(pool)?.sum ?? 0;
  }

  /** The pods of a pool and those of `charges` that are on it. */
  #with(pool: Pool, charges: readonly Charge[] = []): PodLoad[] {
    const present = this.#pods.get(pool)?.loads;
    const loads = present ? [...present.values()] : [];
    const keys = present ? [...present.keys()] : [];
    for (const { pool: charged, footprint, pods } of charges) {
      if (charged !== pool) continue;
      const key = footprintKeyOf(footprint);
      const at = keys.indexOf(key);
      const known = at < 0 ? undefined : loads[at];
      if (known) loads[at] = { footprint, pods: known.pods + pods };
      else {
        loads.push({ footprint, pods });
        keys.push(key);
      }
    }
    return loads;
  }

  #state(pool: Pool): string {
    const loads = [...(this.#pods.get(pool)?.loads ?? [])].map(([key, { pods }]) => `${key}x${pods}`);
    return loads.sort().join(' ');
  }
}

/** The devices of charges that each quota of a queue counts. */
function countQueued({ quotas }: CompiledQueue, charges: readonly PoolLoad[]): number[] {
  return quotas.map(({ claimedAs }) =>
    charges.reduce((sum, { pods, claimed = {} }) => {
      const counts = claimedAs === undefined ? Object.values(claimed) : [claimed[claimedAs] ?? 0];
      return sum + pods * counts.reduce((total, count) => total + count, 0);
    }, 0),
  );
}

function ignoreKinds({ footprint, pods }: PodLoad, ignored: readonly number[]): PodLoad {
  if (footprint === 'node') return { footprint, pods };
  return { footprint: footprint.filter(({ kinds }) => !kinds.every((kind) => ignored.includes(kind))), pods };
}
