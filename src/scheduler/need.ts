import { memoWeak, type WeakTable } from '../memo';

/**
 * What one pod takes of one node: amounts that may come from any of some kinds each, or, where that cannot be
 * said, the node as a whole. Kinds are numbered as in the shape of the node.
 */
export type Need = readonly Want[] | 'node';

/** An amount that a pod takes from any of these kinds, in any mixture. */
export interface Want {
  readonly count: number;
  readonly kinds: readonly number[];
}

/** A set of kinds that a pod draws on, and the usage of these by others that strands the pod. */
export interface Limit {
  readonly kinds: ReadonlySet<number>;
  /** The least usage by others that leaves too few. */
  readonly usage: number;
  /** What a node has of these kinds. */
  readonly of: number;
}

/** More wants than this that overlap are not told apart: every subset of them would have to be looked at. */
export const MOST_OVERLAPPING = 6;

/**
 * The limits of a pod: one for each set of its wants that draw on common kinds. By Hall's condition a node has a
 * place for the pod exactly when none of them is used up. Sets that have no kind in common need no look together.
 */
export function limitsOf(need: Need, amounts: readonly number[]): readonly Limit[] {
  return need === 'node' ? [] : memoWeak(LIMITS, amounts, need, () => computeLimits(need, amounts));
}

const LIMITS: WeakTable<readonly number[], readonly Want[], readonly Limit[]> = new WeakMap();

function computeLimits(need: readonly Want[], amounts: readonly number[]): Limit[] {
  return connectedSets(need).map((wants) => {
    const kinds = new Set(wants.flatMap((want) => want.kinds));
    const of = amountOf(kinds, amounts);
    return { kinds, of, usage: of - sumOf(wants) + 1 };
  });
}

/**
 * How much a pod can take of the kinds of a limit: what it wants where it wants any of them, but not more than
 * they share. `always` when it takes exactly that, whatever is chosen.
 */
export function weightOn(limit: Limit, need: Need, amounts: readonly number[]): Weight {
  if (need === 'node') return { most: limit.of, always: false };
  return memoWeak(WEIGHTS, limit, need, () => computeWeight(limit, need, amounts));
}

/** What a pod takes of the kinds of a limit. */
export interface Weight {
  readonly most: number;
  readonly always: boolean;
}

const WEIGHTS: WeakTable<Limit, readonly Want[], Weight> = new WeakMap();

function computeWeight({ kinds }: Limit, need: readonly Want[], amounts: readonly number[]): Weight {
  const touching = need.filter((want) => want.kinds.some((kind) => kinds.has(kind)));
  const shared = new Set(touching.flatMap((want) => want.kinds.filter((kind) => kinds.has(kind))));
  const most = Math.min(sumOf(touching), amountOf(shared, amounts));
  return { most, always: touching.every((want) => want.kinds.every((kind) => kinds.has(kind))) };
}

/** The same need, with wants from equal kinds added up, in an order of its own. */
export function normalNeed(wants: readonly Want[]): readonly Want[] {
  const byKinds = new Map<string, Want>();
  for (const { count, kinds } of wants) {
    if (count === 0) continue;
    const sorted = [...kinds].sort((a, b) => a - b);
    const key = sorted.join();
    byKinds.set(key, { count: count + (byKinds.get(key)?.count ?? 0), kinds: sorted });
  }
  return [...byKinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, want]) => want);
}

/** Whether two needs are the same, as text. */
export function needKey(need: Need): string {
  if (need === 'node') return need;
  let key = KEYS.get(need);
  if (key === undefined) KEYS.set(need, (key = textOf(need)));
  return key;
}

const KEYS = new WeakMap<readonly Want[], string>();

function textOf(need: readonly Want[]): string {
  return need.map(({ count, kinds }) => `${count} of ${kinds.join()}`).join(' + ');
}

/** Every set of wants that hang together by the kinds they draw on. */
function connectedSets(wants: readonly Want[]): Want[][] {
  return components(wants).flatMap((component) =>
    subsets(component).filter((set) => components(set).length === 1),
  );
}

/** Wants that draw on common kinds, directly or through others, each group apart. */
export function components(wants: readonly Want[]): Want[][] {
  const groups: Want[][] = [];
  for (const want of wants) {
    const touching = groups.filter((group) =>
      group.some((other) => other.kinds.some((kind) => want.kinds.includes(kind))),
    );
    for (const group of touching) groups.splice(groups.indexOf(group), 1);
    groups.push([...touching.flat(), want]);
  }
  return groups;
}

function subsets<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) =>
    items.filter((_, i) => (bits + 1) & (1 << i)),
  );
}

function sumOf(wants: readonly Want[]): number {
  return wants.reduce((sum, { count }) => sum + count, 0);
}

function amountOf(kinds: ReadonlySet<number>, amounts: readonly number[]): number {
  return [...kinds].reduce((sum, kind) => sum + (amounts[kind] ?? 0), 0);
}
