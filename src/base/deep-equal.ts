/** Whether two plain values are equal. The order of keys does not matter, and an undefined value counts as absent. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return areEqualLists(a, b);
  return areEqualMaps(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function areEqualLists(a: object, b: object): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isDeepEqual(a[i], b[i])) return false;
  return true;
}

function areEqualMaps(a: Fields, b: Fields): boolean {
  for (const key in a) if (!isDeepEqual(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  for (const key in b) if (b[key] !== undefined && !Object.hasOwn(a, key)) return false;
  return true;
}

/** Creates an `isDeepEqual` that caches the last result for each first argument. */
export function memoizeDeepEqual(): (a: object, b: object) => boolean {
  const known = new Map<object, { readonly b: object; readonly same: boolean }>();
  return (a, b) => {
    if (a === b) return true;
    const found = known.get(a);
    if (found?.b === b) return found.same;
    const same = isDeepEqual(a, b);
    known.set(a, { b, same });
    return same;
  };
}
