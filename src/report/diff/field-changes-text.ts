import type { FieldChange } from '../../diff/field-changes';
import type { Json } from '../../manifest/kubernetes/manifest';

const MAX_VALUE_LENGTH = 72;

/** What people leave out of the path of a field, as its declaration and its position say it. The first that matches counts. */
const OMITTED: readonly RegExp[] = [
  /^spec\.template\.spec\.engines\[[^\]]+\]\.members\[\d+\]\.(?:template\.spec\.|nodeSelector\.)?/,
  /^spec\.template\.(?:metadata|spec)\./,
  /^metadata\.(?=labels|annotations)/,
  /^spec\.(?=[^.]+\.)/,
];

/** The path of a field of a declaration as people say it: `containers[engine].image`, `nodePools[l4].nodeCount`. */
export function shortenField(field: string): string {
  const omitted = OMITTED.find((one) => one.test(field));
  return omitted ? field.replace(omitted, '') : field;
}

/** The path of a field with its engine and member, where `shortenField` gives two fields one path. */
export function shortenEngineField(field: string): string {
  const [, member, rest] = /^spec\.template\.spec\.(engines\[[^\]]+\]\.members\[\d+\]\.)(.*)$/.exec(field) ?? [];
  if (member === undefined || rest === undefined) return field;
  return member + rest.replace(/^(?:template\.spec|nodeSelector)\./, '');
}

/** Formats a change of a field: `image: a -> b`, `replicas: 3, new`; for lists of words the added and removed words. */
export function formatFieldChange({ field, before, after }: FieldChange): string {
  const words = formatWordList(before, after);
  if (words !== undefined) return `${field}: ${words}`;
  const parts = formatLongTexts(before, after);
  if (parts !== undefined) return `${field}: ${parts}`;
  if (before === undefined) return `${field}: ${isLong(after) ? 'new' : `${formatValue(after)}, new`}`;
  if (after === undefined) return `${field}: ${isLong(before) ? 'removed' : `was ${formatValue(before)}, removed`}`;
  return `${field}: ${formatValue(before)} -> ${formatValue(after)}`;
}

/** Whether a value is a map or a list that has no room on a line: its beginning says little. */
function isLong(value: Json | undefined): boolean {
  return typeof value === 'object' && JSON.stringify(value).length > MAX_VALUE_LENGTH;
}

/** Formats a value on one line, and truncates it if it is long. */
export function formatValue(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = (text ?? '').replace(/\s+/g, ' ');
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 3)}...` : line || "''";
}

/** Formats the words that two lists do not share. Returns undefined if only the order differs. */
function formatWordList(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!areWords(before) || !areWords(after)) return undefined;
  const [removed, added] = [wordsWithout(before, after), wordsWithout(after, before)];
  // Of a long script, the words that differ say more than its beginning.
  const isLong = [...removed, ...added].some((word) => word.length > MAX_VALUE_LENGTH / 2);
  return isLong ? formatWords(splitWords(removed), splitWords(added)) : formatWords(removed, added);
}

/** The words in which two texts differ that are too long to be shown. */
function formatLongTexts(before: Json | undefined, after: Json | undefined): string | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  if (Math.min(before.length, after.length) <= MAX_VALUE_LENGTH) return undefined;
  return formatWords(splitWords([before]), splitWords([after]));
}

function splitWords(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '');
}

/** `-a +b`. Undefined if only the order differs. */
function formatWords(before: readonly string[], after: readonly string[]): string | undefined {
  const removed = wordsWithout(before, after).map((word) => `-${word}`);
  const added = wordsWithout(after, before).map((word) => `+${word}`);
  const all = [...removed, ...added].join(' ');
  return all === '' ? undefined : formatValue(all);
}

function areWords(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Returns the words of a list that another list lacks, or contains fewer times. */
function wordsWithout(words: readonly string[], others: readonly string[]): string[] {
  const remaining = [...others];
  return words.filter((word) => {
    const at = remaining.indexOf(word);
    if (at !== -1) remaining.splice(at, 1);
    return at === -1;
  });
}
