/**
 * How many nodes a set of pods needs so that every one of them has a place whatever the cluster chooses.
 *
 * A cluster's scheduler picks the node of each pod and its allocator picks the devices; neither moves other
 * pods out of the way. A pod has a sure place on `n` identical nodes only if all other pods together cannot
 * spoil all `n`. A node is spoiled for a pod when, for some kind of device, fewer are left than it needs.
 */

/** What one pod takes of one node: a count for each kind of device the node has, or the node as a whole. */
export type Need = readonly number[] | 'node';

/** A number of pods that need the same. */
export interface Load {
  readonly need: Need;
  readonly pods: number;
}

/**
 * The fewest identical nodes on which every pod of `loads` has a sure place.
 *
 * `devices` is the number of devices of each kind on one node; every need is at most that. A pod that needs
 * `'node'` may take any device of a node, so beside one such pod every pod counts as a node.
 *
 * @example
 * nodesNeeded([8], [{ need: [1], pods: 4 }, { need: [8], pods: 1 }]); // 5: four small pods can spoil four nodes
 */
export function nodesNeeded(devices: readonly number[], loads: readonly Load[]): number {
  const present = loads.filter(({ pods }) => pods > 0);
  const vectors = present.filter(isVector);
  if (vectors.length < present.length) return present.reduce((sum, { pods }) => sum + pods, 0);
  return vectors.reduce((most, load) => Math.max(most, spoiled(devices, load, vectors) + 1), 0);
}

/** How many further pods of one need have a sure place beside `loads` on `nodes` nodes. */
export function room(devices: readonly number[], loads: readonly Load[], need: Need, nodes: number): number {
  const fits = (pods: number): boolean => nodesNeeded(devices, [...loads, { need, pods }]) <= nodes;
  let high = 1;
  while (fits(high) && high <= nodes * MOST_PODS_A_NODE) high *= 2;
  let low = 0;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** No node holds more pods with devices: 16 entries of 64 devices are the most a class can list. */
const MOST_PODS_A_NODE = 1024;

interface VectorLoad extends Load {
  readonly need: readonly number[];
}

function isVector(load: Load): load is VectorLoad {
  return load.need !== 'node';
}

/** A bound on the nodes that all pods but one of `own` can spoil for that one. */
function spoiled(devices: readonly number[], own: VectorLoad, loads: readonly VectorLoad[]): number {
  // Usage of kind k that spoils a node; Infinity where the pod needs none of that kind.
  const limits = devices.map((count, k) => (own.need[k] ? count - own.need[k] + 1 : Infinity));
  const spoils = ({ need }: VectorLoad): boolean => limits.some((limit, k) => (need[k] ?? 0) >= limit);
  const others = loads.map((load) => (load === own ? { ...load, pods: load.pods - 1 } : load));

  const big = others.filter(spoils).reduce((sum, { pods }) => sum + pods, 0);
  const small = others.filter((load) => load.pods > 0 && !spoils(load));
  return big + spoiledBySmall(devices, limits, small);
}

/**
 * A bound on the nodes that pods can spoil which spoil none alone. Two bounds hold, so the smaller one does:
 * each spoiled node uses up a limit of some kind; and the shares of the limits on it add up to one or more.
 */
function spoiledBySmall(
  devices: readonly number[],
  limits: readonly number[],
  small: readonly VectorLoad[],
): number {
  const reached = limits.map((limit, k) => reachable(limit, devices[k] ?? 0, small, k));
  const byKind = reached.reduce((sum, limit, k) => sum + Math.floor(total(small, k) / limit), 0);
  if (reached.filter(Number.isFinite).length < 2) return byKind;
  return Math.min(byKind, floorOfShares(reached, small));
}

/** The least usage at or above `limit` that small pods can add up to: a multiple of what divides them all. */
function reachable(limit: number, count: number, small: readonly VectorLoad[], k: number): number {
  const step = small.reduce((divisor, { need }) => gcd(divisor, need[k] ?? 0), 0);
  if (step === 0 || !Number.isFinite(limit)) return Infinity;
  const usage = Math.ceil(limit / step) * step;
  return usage > count ? Infinity : usage;
}

function total(loads: readonly VectorLoad[], k: number): number {
  return loads.reduce((sum, { need, pods }) => sum + (need[k] ?? 0) * pods, 0);
}

/** The floor of the sum, over all pods, of the largest share that a pod has of any limit. Exact. */
function floorOfShares(limits: readonly number[], small: readonly VectorLoad[]): number {
  const finite = limits.filter(Number.isFinite).map(BigInt);
  const common = finite.reduce((product, limit) => product * limit, 1n);
  const sum = small.reduce((parts, { need, pods }) => {
    const shares = limits.map((limit, k) =>
      Number.isFinite(limit) ? (BigInt(need[k] ?? 0) * common) / BigInt(limit) : 0n,
    );
    const largest = shares.reduce((a, b) => (a > b ? a : b), 0n);
    return parts + largest * BigInt(pods);
  }, 0n);
  return Number(sum / common);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
