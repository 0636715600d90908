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

/** The arguments by which `fleetwright` finds a fleet and its lock, quoted for a shell: `fleet --lock "a b.yaml"`. */
export function formatCommandArguments(target: string, lock: string | undefined): string {
  return [target, ...(lock === undefined ? [] : ['--lock', lock])].map(quoteShellWord).join(' ');
}

/** Quotes a text as one word of a shell. Prefers double quotes, because messages put commands in single ones. */
export function quoteShellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** `1 replica`, `2 replicas`. */
export function pluralize(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const MOST_NAMED = 8;

/** Names on one line, however many there are. */
export function joinNames(names: readonly string[], most = MOST_NAMED, separator = ', '): string {
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

/** `2 -> 3`; one of them where both are the same. */
export function changed<T extends number | string>(before: T, after: T, shown = `${after}`): string {
  return before === after ? shown : `${before} -> ${shown}`;
}

/** `us/0`. */
export function placeText({ cluster, index }: { readonly cluster: string; readonly index: number }): string {
  return `${cluster}/${index}`;
}

/** How a replica is replaced. */
export function replacingText(surgeFirst: boolean | undefined): string {
  return surgeFirst ? 'which serves until it is settled' : 'with a gap';
}

/** `namespace/name`, or the name alone. */
export function idText(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** `4`, `2 to 6`. */
export function formatBounds({ least, most }: { readonly least: number; readonly most: number }): string {
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** `1 node`, `2 to 6 nodes`. */
export function formatNodeCount(bounds: string): string {
  return `${bounds} ${bounds === '1' ? 'node' : 'nodes'}`;
}

/** A taint as kubectl writes it: `key=value:Effect`. */
export function formatTaint(taint: {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}): string {
  return `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`;
}

/** The longest text of others in a message: of a server, a plugin or another program. */
const MAX_FOREIGN_LENGTH = 500;

/** Shortens a text of others for a message: at most 500 characters in one line. */
export function clipText(text: string, most = MAX_FOREIGN_LENGTH): string {
  const start = text.slice(0, 4 * most);
  const line = start.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= most && start.length === text.length) return line;
  // A character of two code units is not cut in half.
  return `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}...`;
}
