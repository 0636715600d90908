/** The value for a pair of objects, computed the first time it is asked for. */
export function getOrCompute<A, B, V>(table: Map<A, Map<B, V>>, a: A, b: B, compute: () => V): V {
  let row = table.get(a);
  if (!row) table.set(a, (row = new Map<B, V>()));
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute();
  row.set(b, value);
  return value;
}

/** A table of values for pairs of objects, which forgets pairs that nobody holds any more. */
export type WeakPairMap<A extends object, B extends object, V> = WeakMap<A, WeakMap<B, V>>;

/** As `memo`, for tables that outlive a run. */
export function getOrComputeWeak<A extends object, B extends object, V>(
  table: WeakPairMap<A, B, V>,
  a: A,
  b: B,
  compute: () => V,
): V {
  let row = table.get(a);
  if (!row) table.set(a, (row = new WeakMap<B, V>()));
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute();
  row.set(b, value);
  return value;
}
