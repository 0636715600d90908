/**
 * Finds values that JSON would drop or change, and returns what is wrong with each: `Service.spec is not plain data`.
 *
 * @param path the name of the value in the findings: `Service`
 * @param absent `refused`: properties with the value undefined are findings. Default: refused
 */
export function findImpureValues(value: unknown, path: string, absent: 'refused' | 'allowed' = 'refused'): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (value === undefined && absent === 'allowed') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || !isPlain(value)) return [`${path} is not plain data`];
  return Object.entries(value).flatMap(([key, inner]) => findImpureValues(inner, `${path}.${key}`, absent));
}

/** Whether a value is an array or a plain object. Objects of other realms count too. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
