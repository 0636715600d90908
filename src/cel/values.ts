import { Optional } from 'cel-js';
import { Device } from './device';
import { Quantity } from './quantity';
import { Semver } from './semver';

const CLASS_NAMES: readonly (readonly [new (...args: never[]) => object, string])[] = [
  [Quantity, 'quantity'],
  [Semver, 'version'],
  [Device, 'device'],
  [Optional, 'optional'],
  [Uint8Array, 'bytes'],
];
const PRIMITIVE_NAMES: Partial<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
};

/** What a value is called in a message: `string`, `quantity`, `list`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (entriesOf(value)) return 'map';
  const named = CLASS_NAMES.find(([type]) => value instanceof type)?.[1] ?? PRIMITIVE_NAMES[typeof value];
  return named ?? (typeof numberOf(value) === 'bigint' ? 'uint' : 'object');
}

/** The entries of a CEL map, which is a `Map` or a plain object; nothing for any other value. */
export function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}

/** Whether two CEL values are equal: numbers across their types, lists and maps by their elements. */
export function equals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((v, i) => equals(v, b[i]));
  if (a instanceof Quantity && b instanceof Quantity) return a.compare(b) === 0;
  if (a instanceof Semver && b instanceof Semver) return a.compare(b) === 0;
  if (a instanceof Optional && b instanceof Optional) return optionalsEqual(a, b);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return typeof x === typeof y ? x === y : whole(x) === whole(y);
  return mapsEqual(a, b);
}

/** A value by a key of a map or a field of a device; nothing where it has none, or is no map. */
export function lookUp(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  const entries = value instanceof Device ? Object.entries(value) : (entriesOf(value) ?? []);
  return entries.find(([name]) => name === key)?.[1];
}

function optionalsEqual(a: Optional, b: Optional): boolean {
  return a.hasValue() && b.hasValue() ? equals(a.value(), b.value()) : a.hasValue() === b.hasValue();
}

function mapsEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [entriesOf(a), entriesOf(b)];
  if (!left || !right || left.length !== right.length) return false;
  return left.every(([key, value]) =>
    right.some((entry) => equals(key, entry[0]) && equals(value, entry[1])),
  );
}

/** int, double, or the library's uint, which is an object with a bigint for its primitive value. */
function numberOf(value: unknown): number | bigint | undefined {
  const primitive: unknown = typeof value === 'object' && value !== null ? value.valueOf() : value;
  return typeof primitive === 'number' || typeof primitive === 'bigint' ? primitive : undefined;
}

/** The integer that a number is; the text of any other number, which equals no integer. */
function whole(value: number | bigint): bigint | string {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : String(value);
}
