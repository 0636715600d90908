import { redact } from './redaction';

/** The names of field types in messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
};

/** The name of a field type in messages. */
export function describeType(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

/** The name of the type of a value, without the value. */
export function describeTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return describeType(typeof value);
}

/** Describes a value for a message: short scalars in full, everything else by its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the text "${shortenText(value)}"`;
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return describeTypeOf(value);
}

const MAX_SHOWN_LENGTH = 60;

/** At most 60 characters of a text, on one line. Secrets are hidden before it is cut, which would hide their form. */
export function shortenText(text: string): string {
  const line = redact(text.replaceAll(/\s+/g, ' '));
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}...` : line;
}
