import { Optional } from 'cel-js';
import { Address } from './address';
import { NamedFormat } from './named-format';
import { Network } from './network';
import { Quantity } from './quantity';
import { Semver } from './semver';
import { Url } from './url';
import { entriesOf, isType, numberOf } from './values';

/**
 * Whether two CEL values are equal, as cel-go's `types.Equal` has it; nothing where it gives an error. That is so for
 * a value of a type of Kubernetes on the left of anything else, and by a mistake of Kubernetes 1.36 for a computed quantity
 * on the right of another. Integers are compared with doubles as doubles.
 */
export function equality(a: unknown, b: unknown): boolean | undefined {
  if (typeof a !== 'object' && a === b) return true;
  if (a === null || b === null) return a === b;
  if (typeof a === 'string' || typeof a === 'boolean') return false;
  if (typeof a !== 'object') return numbersEqual(a, b);
  const kind = KINDS.find(([type]) => a instanceof type);
  return kind ? kind[1](a as never, b) : numbersEqual(a, b);
}

type Equality = (a: never, b: unknown) => boolean | undefined;

/** The equality of values of a class, with whatever is on the right. */
const KINDS: readonly (readonly [new (...args: never[]) => object, Equality])[] = [
  [Quantity, (a: Quantity, b) => (b instanceof Quantity && !b.computed ? a.compare(b) === 0 : undefined)],
  [Semver, (a: Semver, b) => (b instanceof Semver ? a.compare(b) === 0 : undefined)],
  [Address, (a: Address, b) => (b instanceof Address ? a.equals(b) : undefined)],
  [Network, (a: Network, b) => (b instanceof Network ? a.equals(b) : undefined)],
  [Url, (a: Url, b) => (b instanceof Url ? a.toString() === b.toString() : undefined)],
  [NamedFormat, (a: NamedFormat, b) => (b instanceof NamedFormat ? a === b : undefined)],
  [Array, (a: readonly unknown[], b) => Array.isArray(b) && listsEqual(a, b)],
  [Optional, (a: Optional, b) => b instanceof Optional && optionalsEqual(a, b)],
  [Uint8Array, (a: Uint8Array, b) => b instanceof Uint8Array && Buffer.compare(a, b) === 0],
];

/** Whether two values are equal for sure: an error is no equality. */
export function equals(a: unknown, b: unknown): boolean {
  return equality(a, b) === true;
}

/** For elements, an error counts as equal: cel-go looks only for what is not. */
function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => equality(value, b[i]) !== false);
}

function optionalsEqual(a: Optional, b: Optional): boolean | undefined {
  return a.hasValue() && b.hasValue() ? equality(a.value(), b.value()) : a.hasValue() === b.hasValue();
}

function numbersEqual(a: unknown, b: unknown): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) return mapsEqual(a, b);
  return typeof x === typeof y ? x === y : Number(x) === Number(y);
}

function mapsEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [entriesOf(a), entriesOf(b)];
  if (!left || !right || left.length !== right.length) return isType(a) && a === b;
  return left.every(([key, value]) =>
    right.some((entry) => keysEqual(key, entry[0]) && equality(value, entry[1]) !== false),
  );
}

/** The library makes texts of the keys of a map that is written down. */
function keysEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' && typeof b !== 'string') return equals(a, b);
  return String(numberOf(a) ?? a) === String(numberOf(b) ?? b);
}
