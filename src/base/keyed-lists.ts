import { compareText } from './order';

/** The items of one key in two lists; at least one list has it. */
export interface KeyedPair<T> {
  readonly key: string;
  readonly was: T | undefined;
  readonly is: T | undefined;
}

/** Pairs the items of two lists by key, sorted by key. If a list has several items of one key, the last counts. */
export function pairsOf<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): KeyedPair<T>[] {
  const old = new Map(before.map((item) => [key(item), item]));
  const now = new Map(after.map((item) => [key(item), item]));
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].sort(compareText).map((name) => ({ key: name, was: old.get(name), is: now.get(name) }));
}

/** An item of a list whose key an earlier item has. */
interface Duplicate<T> {
  readonly item: T;
  readonly key: string;
  readonly index: number;

  /** The index of the first item with this key. */
  readonly first: number;
}

/** The items whose key occurs earlier in the list. */
export function* duplicatesOf<T>(items: readonly T[], keyOf: (item: T) => string): Iterable<Duplicate<T>> {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, index);
    else yield { item, key, index, first };
  }
}
