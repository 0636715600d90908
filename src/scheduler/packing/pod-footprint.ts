import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';

/**
 * The part of a node that one pod takes: amounts, each from any of several kinds, or the whole node if the amounts
 * cannot be determined. The shape of the node numbers the kinds.
 */
export type PodFootprint = readonly KindAmount[] | 'node';

/** An amount that a pod takes from any mixture of these kinds. */
export interface KindAmount {
  readonly count: number;
  readonly kinds: readonly number[];
}

/** A set of kinds that a pod draws on, and the usage by other pods that leaves it too few. */
interface KindLimit {
  readonly kinds: ReadonlySet<number>;
  /** The least usage by other pods that leaves too few. */
  readonly usage: number;
  /** The amount of these kinds on a node. */
  readonly of: number;
}

/** The most overlapping amounts that are analyzed: the analysis visits every subset of them. */
export const MAX_OVERLAPPING = 6;

/**
 * The limits of a pod: one for each set of its amounts that share kinds. By Hall's condition, a node has a place
 * for the pod exactly if none of the limits is used up. Sets without a common kind are independent.
 */
export function limitsOf(footprint: PodFootprint, amounts: readonly number[]): readonly KindLimit[] {
  if (footprint === 'node') return [];
  return getOrComputeWeak(LIMITS, amounts, footprint, () => computeLimits(footprint, amounts));
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
 * How much a pod can take of the kinds of a limit: the sum of its amounts that touch these kinds, but not more than
 * the kinds that they share. `always` if it takes exactly that, whatever the allocator chooses.
 */
export function weighOnLimit(limit: KindLimit, footprint: PodFootprint, amounts: readonly number[]): LimitWeight {
  if (footprint === 'node') return { most: limit.of, always: false };
  return getOrComputeWeak(WEIGHTS, limit, footprint, () => computeWeight(limit, footprint, amounts));
}

interface LimitWeight {
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

/** The same footprint in canonical order, with amounts from equal kinds added up. */
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

/** A text that is equal for equal footprints. */
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

function listConnectedSets(wants: readonly KindAmount[]): KindAmount[][] {
  return groupConnected(wants).flatMap((component) =>
    listSubsets(component).filter((set) => groupConnected(set).length === 1),
  );
}

/** Groups amounts that draw on common kinds, directly or through others. */
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
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) => items.filter((_, i) => (bits + 1) & (1 << i)));
}

function sumCounts(wants: readonly KindAmount[]): number {
  return wants.reduce((sum, { count }) => sum + count, 0);
}

function countOfKinds(kinds: ReadonlySet<number>, amounts: readonly number[]): number {
  return [...kinds].reduce((sum, kind) => sum + (amounts[kind] ?? 0), 0);
}

/** Whether a pod leaves no room on a node for any other pod that needs something of the same kind. */
export function fillsNode(footprint: PodFootprint, amounts: readonly number[]): boolean {
  return footprint === 'node' || footprint.some(({ count, kinds }) => kinds.every((kind) => count === amounts[kind]));
}
