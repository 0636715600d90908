import type { Values } from './release';

/** Values over values: maps are merged, everything else, lists too, is replaced. */
export function mergeValues(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isMap(below) && isMap(value) ? mergeValues(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
