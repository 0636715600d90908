import { Optional } from 'cel-js';
import { compareText } from '../../base/order';
import { CelIpAddress, IpPrefix } from './ip-address';
import { entriesOf, isTypeValue, kindOf, numberOf } from './kinds';
import { NamedFormat } from './named-formats';
import { Quantity } from './quantity';
import { Semver } from './semver';
import { Url } from './url';

/**
 * Reports whether two CEL values are equal, as `types.Equal` of cel-go does. Returns `undefined` if cel-go returns an
 * error: if the left side is a value of a Kubernetes type and the right side is not, and, because of a bug in
 * Kubernetes 1.36, if a quantity on the right is computed. Integers and doubles are compared as doubles.
 */
export function evaluateEquality(a: unknown, b: unknown): boolean | undefined {
  if (typeof a !== 'object' && a === b) return true;
  if (a === null || b === null) return a === b;
  if (typeof a === 'string' || typeof a === 'boolean') return false;
  if (typeof a !== 'object') return numbersEqual(a, b);
  const kind = KINDS.find(([type]) => a instanceof type);
  return kind ? kind[1](a as never, b) : numbersEqual(a, b);
}

type Equality = (a: never, b: unknown) => boolean | undefined;

/** The equality of values of a class with any value on the right. */
const KINDS: readonly (readonly [new (...args: never[]) => object, Equality])[] = [
  [Quantity, (a: Quantity, b) => (b instanceof Quantity && !b.computed ? a.compare(b) === 0 : undefined)],
  [Semver, (a: Semver, b) => (b instanceof Semver ? a.compare(b) === 0 : undefined)],
  [CelIpAddress, (a: CelIpAddress, b) => (b instanceof CelIpAddress ? a.equals(b) : undefined)],
  [IpPrefix, (a: IpPrefix, b) => (b instanceof IpPrefix ? a.equals(b) : undefined)],
  [Url, (a: Url, b) => (b instanceof Url ? a.toString() === b.toString() : undefined)],
  [NamedFormat, (a: NamedFormat, b) => (b instanceof NamedFormat ? a === b : undefined)],
  [Array, (a: readonly unknown[], b) => Array.isArray(b) && listsEqual(a, b)],
  [Optional, (a: Optional, b) => b instanceof Optional && optionalsEqual(a, b)],
  [Uint8Array, (a: Uint8Array, b) => b instanceof Uint8Array && Buffer.compare(a, b) === 0],
];

/** Reports whether two values are equal. An error counts as unequal. */
export function equals(a: unknown, b: unknown): boolean {
  return evaluateEquality(a, b) === true;
}

/** For elements, an error counts as equal: cel-go looks only for unequal elements. */
function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => evaluateEquality(value, b[i]) !== false);
}

function optionalsEqual(a: Optional, b: Optional): boolean | undefined {
  return a.hasValue() && b.hasValue() ? evaluateEquality(a.value(), b.value()) : a.hasValue() === b.hasValue();
}

function numbersEqual(a: unknown, b: unknown): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) return mapsEqual(a, b);
  return typeof x === typeof y ? x === y : Number(x) === Number(y);
}

function mapsEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [entriesOf(a), entriesOf(b)];
  if (!left || !right || left.length !== right.length) return isTypeValue(a) && a === b;
  return left.every(([key, value]) =>
    right.some((entry) => keysEqual(key, entry[0]) && evaluateEquality(value, entry[1]) !== false),
  );
}

/** The library converts the keys of map literals to strings. */
function keysEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' && typeof b !== 'string') return equals(a, b);
  return String(numberOf(a) ?? a) === String(numberOf(b) ?? b);
}

export const ORDERED_TYPES: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** Returns the list if each of its elements has an order. Throws otherwise. */
export function requireComparable(list: readonly unknown[]): readonly unknown[] {
  for (const value of list) if (!Number.isNaN(value)) compareValues(value, value);
  return list;
}

/** Reports whether `a` is greater than `b`. Values without an order are not: lists in Kubernetes ignore the error. */
export function isGreater(a: unknown, b: unknown): boolean {
  try {
    return compareValues(a, b) > 0;
  } catch {
    return false;
  }
}

/**
 * Sorts items by keys of one kind. Throws if the keys have several kinds or no order. The sort is stable and keeps the
 * position of unordered keys, as the sort of Go does for up to 12 items.
 */
export function sortByKey<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const kinds = new Set(keyed.map(({ key }) => kindOf(key)));
  if (kinds.size > 1) throw new Error(`the elements of the list are of several types: ${[...kinds].join(', ')}`);
  requireComparable(keyed.slice(0, 1).map(({ key }) => key));
  const sorted: typeof keyed = [];
  for (const entry of keyed) {
    const place = sorted.findLastIndex(({ key }) => !isGreater(key, entry.key));
    sorted.splice(place + 1, 0, entry);
  }
  return sorted.map(({ item }) => item);
}

/** Compares two values of one type. Throws for types that CEL does not order, and for NaN. */
function compareValues(a: unknown, b: unknown): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) throw new Error('the elements of the list have no order');
  if (Number.isNaN(x) || Number.isNaN(y)) throw new Error('NaN values cannot be ordered');
  const [left, right] = typeof x === typeof y ? [x, y] : [Number(x), Number(y)];
  return left < right ? -1 : left > right ? 1 : 0;
}
