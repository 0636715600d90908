import { compareText } from '../order';
import { kindOf, numberOf } from './values';

/** The names of the types whose values CEL orders. */
export const ORDERED: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** A list whose elements all have an order, by themselves. Throws for any other. */
export function comparable(list: readonly unknown[]): readonly unknown[] {
  for (const value of list) if (!Number.isNaN(value)) compare(value, value);
  return list;
}

/** Whether the first is greater. What has no order is none: Kubernetes' lists go on behind an error. */
export function isGreater(a: unknown, b: unknown): boolean {
  try {
    return compare(a, b) > 0;
  } catch {
    return false;
  }
}

/**
 * Items in the order of their keys, which are of one kind. Throws for any others. What has no order stays where it is,
 * and so does what is equal, as with Go's sort of up to 12 items.
 */
export function inOrder<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const kinds = new Set(keyed.map(({ key }) => kindOf(key)));
  if (kinds.size > 1)
    throw new Error(`the elements of the list are of several types: ${[...kinds].join(', ')}`);
  comparable(keyed.slice(0, 1).map(({ key }) => key));
  const sorted: typeof keyed = [];
  for (const one of keyed) {
    const place = sorted.findLastIndex(({ key }) => !isGreater(key, one.key));
    sorted.splice(place + 1, 0, one);
  }
  return sorted.map(({ item }) => item);
}

/** Orders two values of one type. Throws for types that CEL does not order, and for NaN. */
function compare(a: unknown, b: unknown): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) throw new Error('the elements of the list have no order');
  if (Number.isNaN(x) || Number.isNaN(y)) throw new Error('NaN values cannot be ordered');
  const [left, right] = typeof x === typeof y ? [x, y] : [Number(x), Number(y)];
  return left < right ? -1 : left > right ? 1 : 0;
}
