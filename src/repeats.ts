/** An item of a list whose key an earlier one has. */
export interface Repeat<T> {
  readonly item: T;
  readonly key: string;
  readonly index: number;

  /** The index of the first with this key. */
  readonly first: number;
}

/** The items whose key stands earlier in the list. */
export function* repeatsOf<T>(items: readonly T[], keyOf: (item: T) => string): Iterable<Repeat<T>> {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, index);
    else yield { item, key, index, first };
  }
}
