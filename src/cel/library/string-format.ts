import { compareText } from '../../base/order';
import { typedEntriesOf } from '../cel-go-compat/evaluation';
import { DeviceVariable } from '../device';
import { isInt64 } from '../values/decimal';
import {
  formatCelDuration,
  formatFixed,
  formatGoFloat,
  formatPlainFixed,
  formatScientific,
  formatTimestamp,
} from '../values/go-numbers';
import { quoteLikeGo, toByteString } from '../values/go-strings';
import { kindOf, numberOf } from '../values/kinds';

/** A clause of a format: `%d`, `%.2f`. */
export interface FormatClause {
  /** The kinds of values that it formats. */
  readonly takes: ReadonlySet<string>;

  /** The noun for these kinds in messages. */
  readonly noun: string;

  readonly write: (value: unknown, precision?: bigint) => string;
}

/** A piece of a format: literal text, or a clause for the next argument. */
type FormatPiece = string | { readonly clause: FormatClause; readonly precision: bigint | undefined };

const INTEGERS = ['int', 'uint'];
const DOUBLES = { takes: new Set(['double', 'string']), noun: 'doubles' };
const HEXADECIMAL = { takes: new Set([...INTEGERS, 'string', 'bytes']), noun: 'integers, bytes and texts' };
const SHOWN = ['string', 'bool', 'bytes', 'double', 'map', 'list', 'type', 'null', 'timestamp', 'duration'];
const NO_NUMBERS: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

/** The clauses of cel-go 0.26 (`ext/formatting.go`), which Kubernetes 1.36 uses for its strings library. */
const CLAUSES: Readonly<Record<string, FormatClause>> = {
  s: {
    takes: new Set([...INTEGERS, ...SHOWN]),
    noun: 'texts, numbers, lists and maps',
    write: (value) => formatWith(TOP_LEVEL_WRITERS, value),
  },
  d: { takes: new Set(INTEGERS), noun: 'integers', write: (value) => formatInBase(value, 10) },
  f: { ...DOUBLES, write: (value, precision) => formatFixed(toDouble(value), precision) },
  e: { ...DOUBLES, write: (value, precision) => formatScientific(toDouble(value), precision) },
  b: {
    takes: new Set([...INTEGERS, 'bool']),
    noun: 'integers and bools',
    write: (value) => (typeof value === 'boolean' ? String(Number(value)) : formatInBase(value, 2)),
  },
  o: { takes: new Set(INTEGERS), noun: 'integers', write: (value) => formatInBase(value, 8) },
  x: { ...HEXADECIMAL, write: formatHex },
  X: { ...HEXADECIMAL, write: (value) => formatHex(value).toUpperCase() },
};

const PIECE = /%%|%(?:\.(\d+))?([sdfeboxX])|%|[^%]+/g;

/** Parses a format. Throws an `Error` whose message is a clause if the format is invalid. */
export function parseFormat(format: string): readonly FormatPiece[] {
  return [...format.matchAll(PIECE)].map(([text, digits, name = '']) => {
    const clause = CLAUSES[name];
    const precision = digits === undefined ? undefined : BigInt(digits);
    if (clause && isInt64(precision ?? 0n)) return { clause, precision };
    if (text === '%%') return '%';
    if (!text.startsWith('%')) return text;
    throw new Error(`'${format}' is not a format: '%' is followed by one of ${Object.keys(CLAUSES).join(' ')}`);
  });
}

/** `format.format(values)`. Throws an `Error` whose message is a clause if a value is missing or does not fit. */
export function applyFormat(format: string, values: readonly unknown[]): string {
  let next = 0;
  return parseFormat(format)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      const value = values[next++];
      const { takes, noun, write } = piece.clause;
      if (takes.has(kindOf(value)) || kindOf(value) === 'device') return write(value, piece.precision);
      throw new Error(`the clause is for ${noun}, and the value is of type ${kindOf(value)}`);
    })
    .join('');
}

function formatInBase(value: unknown, base: number): string {
  return BigInt(numberOf(value) ?? 0).toString(base);
}

function toDouble(value: unknown): number {
  const number = typeof value === 'string' ? NO_NUMBERS[value] : value;
  if (typeof number === 'number') return number;
  throw new Error(`the clause is for doubles, and '${String(value)}' is none`);
}

function formatHex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(toByteString(value), 'latin1').toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : formatInBase(value, 16);
}

type Writer = (value: never) => string;

const formatInteger: Writer = (value) => String(numberOf(value));
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const TOP_LEVEL_WRITERS: Readonly<Record<string, Writer>> = {
  string: (text: string) => text,
  bool: String,
  int: formatInteger,
  uint: formatInteger,
  double: formatGoFloat,
  bytes: (bytes: Uint8Array) => UTF8.decode(bytes),
  null: () => 'null',
  type: (type: { readonly name: string }) => TYPE_NAMES[type.name] ?? type.name,
  timestamp: formatTimestamp,
  duration: formatCelDuration,
  list: (list: readonly unknown[]) => `[${list.map(formatNested).join(', ')}]`,
  map: formatMap,
  device: formatMap,
};

/** The writers for values inside lists and maps: CEL literals without their types. */
const NESTED_WRITERS: Readonly<Record<string, Writer>> = {
  ...TOP_LEVEL_WRITERS,
  string: quoteLikeGo,
  bytes: (bytes: Uint8Array) => `b${quoteLikeGo(UTF8.decode(bytes))}`,
  double: (value: number) => (Number.isFinite(value) ? formatPlainFixed(value) : quoteLikeGo(formatPlainFixed(value))),
  timestamp: (time: Date) => `timestamp(${quoteLikeGo(formatTimestamp(time))})`,
  duration: (time: never) => `duration(${quoteLikeGo(formatCelDuration(time))})`,
};

const KEYS = new Set(['string', 'bool', 'int', 'uint']);

/** The names of types that the library names differently. */
const TYPE_NAMES: Readonly<Record<string, string>> = { null: 'null_type', optional: 'optional_type' };

function formatNested(value: unknown): string {
  return formatWith(NESTED_WRITERS, value);
}

function formatWith(writers: Readonly<Record<string, Writer>>, value: unknown): string {
  const write = writers[kindOf(value)];
  if (!write) throw new Error(`a value of type ${kindOf(value)} has no text`);
  return write(value as never);
}

function formatMap(map: object): string {
  const entries = map instanceof DeviceVariable ? Object.entries(map) : (typedEntriesOf(map) ?? []);
  const texts = entries.map(([key, value]) => {
    if (!KEYS.has(kindOf(key))) throw new Error(`a key of type ${kindOf(key)} has no text`);
    return [formatNested(key), formatNested(value)] as const;
  });
  const sorted = texts.sort(([a], [b]) => compareText(toByteString(a), toByteString(b)));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
