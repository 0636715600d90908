import { getOrCompute } from '../base/memoize';
import type { CompiledCluster, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import type { FeasibleClusters } from './feasible-clusters';
import { nodesTaken } from './fit-replica';
import type { Ledger } from './ledger';

/** A cluster in a ranking, with the room that it had when it was last looked at. */
interface RankedCluster {
  readonly cluster: CompiledCluster;
  /** Its place in the order of names. */
  readonly rank: number;
  room: number;
}

/** The room of a pool that suits an engine, and how much of its nodes one replica takes. */
interface PoolUse {
  readonly free: ReturnType<Ledger['freeNodes']>;
  readonly nodes: number;
}

/** Ranks clusters by the room that they have left for a demand: the most room first, then in the order of names. */
export class FreeRoom {
  readonly #uses = new Map<ReplicaDemand, Map<CompiledCluster, PoolUse[][]>>();
  readonly #rankings = new Map<ReplicaDemand, RoomRanking>();

  constructor(
    private readonly feasible: FeasibleClusters,
    private readonly matcher: PodMatcher,
    private readonly ledger: Ledger,
  ) {}

  /**
   * The free part of the pools that suit a demand, in replicas: of the engine with the least of it. It decides ties
   * alone, so it does not ask whether an arrangement of pods keeps a replica out.
   */
  of(demand: ReplicaDemand, cluster: CompiledCluster): number {
    let least = Infinity;
    for (const uses of this.#usesOf(demand, cluster)) {
      let room = 0;
      for (const { free, nodes } of uses) room += free.nodes / nodes;
      if (room < least) least = room;
    }
    // Sums of fractions depend on their order, which must not decide between equal clusters.
    return Math.round(least * 1e6);
  }

  /** The pools that suit each engine of a demand. */
  #usesOf(demand: ReplicaDemand, cluster: CompiledCluster): PoolUse[][] {
    return getOrCompute(this.#uses, demand, cluster, () =>
      demand.engines.map((engine) => {
        const uses: PoolUse[] = [];
        for (const pool of cluster.pools) {
          const nodes = nodesTaken(engine, pool, cluster, this.matcher);
          if (nodes !== undefined) uses.push({ free: this.ledger.freeNodes(pool), nodes });
        }
        return uses;
      }),
    );
  }

  ranking(demand: ReplicaDemand): RoomRanking {
    let ranking = this.#rankings.get(demand);
    if (!ranking) {
      ranking = new RoomRanking(this.feasible.of(demand), (cluster) => this.of(demand, cluster));
      this.#rankings.set(demand, ranking);
    }
    return ranking;
  }

  /** Forgets all rankings. A ranking expects that room only shrinks, so a removed replica invalidates it. */
  clear(): void {
    this.#rankings.clear();
  }
}

/** A heap of clusters by room. Room that shrank is noticed when a cluster comes to the top. */
class RoomRanking {
  readonly #heap: RankedCluster[];

  constructor(
    clusters: readonly CompiledCluster[],
    private readonly roomOf: (cluster: CompiledCluster) => number,
  ) {
    this.#heap = clusters.map((cluster, rank) => ({ cluster, rank, room: roomOf(cluster) }));
    this.#heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Takes the first cluster out of the ranking. */
  take(): RankedCluster | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first) return undefined;
      const room = this.roomOf(first.cluster);
      if (room < first.room) {
        first.room = room;
        this.#sink(first);
        continue;
      }
      const last = this.#heap.pop();
      if (last && last !== first) this.#sink(last);
      return first;
    }
  }

  /** Puts clusters back that were taken out. */
  restore(taken: readonly RankedCluster[]): void {
    for (const one of taken) {
      one.room = this.roomOf(one.cluster);
      this.#rise(one);
    }
  }

  /** Puts an entry in the place of the first, and lets it sink to where it belongs. */
  #sink(entry: RankedCluster): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const child = right && left && isBefore(right, left) ? right : left;
      if (!child || isBefore(entry, child)) break;
      heap[at] = child;
      at = child === left ? 2 * at + 1 : 2 * at + 2;
    }
    heap[at] = entry;
  }

  /** Adds an entry at the end, and lets it rise to where it belongs. */
  #rise(entry: RankedCluster): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || isBefore(parent, entry)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }
}

function isBefore(a: RankedCluster, b: RankedCluster): boolean {
  return a.room > b.room || (a.room === b.room && a.rank < b.rank);
}
