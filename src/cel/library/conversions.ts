import { Environment, type RegisteredFunctionHandler } from 'cel-js';
import { isInt64, UINT64_MAX } from '../values/decimal';
import { formatCelDuration, formatGoFloat, formatTimestamp } from '../values/go-numbers';

/** The class of unsigned integers of the library, which does not export it. */
interface Unsigned {
  valueOf(): bigint;
}

type UnsignedClass = new (value: bigint) => Unsigned;

let unsignedClass: UnsignedClass | undefined;

const TWO_63 = 2 ** 63;
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NO_NUMBER = /^[+-]?(?:inf|infinity)$|^nan$/i;

/**
 * Conversions between numbers and texts, by signature. The functions of the library differ from Kubernetes in the
 * accepted number syntax, in the limits of 64 bits, and in the text of doubles.
 */
export const CONVERSION_FUNCTIONS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'Int(int): int': (value: bigint) => value,
  'Int(uint): int': (value: Unsigned) => toInt64(value.valueOf()),
  'Int(double): int': (value: number) => {
    if (!Number.isFinite(value)) throw new Error(`${value} is not an int`);
    if (Math.abs(value) >= TWO_63) throw createOverflowError(BigInt(Math.trunc(value)));
    return BigInt(Math.trunc(value));
  },
  'Int(string): int': (text: string) => toInt64(parseDigits(text, /^[+-]?\d+$/, 'an int')),
  'Int(google.protobuf.Timestamp): int': (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
  'Uint(uint): uint': (value: Unsigned) => value,
  'Uint(int): uint': (value: bigint) => toUint64(value),
  'Uint(double): uint': (value: number) => {
    if (!Number.isFinite(value) || value < 0) throw new Error(`${value} is not a uint`);
    return toUint64(BigInt(Math.trunc(value)));
  },
  'Uint(string): uint': (text: string) => toUint64(parseDigits(text, /^\d+$/, 'a uint')),
  'Double(double): double': (value: number) => value,
  'Double(int): double': (value: bigint) => Number(value),
  'Double(uint): double': (value: Unsigned) => Number(value.valueOf()),
  'Double(string): double': parseDouble,
  'String(string): string': (text: string) => text,
  'String(bool): string': (value: boolean) => String(value),
  'String(int): string': (value: bigint) => String(value),
  'String(uint): string': (value: Unsigned) => String(value.valueOf()),
  'String(double): string': formatGoFloat,
  'String(google.protobuf.Timestamp): string': formatTimestamp,
  'String(google.protobuf.Duration): string': formatCelDuration,
  'String(bytes): string': (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
};

/** Returns an int. Throws if it does not fit into 64 bits. */
export function toInt64(value: bigint): bigint {
  if (!isInt64(value)) throw createOverflowError(value);
  return value;
}

/** Returns a uint. Throws if it does not fit into 64 bits. */
export function toUint64(value: bigint): Unsigned {
  if (value < 0n || value > UINT64_MAX) throw createOverflowError(value);
  // Obtained from a value on first use: most selectors have no uint, and an eager value would slow down every plan.
  unsignedClass ??= (new Environment().evaluate('0u') as object).constructor as UnsignedClass;
  return new unsignedClass(value);
}

function createOverflowError(value: bigint): Error {
  return new Error(`${value} does not fit into 64 bits`);
}

function parseDigits(text: string, form: RegExp, type: string): bigint {
  if (!form.test(text)) throw new Error(`'${text}' is not ${type}`);
  return BigInt(text.replace(/^\+/, ''));
}

function parseDouble(text: string): number {
  if (NO_NUMBER.test(text)) return /nan/i.test(text) ? NaN : text.startsWith('-') ? -Infinity : Infinity;
  const value = FLOAT.test(text) ? Number(text.replaceAll('_', '')) : NaN;
  if (!Number.isFinite(value)) throw new Error(`'${text}' is not a double`);
  return value;
}
