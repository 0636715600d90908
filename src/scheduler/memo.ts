/** The value for a pair of objects, computed the first time it is asked for. */
export function memo<A, B, V>(table: Map<A, Map<B, V>>, a: A, b: B, compute: () => V): V {
  const row = table.get(a) ?? new Map<B, V>();
  table.set(a, row);
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute();
  row.set(b, value);
  return value;
}
