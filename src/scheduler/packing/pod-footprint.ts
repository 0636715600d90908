import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';

/**
 * What one pod takes of one node: amounts that may come from any of some kinds each, or, where that cannot be
 * said, the node as a whole. Kinds are numbered as in the shape of the node.
 */
export type PodFootprint = readonly KindAmount[] | 'node';

/** An amount that a pod takes from any of these kinds, in any mixture. */
export interface KindAmount {
  readonly count: number;
  readonly kinds: readonly number[];
}

/** A set of kinds that a pod draws on, and the usage of these by others that strands the pod. */
export interface KindLimit {
  readonly kinds: ReadonlySet<number>;
  /** The least usage by others that leaves too few. */
  readonly usage: number;
  /** What a node has of these kinds. */
  readonly of: number;
}

/** More wants than this that overlap are not told apart: every subset of them would have to be looked at. */
export const MAX_OVERLAPPING = 6;

/**
 * The limits of a pod: one for each set of its wants that draw on common kinds. By Hall's condition a node has a
 * place for the pod exactly when none of them is used up. Sets that have no kind in common need no look together.
 */
export function limitsOf(footprint: PodFootprint, amounts: readonly number[]): readonly KindLimit[] {
  return footprint === 'node'
    ? []
    : getOrComputeWeak(LIMITS, amounts, footprint, () => computeLimits(footprint, amounts));
}

const LIMITS: WeakPairMap<readonly number[], readonly KindAmount[], readonly KindLimit[]> = new WeakMap();

function computeLimits(footprint: readonly KindAmount[], amounts: readonly number[]): KindLimit[] {
  return listConnectedSets(footprint).map((wants) => {
    const kinds = new Set(wants.flatMap((want) => want.kinds));
    const of = countOfKinds(kinds, amounts);
    return { kinds, of, usage: of - sumCounts(wants) + 1 };
  });
}

/**
 * How much a pod can take of the kinds of a limit: what it wants where it wants any of them, but not more than
 * they share. `always` when it takes exactly that, whatever is chosen.
 */
export function weighOnLimit(
  limit: KindLimit,
  footprint: PodFootprint,
  amounts: readonly number[],
): LimitWeight {
  if (footprint === 'node') return { most: limit.of, always: false };
  return getOrComputeWeak(WEIGHTS, limit, footprint, () => computeWeight(limit, footprint, amounts));
}

/** What a pod takes of the kinds of a limit. */
export interface LimitWeight {
  readonly most: number;
  readonly always: boolean;
}

const WEIGHTS: WeakPairMap<KindLimit, readonly KindAmount[], LimitWeight> = new WeakMap();

function computeWeight(
  { kinds }: KindLimit,
  footprint: readonly KindAmount[],
  amounts: readonly number[],
): LimitWeight {
  const touching = footprint.filter((want) => want.kinds.some((kind) => kinds.has(kind)));
  const shared = new Set(touching.flatMap((want) => want.kinds.filter((kind) => kinds.has(kind))));
  const most = Math.min(sumCounts(touching), countOfKinds(shared, amounts));
  return { most, always: touching.every((want) => want.kinds.every((kind) => kinds.has(kind))) };
}

/** The same need, with wants from equal kinds added up, in an order of its own. */
export function normalizeFootprint(wants: readonly KindAmount[]): readonly KindAmount[] {
  const byKinds = new Map<string, KindAmount>();
  for (const { count, kinds } of wants) {
    if (count === 0) continue;
    const sorted = [...kinds].sort((a, b) => a - b);
    const key = sorted.join();
    byKinds.set(key, { count: count + (byKinds.get(key)?.count ?? 0), kinds: sorted });
  }
  return [...byKinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, want]) => want);
}

/** Whether two needs are the same, as text. */
export function footprintKeyOf(footprint: PodFootprint): string {
  if (footprint === 'node') return footprint;
  let key = KEYS.get(footprint);
  if (key === undefined) KEYS.set(footprint, (key = formatFootprint(footprint)));
  return key;
}

const KEYS = new WeakMap<readonly KindAmount[], string>();

function formatFootprint(footprint: readonly KindAmount[]): string {
  return footprint.map(({ count, kinds }) => `${count} of ${kinds.join()}`).join(' + ');
}

/** Every set of wants that hang together by the kinds they draw on. */
function listConnectedSets(wants: readonly KindAmount[]): KindAmount[][] {
  return groupConnected(wants).flatMap((component) =>
    listSubsets(component).filter((set) => groupConnected(set).length === 1),
  );
}

/** Wants that draw on common kinds, directly or through others, each group apart. */
export function groupConnected(wants: readonly KindAmount[]): KindAmount[][] {
  const groups: KindAmount[][] = [];
  for (const want of wants) {
    const touching = groups.filter((group) =>
      group.some((other) => other.kinds.some((kind) => want.kinds.includes(kind))),
    );
    for (const group of touching) groups.splice(groups.indexOf(group), 1);
    groups.push([...touching.flat(), want]);
  }
  return groups;
}

function listSubsets<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) =>
    items.filter((_, i) => (bits + 1) & (1 << i)),
  );
}

function sumCounts(wants: readonly KindAmount[]): number {
  return wants.reduce((sum, { count }) => sum + count, 0);
}

function countOfKinds(kinds: ReadonlySet<number>, amounts: readonly number[]): number {
  return [...kinds].reduce((sum, kind) => sum + (amounts[kind] ?? 0), 0);
}

/** Whether no other pod that needs something of the same kind fits on a node beside a pod. */
export function fillsNode(footprint: PodFootprint, amounts: readonly number[]): boolean {
  return (
    footprint === 'node' ||
    footprint.some(({ count, kinds }) => kinds.every((kind) => count === amounts[kind]))
  );
}
