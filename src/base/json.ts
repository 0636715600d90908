/**
 * What a text holds as JSON; undefined where it holds none.
 *
 * @param change what becomes of each value in it. Default: it stays
 */
export function tryParseJson(text: string, change?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, change);
  } catch {
    return undefined;
  }
}

/** Whether two plain values are the same to the letter: the order of keys counts, as what is written from them shows it. */
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
