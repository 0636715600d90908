import { isMap } from '../../base/json';

/** Whether a field has no value. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a value means the same as no value. The API server omits such values. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return Object.values(value).every(isEmpty);
  return isAbsent(value) || value === '' || value === false || value === 0;
}
