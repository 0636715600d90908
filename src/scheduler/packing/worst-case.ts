import { compareText } from '../../base/order';
import { countBlocked, findBlockers, partitionKeyOf, type PartitionWant } from './blocked-parents';
import {
  type KindLimit,
  limitsOf,
  type LimitWeight,
  partitionWantOf,
  type PodFootprint,
  weighOnLimits,
} from './pod-footprint';
import { gcd, measureShared, UNITS } from './shared-devices';

/**
 * Counts the nodes that a set of pods needs so that every pod has a place whatever the cluster chooses.
 *
 * A cluster's scheduler picks the node of each pod and its allocator picks the devices; neither moves other pods
 * out of the way. A pod has a guaranteed place on `n` identical nodes only if all other pods together cannot block
 * all `n`. A node is blocked for a pod if too few are left of some kinds that the pod draws on: by Hall's condition
 * that is the only way. `pod-footprint.ts` computes how much another pod can take of these kinds.
 */

/** A number of pods with the same footprint. */
export interface PodLoad {
  readonly footprint: PodFootprint;
  readonly pods: number;
}

/**
 * The fewest identical nodes on which every pod of `loads`, or every pod of the `included` ones, has a guaranteed
 * place.
 *
 * `amounts` is what one node has of each kind. A pod with the footprint `'node'` may take anything of a node, so
 * with one such pod every pod counts as a node.
 *
 * @example
 * countNodesWorstCase([8], [{ footprint: [{ count: 1, kinds: [0] }], pods: 4 }, { footprint: [{ count: 8, kinds: [0] }], pods: 1 }]); // 5
 */
export function countNodesWorstCase(
  amounts: readonly number[],
  loads: readonly PodLoad[],
  included: (load: PodLoad) => boolean = () => true,
): number {
  const present = loads.filter(({ pods }) => pods > 0);
  if (present.some(({ footprint }) => footprint === 'node')) return present.reduce((sum, { pods }) => sum + pods, 0);
  let most = 0;
  for (const load of present) {
    if (included(load)) most = Math.max(most, countBlockedNodes(amounts, load, present) + 1);
  }
  return most;
}

/** Identical pods, and what they take of each limit of the target pod. */
interface LoadWeights {
  readonly pods: number;
  readonly weights: readonly LimitWeight[];
}

/** An upper bound of the nodes that all other pods can block for one pod of `target`. */
function countBlockedNodes(amounts: readonly number[], target: PodLoad, loads: readonly PodLoad[]): number {
  const limits = limitsOf(target.footprint, amounts);
  const small: LoadWeights[] = [];
  let big = 0;
  for (const load of loads) {
    const pods = load === target ? load.pods - 1 : load.pods;
    const weights = weighOnLimits(limits, load.footprint);
    if (reachesAny(limits, weights)) big += pods;
    else if (pods > 0) small.push({ pods, weights });
  }
  return small.length > 0 ? big + countBlockedBySmall(measure(limits, small)) : big;
}

/** Whether one pod leaves too few for another. */
function reachesAny(limits: readonly KindLimit[], weights: readonly LimitWeight[]): boolean {
  for (let r = 0; r < limits.length; r++) if ((weights[r]?.most ?? 0) >= (limits[r]?.usage ?? 0)) return true;
  return false;
}

/** What reaches each limit, and what each of some pods takes of it. */
interface Measure {
  readonly limits: readonly number[];
  readonly small: readonly LoadWeights[];
  /** The nodes that can be without room by a limit, where another count than that by weights is known. */
  readonly blocked?: readonly (number | undefined)[];
}

function measure(limits: readonly KindLimit[], small: readonly LoadWeights[]): Measure {
  const reached = limits.map(({ usage, of }, r) => leastReachable(usage, of, small, r));
  if (limits.every(({ shared, divided }) => (shared ?? divided) === undefined)) return { limits: reached, small };
  const measured = limits.map(({ shared, divided }, r): MeasuredLimit | undefined => {
    const wants = small.map(({ weights }) => weights[r]?.want);
    if (divided)
      return measureDivided(
        divided,
        wants.map((want) => want && partitionWantOf(want)),
        small,
      );
    return shared && measureShared(shared, wants);
  });
  const weighed = small.map(({ pods, weights }, i): LoadWeights => {
    const of = (weight: LimitWeight, r: number): LimitWeight => ({
      ...weight,
      most: measured[r]?.weights[i] ?? weight.most,
    });
    return { pods, weights: weights.map(of) };
  });
  return {
    limits: reached.map((limit, r) => measured[r]?.limit ?? limit),
    small: weighed,
    blocked: measured.map((one) => one?.blocked),
  };
}

/** How much reaches a limit, what each of some pods takes towards it, and the nodes that all can block, if counted. */
interface MeasuredLimit {
  readonly limit: number;
  readonly weights: readonly number[];
  readonly blocked?: number;
}

/** The same for partitions of devices. Pods that take the same are one kind. */
function measureDivided(
  target: PartitionWant,
  wants: readonly (PartitionWant | undefined)[],
  loads: readonly LoadWeights[],
): MeasuredLimit {
  const pods = new Map<string, number>();
  const keys = wants.map((want) => (want ? partitionKeyOf(want) : ''));
  for (const [i, key] of keys.entries()) if (key !== '') pods.set(key, (pods.get(key) ?? 0) + (loads[i]?.pods ?? 0));
  // In an order of their own, so that the order of pods does not matter where the search gives up.
  const kinds = [...pods].sort(([a], [b]) => compareText(a, b));
  if (kinds.length === 0) return { limit: Infinity, weights: wants.map(() => 0), blocked: 0 };
  const blockers = findBlockers(
    target,
    kinds.flatMap(([key]) => wants[keys.indexOf(key)] ?? []),
  );
  const [weights = []] = blockers.bounds;
  return {
    limit: UNITS,
    weights: keys.map((key) => weights[kinds.findIndex(([kind]) => kind === key)] ?? 0),
    blocked: countBlocked(
      blockers,
      kinds.map(([, count]) => count),
    ),
  };
}

/**
 * An upper bound of the nodes that pods can block of which none blocks a node alone. Two bounds are valid, so the
 * smaller one is: each blocked node uses up some limit, and the shares of the limits on it add up to one or more.
 */
function countBlockedBySmall({ limits, small, blocked }: Measure): number {
  const byLimit = limits.reduce((sum, limit, r) => sum + (blocked?.[r] ?? Math.floor(sumWeights(small, r) / limit)), 0);
  if (limits.filter(Number.isFinite).length < 2) return byLimit;
  return Math.min(byLimit, floorOfShares(limits, small));
}

/**
 * The least usage at or above a limit that small pods can add up to: a multiple of their greatest common divisor,
 * if each always takes the same amount. Infinity if that is more than a node has, or if no pod takes any of the
 * limit.
 */
function leastReachable(usage: number, has: number, small: readonly LoadWeights[], r: number): number {
  let step = 0;
  for (const { weights } of small) {
    const weight = weights[r];
    if (weight && weight.most > 0) step = weight.always ? gcd(step, weight.most) : 1;
  }
  if (step === 0) return Infinity;
  const least = Math.ceil(usage / step) * step;
  return least > has ? Infinity : least;
}

function sumWeights(pods: readonly LoadWeights[], r: number): number {
  return pods.reduce((sum, { weights, pods }) => sum + (weights[r]?.most ?? 0) * pods, 0);
}

/** The floor of the sum, over all pods, of the largest share that a pod has of any limit. Exact. */
function floorOfShares(limits: readonly number[], small: readonly LoadWeights[]): number {
  const common = limits.filter(Number.isFinite).reduce((product, limit) => product * BigInt(limit), 1n);
  const sum = small.reduce((parts, { weights, pods }) => {
    const shares = limits.map((limit, r) =>
      Number.isFinite(limit) ? (BigInt(weights[r]?.most ?? 0) * common) / BigInt(limit) : 0n,
    );
    return parts + shares.reduce((a, b) => (a > b ? a : b), 0n) * BigInt(pods);
  }, 0n);
  return Number(sum / common);
}
