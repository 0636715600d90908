/** Whether two plain values say the same: the order of keys does not matter, and what is undefined is absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return areSameLists(a, b);
  return hasAllOf(a as Fields, b as Fields) && lacksNothingOf(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function areSameLists(a: object, b: object): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
  return true;
}

function hasAllOf(a: Fields, b: Fields): boolean {
  for (const key in a) if (!isSame(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  return true;
}

function lacksNothingOf(a: Fields, b: Fields): boolean {
  for (const key in b) if (b[key] !== undefined && !Object.hasOwn(a, key)) return false;
  return true;
}

/** As `isSame`, for values that are asked for again and again, each beside the same other one. */
export function samePairs(): (a: object, b: object) => boolean {
  const known = new Map<object, { readonly b: object; readonly same: boolean }>();
  return (a, b) => {
    if (a === b) return true;
    const found = known.get(a);
    if (found?.b === b) return found.same;
    const same = isSame(a, b);
    known.set(a, { b, same });
    return same;
  };
}
