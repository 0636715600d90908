import type { Taint } from '../api/schema/taints-and-tolerations';
import type { ResourceName } from '../scheduler/compile/shapes';

/** The names of field types in messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
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

/** At most 60 characters of a text, on one line. */
export function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}...` : line;
}

/** `1 item`, `2 items`. */
export function formatCount(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The arguments by which `fleetwright` finds a fleet and its lock, quoted for a shell: `fleet --lock "a b.yaml"`. */
export function formatCommandArguments(target: string, lock: string | undefined): string {
  return [target, ...(lock === undefined ? [] : ['--lock', lock])].map(quoteShellWord).join(' ');
}

/** Quotes a text as one word of a shell. Prefers double quotes, because messages put commands in single ones. */
function quoteShellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** `1 replica`, `2 replicas`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The most names on a line. */
const MOST_NAMED = 8;

/** Joins names on one line and counts those that do not fit. */
export function joinNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A taint in the notation of kubectl: `key=value:Effect`. */
export function formatTaint({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}

/** Formats an amount of the ledger for people: CPUs, or memory in Gi. */
export function formatResourceAmount(resource: ResourceName, amount: number): string {
  return resource === 'cpu' ? String(amount / 1000) : `${Number((amount / 2 ** 30).toFixed(1))}Gi`;
}
