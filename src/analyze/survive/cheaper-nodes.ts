import { pruneNodes, type SufficiencyTest } from './minimize-nodes';
import type { ExtraNodeCounts } from './simulate-loss';

/** A pool by `poolKeyOf`, with the price of one of its nodes. */
export interface PricedPool {
  readonly key: string;
  readonly price: number;
}

/** A set of nodes that costs less than another. */
export interface CheaperSet {
  readonly extra: ExtraNodeCounts;

  /** Whether every set that costs less still was tried, and is not enough. */
  readonly isCheapest: boolean;
}

/** Sums of prices that differ by less are equal: the order in which prices are added changes their last digits. */
const SMALLEST_SAVING = 1e-6;

/**
 * Finds the cheapest set of nodes that is enough, where that is not a known one:
 *
 * 1. Replaces the nodes of one pool after the other by more nodes of a cheaper pool.
 * 2. Tries every set that costs less still, until the budget is used up.
 *
 * @param known a set that is enough
 * @param pools the pools with a price, the cheapest first
 * @param atLeast the fewest nodes of a set that is enough
 * @returns undefined if a part of the known set has no price, or no cheaper set is found
 */
export function findCheaperSet(
  known: ExtraNodeCounts,
  pools: readonly PricedPool[],
  atLeast: number,
  enough: SufficiencyTest,
): CheaperSet | undefined {
  const prices = new Map(pools.map(({ key, price }) => [key, price]));
  if ([...known.keys()].some((key) => !prices.has(key))) return undefined;
  let best = replaceNodes(known, pools, enough);
  let cost = costOf(best, prices);
  const limit = () => cost - SMALLEST_SAVING;
  for (let size = atLeast; size * (pools[0]?.price ?? 0) < limit(); size++) {
    for (const extra of enumerateCheaper(size, pools, limit)) {
      const verdict = enough(extra);
      if (verdict === undefined) return best === known ? undefined : { extra: best, isCheapest: false };
      if (verdict) [best, cost] = [extra, costOf(extra, prices)];
    }
  }
  return best === known ? undefined : { extra: best, isCheapest: true };
}

function costOf(extra: ExtraNodeCounts, prices: ReadonlyMap<string, number>): number {
  return [...extra].reduce((sum, [key, nodes]) => sum + nodes * (prices.get(key) ?? 0), 0);
}

/** Replaces the nodes of each pool by nodes of a cheaper one that are enough together with the rest and cost less. */
function replaceNodes(known: ExtraNodeCounts, pools: readonly PricedPool[], enough: SufficiencyTest): ExtraNodeCounts {
  let best = known;
  for (const replaced of pools.toReversed()) {
    const other = listReplacements(best, replaced, pools).find((set) => enough(set));
    if (other) best = pruneNodes(other, enough);
  }
  return best;
}

/** The sets with as many nodes of a cheaper pool, in place of those of another, as cost less. */
function listReplacements(set: ExtraNodeCounts, replaced: PricedPool, pools: readonly PricedPool[]): ExtraNodeCounts[] {
  const nodes = set.get(replaced.key) ?? 0;
  const rest = [...set].filter(([key]) => key !== replaced.key);
  return pools.flatMap(({ key, price }) => {
    // Nodes at no cost suffice in any number: as many as before are tried.
    const most = price > 0 ? Math.ceil((nodes * replaced.price - SMALLEST_SAVING) / price) - 1 : nodes;
    if (price >= replaced.price || most < 1) return [];
    return [new Map([...rest, [key, (set.get(key) ?? 0) + most] as const])];
  });
}

/**
 * Yields the distributions of a number of nodes over pools that cost less than an amount, the one with most nodes in the
 * first pools first.
 *
 * @param pools the cheapest first
 * @param limit the amount at the time: it sinks as cheaper sets are found
 */
function* enumerateCheaper(
  size: number,
  pools: readonly PricedPool[],
  limit: () => number,
): Generator<Map<string, number>> {
  const [first, ...rest] = pools;
  if (size === 0 || !first) {
    if (size === 0 && limit() > 0) yield new Map();
    return;
  }
  for (let nodes = size; nodes >= 0 && size * first.price < limit(); nodes--) {
    const spent = nodes * first.price;
    for (const others of enumerateCheaper(size - nodes, rest, () => limit() - spent)) {
      yield nodes > 0 ? new Map([[first.key, nodes], ...others]) : others;
    }
  }
}
