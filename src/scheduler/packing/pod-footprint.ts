import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import { type Partition, partOfParent, takesParent } from './counter-sets';
import { findBlockers, type PartitionWant } from './blocked-parents';
import { type DevicePart, partOfDevice, type SharedLimit, sharedLimitOf, usesUpAlone } from './shared-devices';

/**
 * The part of a node that one pod takes: amounts, each from any of several kinds, or the whole node if the amounts
 * cannot be determined. The shape of the node numbers the kinds.
 */
export type PodFootprint = readonly KindAmount[] | 'node';

/** An amount that a pod takes from any mixture of these kinds. */
export interface KindAmount {
  readonly count: number;
  readonly kinds: readonly number[];
  /** The part of each device that the pod takes, if other pods can have the rest. Such an amount is of one kind. */
  readonly part?: DevicePart;
  /** The devices that the pod takes of parents that drivers divide. Such an amount is of one counter set. */
  readonly partition?: Partition;
}

/** A set of kinds that a pod draws on, and the usage by other pods that leaves it too few. */
export interface KindLimit {
  /** The amount of each kind on a node. */
  readonly amounts: readonly number[];
  readonly kinds: ReadonlySet<number>;
  /** The least usage by other pods that leaves too few. */
  readonly usage: number;
  /** The amount of these kinds on a node. */
  readonly of: number;
  /** Set if pods share the devices: `usage` is then no sum, and `shared-devices.ts` computes what reaches it. */
  readonly shared?: SharedLimit;
  /** Set for partitions of devices: `usage` is then no sum, and `blocked-parents.ts` finds what reaches it. */
  readonly divided?: PartitionWant;
}

/** The most overlapping amounts that are analyzed: the analysis visits every subset of them. */
export const MAX_OVERLAPPING = 6;

/**
 * The limits of a pod: one for each set of its amounts that share kinds. By Hall's condition, a node has a place
 * for the pod exactly if no limit is used up. Sets without a common kind are independent.
 */
export function limitsOf(footprint: PodFootprint, amounts: readonly number[]): readonly KindLimit[] {
  if (footprint === 'node') return [];
  return getOrComputeWeak(LIMITS, amounts, footprint, computeLimits);
}

const LIMITS: WeakPairMap<readonly number[], readonly KindAmount[], readonly KindLimit[]> = new WeakMap();

function computeLimits(amounts: readonly number[], footprint: readonly KindAmount[]): KindLimit[] {
  return listConnectedSets(footprint).map((wants) => {
    const kinds = new Set(wants.flatMap((want) => want.kinds));
    const of = countOfKinds(kinds, amounts);
    const [want] = wants;
    if (want?.part) return { amounts, kinds, of, usage: 1, shared: sharedLimitOf(want.count, want.part, of) };
    const divided = want && partitionWantOf(want);
    if (divided) return { amounts, kinds, of, usage: 1, divided };
    return { amounts, kinds, of, usage: of - sumCounts(wants) + 1 };
  });
}

/** What an amount takes of parents that drivers divide. */
export function partitionWantOf({ count, partition }: KindAmount): PartitionWant | undefined {
  return partition && { count, partition };
}

/** What a pod can take of each of the limits that `limitsOf` finds for another pod. */
export function weighOnLimits(limits: readonly KindLimit[], footprint: PodFootprint): readonly LimitWeight[] {
  if (footprint === 'node') return limits.map(({ of }) => ({ most: of, always: false }));
  return getOrComputeWeak(WEIGHTS, limits, footprint, computeWeights);
}

/** What a pod can take of the kinds of a limit. */
export interface LimitWeight {
  readonly most: number;
  readonly always: boolean;
  /** What it takes of devices that pods share. */
  readonly want?: KindAmount;
}

const WEIGHTS: WeakPairMap<readonly KindLimit[], readonly KindAmount[], readonly LimitWeight[]> = new WeakMap();

function computeWeights(limits: readonly KindLimit[], footprint: readonly KindAmount[]): LimitWeight[] {
  return limits.map((limit) => computeWeight(limit, footprint));
}

/**
 * How much a pod can take of the kinds of a limit: the sum of its amounts that touch these kinds, but not more than
 * the kinds that they share. `always` if it takes exactly that, whatever the allocator chooses.
 */
function computeWeight({ amounts, kinds, shared, divided }: KindLimit, footprint: readonly KindAmount[]): LimitWeight {
  if (shared) {
    const want = footprint.find((other) => other.kinds.some((kind) => kinds.has(kind)));
    return { most: want && usesUpAlone(shared, want) ? 1 : 0, always: true, ...(want && { want }) };
  }
  if (divided) {
    const want = footprint.find((other) => other.kinds.some((kind) => kinds.has(kind)));
    const other = want && partitionWantOf(want);
    return { most: other && blocksAlone(divided, other) ? 1 : 0, always: true, ...(want && { want }) };
  }
  const touching = footprint.filter((want) => want.kinds.some((kind) => kinds.has(kind)));
  const common = new Set(touching.flatMap((want) => want.kinds.filter((kind) => kinds.has(kind))));
  const most = Math.min(sumCounts(touching), countOfKinds(common, amounts));
  return { most, always: touching.every((want) => want.kinds.every((kind) => kinds.has(kind))) };
}

/** Whether one pod leaves no room on a node for another. */
function blocksAlone(target: PartitionWant, other: PartitionWant): boolean {
  const { sets, ofNode } = findBlockers(target, [other]);
  return sets ? ofNode === 1 && sets.some(([pods]) => pods === 1) : true;
}

/** The same footprint in canonical order, with amounts from equal kinds added up. */
export function normalizeFootprint(wants: readonly KindAmount[]): readonly KindAmount[] {
  const byKinds = new Map<string, KindAmount>();
  for (const { count, kinds, ...more } of wants) {
    if (count === 0) continue;
    const sorted = [...kinds].sort((a, b) => a - b);
    const key = sorted.join();
    byKinds.set(key, { count: count + (byKinds.get(key)?.count ?? 0), kinds: sorted, ...more });
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
  return footprint
    .map(({ count, kinds, part, partition }) => {
      const devices = part?.taken.join('/') ?? partition?.devices.join('/');
      return `${count} of ${kinds.join()}${devices === undefined ? '' : ` (${devices})`}`;
    })
    .join(' + ');
}

/** The part of a device that an amount takes of each of its devices, from 0 to 1. */
export function shareOfDevice({ part, partition }: KindAmount): number {
  if (partition) return partOfParent(partition);
  return part ? partOfDevice(part) : 1;
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
  if (footprint === 'node') return true;
  return footprint.some(
    ({ count, kinds, part, partition }) =>
      kinds.every((kind) => count === amounts[kind]) &&
      (!part || partOfDevice(part) === 1) &&
      (!partition || takesParent(partition)),
  );
}

/** An amount in whole devices. Parts of devices count as fractions. */
export function wholeDevicesOf(want: KindAmount): number {
  return want.count * shareOfDevice(want);
}

/** The share of a node that a pod takes, of the kind that it takes most of. */
export function largestShareOf(footprint: PodFootprint, amounts: readonly number[]): number {
  if (footprint === 'node') return 1;
  return getOrComputeWeak(LARGEST_SHARES, amounts, footprint, computeLargestShare);
}

const LARGEST_SHARES: WeakPairMap<readonly number[], readonly KindAmount[], number> = new WeakMap();

function computeLargestShare(amounts: readonly number[], footprint: readonly KindAmount[]): number {
  const shares = footprint.map(
    (want) => wholeDevicesOf(want) / want.kinds.reduce((sum, kind) => sum + (amounts[kind] ?? 0), 0),
  );
  return Math.max(0, ...shares);
}
