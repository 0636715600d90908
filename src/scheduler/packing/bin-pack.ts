import { groupBy } from '../../base/order';
import { countNodesWorstCase, type PodLoad } from './worst-case';

/** The most states that are searched; twelve pods have no more, however they differ. */
const MAX_STATES = 4096;

/**
 * The number of nodes into which pods can be packed, for clusters whose scheduler packs. It is exact if the pods,
 * or their kinds, are few, else an upper bound. A pod that may choose between kinds takes a node for itself. Pods that
 * share devices get nodes of their own, which they may fill in any arrangement: schedulers pack nodes, not devices.
 *
 * The result never grows when a pod goes or a node gets more, so that an accepted charge stays valid. First-fit
 * decreasing lacks this property: without one of the pods it can need one more node.
 *
 * @param maxStates the most states to search before pods are counted in bulk
 * @example
 * countNodesBinPacked([8], [{ footprint: [{ count: 1, kinds: [0] }], pods: 4 }, { footprint: [{ count: 8, kinds: [0] }], pods: 1 }]); // 2
 */
export function countNodesBinPacked(
  amounts: readonly number[],
  loads: readonly PodLoad[],
  maxStates = MAX_STATES,
): number {
  const all = loads.filter(({ pods }) => pods > 0);
  const sharing = all.filter(
    ({ footprint }) => footprint !== 'node' && footprint.some(({ part, partition }) => part ?? partition),
  );
  const present = all.filter((load) => !sharing.includes(load));
  const strict = present.filter(({ footprint }) => !hasKindChoice(footprint));
  const vectors = strict.map(({ footprint, pods }): PodGroup => ({ pod: vectorOf(footprint, amounts.length), pods }));
  const identical = groupBy(vectors, ({ pod }) => pod.join()).values();
  const items = [...identical].flatMap((same) => same.slice(0, 1).map(({ pod }) => ({ pod, pods: sumPods(same) })));
  const fitting = items.filter(({ pod }) => fits(pod, amounts));
  const singles = sumPods(present) - sumPods(fitting);
  fitting.sort((a, b) => largestShare(b.pod, amounts) - largestShare(a.pod, amounts) || compareVectors(b.pod, a.pod));
  const bulk = bulkOf(fitting, maxStates);
  const searched = bulk === undefined ? Infinity : countFewestNodes(fitting, amounts, bulk);
  const apart = singles + Math.min(searched, countRoundedNodes(fitting, amounts));
  return apart + countNodesWorstCase(amounts, sharing);
}

type ResourceVector = readonly number[];

interface PodGroup {
  readonly pod: ResourceVector;
  readonly pods: number;
}

function sumPods(items: readonly { readonly pods: number }[]): number {
  return items.reduce((sum, { pods }) => sum + pods, 0);
}

function hasKindChoice(footprint: PodLoad['footprint']): boolean {
  return footprint === 'node' || footprint.some(({ kinds }) => kinds.length > 1);
}

function vectorOf(footprint: PodLoad['footprint'], kinds: number): ResourceVector {
  const wants = footprint === 'node' ? [] : footprint;
  return Array.from({ length: kinds }, (_, kind) =>
    wants.filter((want) => want.kinds[0] === kind).reduce((sum, { count }) => sum + count, 0),
  );
}

/** The smallest power of two by which numbers of pods have to be divided so that the search stays small. */
function bulkOf(items: readonly PodGroup[], maxStates: number): number | undefined {
  if (2 ** items.length > maxStates) return undefined;
  let bulk = 1;
  while (items.reduce((states, { pods }) => states * (Math.ceil(pods / bulk) + 1), 1) > maxStates) bulk *= 2;
  return bulk;
}

/**
 * Counts `bulk` pods of a kind as one, and `bulk` nodes as one with room for one of each. Half the bulk never needs
 * more nodes, and fewer pods never need a larger bulk. So the bound does not grow when pods go.
 */
function countFewestNodes(items: readonly PodGroup[], amounts: ResourceVector, bulk: number): number {
  const pods = items.map(({ pod }) => pod);
  const search = new FewestNodesSearch(pods, amounts);
  return bulk * search.nodes(items.map((item) => Math.ceil(item.pods / bulk)));
}

/** Counts pods as if each took a half, a quarter, an eighth of a node and so on: these fill nodes without a gap. */
function countRoundedNodes(items: readonly PodGroup[], amounts: ResourceVector): number {
  const parts = items.reduce((sum, { pod, pods }) => sum + (pods * SMALLEST_PART) / maxAlikePods(pod, amounts), 0);
  return Math.ceil(parts / SMALLEST_PART);
}

/** The reciprocal of the smallest part of a node that a pod is counted as. */
const SMALLEST_PART = 2 ** 16;

/** The largest power of two of pods of one kind that a node has room for. */
function maxAlikePods(pod: ResourceVector, amounts: ResourceVector): number {
  let pods = 1;
  while (pods < SMALLEST_PART && pod.every((count, kind) => 2 * pods * count <= (amounts[kind] ?? 0))) pods *= 2;
  return pods;
}

/** Finds the fewest nodes for numbers of pods of some kinds, the largest first, and caches the results. */
class FewestNodesSearch {
  readonly #known = new Map<string, number>();

  constructor(
    private readonly pods: readonly ResourceVector[],
    private readonly amounts: ResourceVector,
  ) {}

  nodes(counts: ResourceVector): number {
    if (counts.every((count) => count === 0)) return 0;
    const key = counts.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const least = this.#least(counts);
    let found = Infinity;
    for (const rest of this.#fillings(counts)) {
      found = Math.min(found, 1 + this.nodes(rest));
      if (found === least) break;
    }
    this.#known.set(key, found);
    return found;
  }

  /** A lower bound: as many nodes as have enough of every kind. */
  #least(counts: ResourceVector): number {
    return Math.max(
      ...this.amounts.map((amount, kind) => {
        const total = this.pods.reduce((sum, pod, i) => sum + (counts[i] ?? 0) * (pod[kind] ?? 0), 0);
        return amount > 0 ? Math.ceil(total / amount) : 0;
      }),
    );
  }

  /** The pods that remain after one node is filled with one of the largest and others until none fits any more. */
  *#fillings(counts: ResourceVector): Generator<ResourceVector> {
    const first = counts.findIndex((count) => count > 0);
    const largest = this.pods[first] ?? [];
    const rest = counts.map((count, i) => (i === first ? count - 1 : count));
    yield* this.#fill(rest, first, subtractPods(this.amounts, largest, 1));
  }

  *#fill(counts: ResourceVector, i: number, free: ResourceVector): Generator<ResourceVector> {
    const [pod, count] = [this.pods[i], counts[i]];
    if (!pod || count === undefined) {
      const full = counts.every((other, k) => other === 0 || !fits(this.pods[k] ?? [], free));
      if (full) yield counts;
      return;
    }
    for (let taken = Math.min(count, maxPodsIn(pod, free)); taken >= 0; taken--) {
      const rest = counts.map((other, k) => (k === i ? other - taken : other));
      yield* this.#fill(rest, i + 1, subtractPods(free, pod, taken));
    }
  }
}

function maxPodsIn(pod: ResourceVector, free: ResourceVector): number {
  return Math.min(...pod.map((count, kind) => (count > 0 ? Math.floor((free[kind] ?? 0) / count) : Infinity)));
}

function fits(pod: ResourceVector, free: ResourceVector): boolean {
  return pod.every((count, kind) => count <= (free[kind] ?? 0));
}

function subtractPods(free: ResourceVector, pod: ResourceVector, pods: number): ResourceVector {
  return free.map((amount, kind) => amount - pods * (pod[kind] ?? 0));
}

function largestShare(pod: ResourceVector, amounts: ResourceVector): number {
  return Math.max(0, ...pod.map((count, kind) => (count > 0 ? count / (amounts[kind] ?? 1) : 0)));
}

function compareVectors(a: ResourceVector, b: ResourceVector): number {
  return a.map((count, kind) => count - (b[kind] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
