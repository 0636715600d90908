/** Returns the value of a pair of objects, and computes it on first use. */
export function getOrCompute<A, B, V>(table: Map<A, Map<B, V>>, a: A, b: B, compute: () => V): V {
  let row = table.get(a);
  if (!row) table.set(a, (row = new Map<B, V>()));
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute();
  row.set(b, value);
  return value;
}

/** A table of values for pairs of objects. Pairs can be garbage-collected. */
export type WeakPairMap<A extends object, B extends object, V> = WeakMap<A, WeakMap<B, V>>;

/**
 * Like `getOrCompute`, for tables that outlive a run.
 *
 * @param compute gets the pair, so that one function can serve all calls: a function for each costs more than to look up
 */
export function getOrComputeWeak<A extends object, B extends object, V>(
  table: WeakPairMap<A, B, V>,
  a: A,
  b: B,
  compute: (a: A, b: B) => V,
): V {
  let row = table.get(a);
  if (!row) table.set(a, (row = new WeakMap<B, V>()));
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute(a, b);
  row.set(b, value);
  return value;
}

/** The value of a pair of objects, if it is known. In loops, it spares the function that `getOrComputeWeak` is called with. */
export function findWeak<A extends object, B extends object, V>(
  table: WeakPairMap<A, B, V>,
  a: A,
  b: B,
): V | undefined {
  return table.get(a)?.get(b);
}

/** A function that computes a value on its first call, and returns that from then on. */
export function lazily<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
