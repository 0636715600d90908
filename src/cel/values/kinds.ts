import { Optional } from 'cel-js';
import { DeviceVariable } from '../device';
import { CelIpAddress, IpPrefix } from './ip-address';
import { NamedFormat } from './named-formats';
import { Quantity } from './quantity';
import { Semver } from './semver';
import { Url } from './url';

const CLASS_NAMES: readonly (readonly [new (...args: never[]) => object, string])[] = [
  [Quantity, 'quantity'],
  [Semver, 'version'],
  [DeviceVariable, 'device'],
  [Optional, 'optional'],
  [Uint8Array, 'bytes'],
  [CelIpAddress, 'IP address'],
  [IpPrefix, 'network'],
  [Url, 'URL'],
  [NamedFormat, 'format'],
  [Date, 'timestamp'],
];
const PRIMITIVE_NAMES: Partial<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
};

/** The names of values of classes that the library does not export, by primitive type. */
const OWN_NAMES: Partial<Record<string, string>> = { bigint: 'uint', number: 'duration' };

/** Returns the name of the kind of a value in messages: `string`, `quantity`, `list`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (entriesOf(value)) return 'map';
  const named = CLASS_NAMES.find(([type]) => value instanceof type)?.[1] ?? PRIMITIVE_NAMES[typeof value];
  return named ?? OWN_NAMES[typeof numberOf(value)] ?? (isTypeValue(value) ? 'type' : 'object');
}

/** Reports whether a value is a type, which is an object of the library: `type(1)`. */
export function isTypeValue(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && Object.prototype.toString.call(value).startsWith('[object Type<');
}

/** Returns the entries of a CEL map, which is a `Map` or a plain object. Returns `undefined` for any other value. */
export function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}

/** Returns a value by a key of a map or a field of a device, or `undefined` if there is none. */
export function lookUp(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  const entries = value instanceof DeviceVariable ? Object.entries(value) : (entriesOf(value) ?? []);
  return entries.find(([name]) => name === key)?.[1];
}

/** Returns the number of an int, a double or a uint, which is an object with a bigint as primitive value. */
export function numberOf(value: unknown): number | bigint | undefined {
  const primitive: unknown = typeof value === 'object' && value !== null ? value.valueOf() : value;
  return typeof primitive === 'number' || typeof primitive === 'bigint' ? primitive : undefined;
}
