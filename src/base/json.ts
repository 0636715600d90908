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

/** The value at a path of plain data; nothing where a step is missing. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (holder, key) => (typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined),
    value,
  );
}

/** The list at a path, empty where there is none. */
export function listAt(value: unknown, path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** The text at a path, empty where there is none. */
export function textAt(value: unknown, path: readonly (string | number)[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

/** Whether a value is a map: an object that is no list. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
