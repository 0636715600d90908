import { compareText } from './order';

/** What two lists have of one key; at least one of them has it. */
export interface Pair<T> {
  readonly key: string;
  readonly was: T | undefined;
  readonly is: T | undefined;
}

/** What two lists have of each key, sorted by key. Of items of equal key a list has the last. */
export function pairsOf<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): Pair<T>[] {
  const old = new Map(before.map((one) => [key(one), one]));
  const now = new Map(after.map((one) => [key(one), one]));
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].sort(compareText).map((one) => ({ key: one, was: old.get(one), is: now.get(one) }));
}

/** The pairs of which both sides are not the same object: of lists that share most items, those that can differ. */
export function changedPairsOf<T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
): Pair<T>[] {
  const [old, now] = [new Set(before), new Set(after)];
  return pairsOf(
    before.filter((one) => !now.has(one)),
    after.filter((one) => !old.has(one)),
    key,
  );
}

/** An item of a list whose key an earlier one has. */
export interface Duplicate<T> {
  readonly item: T;
  readonly key: string;
  readonly index: number;

  /** The index of the first with this key. */
  readonly first: number;
}

/** The items whose key stands earlier in the list. */
export function* duplicatesOf<T>(items: readonly T[], keyOf: (item: T) => string): Iterable<Duplicate<T>> {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, index);
    else yield { item, key, index, first };
  }
}
