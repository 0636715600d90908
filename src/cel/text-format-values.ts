import { compareText } from '../order';
import { bytesOf } from './bytes-of-text';
import { Device } from './device';
import { goFloat } from './go-float';
import { durationText, plainFixed, timestampText } from './go-numbers';
import { goQuote } from './go-quote';
import { kindOf, numberOf } from './values';
import { writtenEntries } from './written-keys';

/** How values of a kind are written. */
type Writer = (value: never) => string;

const integer: Writer = (value) => String(numberOf(value));
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Values as they are written by themselves. */
const ALONE: Readonly<Record<string, Writer>> = {
  string: (text: string) => text,
  bool: String,
  int: integer,
  uint: integer,
  double: goFloat,
  bytes: (bytes: Uint8Array) => UTF8.decode(bytes),
  null: () => 'null',
  type: (type: { readonly name: string }) => TYPE_NAMES[type.name] ?? type.name,
  timestamp: timestampText,
  duration: durationText,
  list: (list: readonly unknown[]) => `[${list.map(inside).join(', ')}]`,
  map: mapText,
  device: mapText,
};

/** Values inside lists and maps: as CEL has them, but for their types. */
const INSIDE: Readonly<Record<string, Writer>> = {
  ...ALONE,
  string: goQuote,
  bytes: (bytes: Uint8Array) => `b${goQuote(UTF8.decode(bytes))}`,
  double: (value: number) => (Number.isFinite(value) ? plainFixed(value) : goQuote(plainFixed(value))),
  timestamp: (time: Date) => `timestamp(${goQuote(timestampText(time))})`,
  duration: (time: never) => `duration(${goQuote(durationText(time))})`,
};

const KEYS = new Set(['string', 'bool', 'int', 'uint']);

/** Types that have another name in the library. */
const TYPE_NAMES: Readonly<Record<string, string>> = { null: 'null_type', optional: 'optional_type' };

/** A value as `%s` writes it. Throws an `Error` whose message is a clause for one that it does not write. */
export function written(value: unknown): string {
  return writtenBy(ALONE, value);
}

function inside(value: unknown): string {
  return writtenBy(INSIDE, value);
}

function writtenBy(writers: Readonly<Record<string, Writer>>, value: unknown): string {
  const write = writers[kindOf(value)];
  if (!write) throw new Error(`a value of type ${kindOf(value)} has no text`);
  return write(value as never);
}

/** The entries of a map in the order of their texts. */
function mapText(map: object): string {
  const entries = map instanceof Device ? fieldsOf(map) : (writtenEntries(map) ?? []);
  const texts = entries.map(([key, value]) => {
    if (!KEYS.has(kindOf(key))) throw new Error(`a key of type ${kindOf(key)} has no text`);
    return [inside(key), inside(value)] as const;
  });
  const sorted = texts.sort(([a], [b]) => compareText(bytesOf(a), bytesOf(b)));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function fieldsOf({ driver, attributes, capacity, allowMultipleAllocations }: Device): [string, unknown][] {
  return Object.entries({ driver, attributes, capacity, allowMultipleAllocations });
}
