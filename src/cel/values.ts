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

/** A value by a key of a map or a field of a device; nothing where it has none, or is no map. */
export function lookUp(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  const entries = value instanceof Device ? Object.entries(value) : (entriesOf(value) ?? []);
  return entries.find(([name]) => name === key)?.[1];
}

/** int, double, or the library's uint, which is an object with a bigint for its primitive value. */
export function numberOf(value: unknown): number | bigint | undefined {
  const primitive: unknown = typeof value === 'object' && value !== null ? value.valueOf() : value;
  return typeof primitive === 'number' || typeof primitive === 'bigint' ? primitive : undefined;
}
