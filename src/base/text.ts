import { formatCount } from './figures';

/** The arguments by which `fleetwright` finds a fleet and its lock, quoted for a shell: `fleet --lock "a b.yaml"`. */
export function formatCommandArguments(target: string, lock: string | undefined): string {
  return [target, ...(lock === undefined ? [] : ['--lock', lock])].map(quoteShellWord).join(' ');
}

/** Quotes a text as one word of a shell. Prefers double quotes, because messages put commands in single ones. */
export function quoteShellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** Ends a text as a sentence, unless it is a question. */
export function toSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** Joins texts to sentences without the last full stop. Empty ones are left out. */
export function joinSentences(texts: readonly string[]): string {
  const sentences = texts.filter((text) => text !== '').map(toSentence);
  return sentences.join(' ').replace(/\.$/, '');
}

/** Removes a character from the end of a text, as often as it occurs there. */
export function trimTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}

/** `1 replica`, `2,400 replicas`. */
export function pluralize(count: number | bigint, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `the only replica`, `both replicas`, `all 3 replicas`: as many as there are. */
export function allOf(count: number, noun: string): string {
  if (count === 1) return `the only ${noun}`;
  return count === 2 ? `both ${noun}s` : `all ${pluralize(count, noun)}`;
}

/** How many names a sentence has at most. */
export const MOST_NAMED = 8;

/** Names on one line, however many there are. */
export function joinNames(names: readonly string[], most = MOST_NAMED, separator = ', '): string {
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

/** `a`, `a and b`, `a, b and c`. */
export function joinAnd(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A text as a sentence begins. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A text as it continues a sentence. */
export function decapitalize(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Joins clauses of which one is enough: `a`, `a, or b`, `a, b, or c`. */
export function joinAlternatives(clauses: readonly string[]): string {
  const last = clauses.at(-1) ?? '';
  return clauses.length < 2 ? last : `${clauses.slice(0, -1).join(', ')}, or ${last}`;
}

/** Joins choices: `a`, `a or b`, `a, b, or c`. */
export function joinChoices(choices: Iterable<string>): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(choices);
}

/** `2 -> 3`; one of them where both are the same. */
export function formatChange<T extends number | string>(before: T, after: T, shown = formatValue(after)): string {
  return before === after ? shown : `${formatValue(before)} -> ${shown}`;
}

function formatValue(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : value;
}

/** `us/0`. */
export function placeText({ cluster, index }: { readonly cluster: string; readonly index: number }): string {
  return `${cluster}/${index}`;
}

/** How a replica is replaced. */
export function describeReplacement(surgeFirst: boolean | undefined): string {
  return surgeFirst ? 'serving until it is finalized' : 'with downtime';
}

/** `namespace/name`, or the name alone. */
export function idText(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** `4`, `2 to 1,600`. */
export function formatBounds({ least, most }: { readonly least: number; readonly most: number }): string {
  return least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
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
