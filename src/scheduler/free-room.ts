import { getOrCompute } from '../base/memoize';
import type { CompiledCluster, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import type { FeasibleClusters } from './feasible-clusters';
import { type EngineFit, listPreferredPools } from './fit-replica';
import type { Ledger } from './ledger';

/** How each engine of a demand fits on the pools that suit it. */
type EngineFits = readonly (readonly EngineFit[])[];

/** A cluster in a ranking, with the room that it had when it was last looked at. */
interface RankedCluster {
  readonly cluster: CompiledCluster;
  readonly fits: EngineFits;
  /** Its place in the order of names. */
  readonly rank: number;
  room: number;
}

/** Ranks clusters by the room that they have left for a demand: the most room first, then in the order of names. */
export class FreeRoom {
  readonly #rankings = new Map<ReplicaDemand, Map<ReadonlySet<string>, RoomRanking>>();

  constructor(
    private readonly feasible: FeasibleClusters,
    private readonly matcher: PodMatcher,
    private readonly ledger: Ledger,
  ) {}

  /** The free part of the pools that suit a demand, in replicas: see `countRoom`. */
  of(demand: ReplicaDemand, cluster: CompiledCluster): number {
    return countRoom(this.#fitsOf(demand, cluster), this.ledger);
  }

  #fitsOf({ engines, poolOrder }: ReplicaDemand, cluster: CompiledCluster): EngineFits {
    return engines.map((engine) => listPreferredPools(engine, cluster, this.matcher, poolOrder));
  }

  /** Ranks the clusters that may take a demand, without those that are avoided. */
  rank(demand: ReplicaDemand, avoided: ReadonlySet<string> = NONE): RoomRanking {
    return getOrCompute(this.#rankings, demand, avoided, () => {
      const all = [...this.feasible.of({ demand })].map((cluster, rank): RankedCluster => {
        const fits = this.#fitsOf(demand, cluster);
        return { cluster, fits, rank, room: countRoom(fits, this.ledger) };
      });
      return new RoomRanking(
        all.filter(({ cluster }) => !avoided.has(cluster.name)),
        this.ledger,
      );
    });
  }

  /** Forgets all rankings. A ranking expects that room only shrinks, so a removed replica invalidates it. */
  clear(): void {
    this.#rankings.clear();
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The room of one replica: sums of fractions depend on their order, which must not decide between equal clusters. */
export const ROOM_OF_REPLICA = 1e6;

/**
 * The free part of pools, in replicas: of the engine with the least of it. It decides ties alone, so it does not ask
 * whether an arrangement of pods keeps a replica out.
 */
function countRoom(engines: EngineFits, ledger: Ledger): number {
  let least = Infinity;
  for (const fits of engines) {
    let sum = 0;
    for (const { pool, nodes } of fits) sum += ledger.freeNodes(pool) / nodes;
    if (sum < least) least = sum;
  }
  return Math.round(least * ROOM_OF_REPLICA);
}

/** A heap of clusters by room. Room that shrank is noticed when a cluster comes to the top. */
class RoomRanking {
  readonly #heap: RankedCluster[];

  constructor(
    clusters: RankedCluster[],
    private readonly ledger: Ledger,
  ) {
    this.#heap = clusters.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Takes the first cluster out of the ranking. */
  take(): RankedCluster | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first) return undefined;
      const room = countRoom(first.fits, this.ledger);
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
      one.room = countRoom(one.fits, this.ledger);
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
