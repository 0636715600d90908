/**
 * What a text holds as JSON; undefined where it holds none.
 *
 * @param change what becomes of each value in it. Default: it stays
 */
export function jsonIn(text: string, change?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, change);
  } catch {
    return undefined;
  }
}
