/**
 * Parses a text as JSON. Returns undefined if it is not JSON.
 *
 * @param change a reviver, as in `JSON.parse`. Default: none
 */
export function tryParseJson(text: string, change?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, change);
  } catch {
    return undefined;
  }
}

/** Whether two plain values have the same JSON text. The order of keys matters. */
export function isIdentical(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key, k) => key === others[k] && isIdentical((a as Fields)[key], (b as Fields)[key]))
  );
}

type Fields = Readonly<Record<string, unknown>>;
