import { joinNames } from '../../base/text';
import type { FieldChange } from '../../diff/field-changes';
import type { Json } from '../../manifest/kubernetes/manifest';
import { listOptionChanges, type OptionChange, splitScripts } from './option-changes';

const MAX_VALUE_LENGTH = 72;

/** Of a map or a list, of which a part says little. */
const MAX_JSON_LENGTH = 120;

/** A commit of Git, as Hugging Face has them too. */
const REVISION = /^[\da-f]{40}$/;

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
export function formatFieldChange({ field, before, after, removed }: FieldChange): string {
  const words = formatWordList(before, after);
  if (words !== undefined) return `${field}: ${words}`;
  const parts = formatLongTexts(before, after);
  if (parts !== undefined) return `${field}: ${parts}`;
  if (before === undefined) return `${field}: ${isLong(after) ? 'new' : `${formatValue(after)}, new`}`;
  if (after === undefined) return `${field}: ${isLong(before) ? 'removed' : `was ${formatValue(before)}, removed`}`;
  if (removed) return `${field}: was ${formatValue(before)}, removed (default ${formatValue(after)})`;
  return `${field}: ${formatValue(before)} -> ${formatValue(after)}`;
}

/** Whether a value is a map or a list that has no room on a line: its beginning says little. */
function isLong(value: Json | undefined): boolean {
  return typeof value === 'object' && JSON.stringify(value).length > MAX_JSON_LENGTH;
}

/** Formats a value on one line, and truncates it if it is long. Of a revision, the first 8 digits say which it is. */
export function formatValue(value: Json | undefined): string {
  if (typeof value === 'string' && REVISION.test(value)) return value.slice(0, 8);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = (text ?? '').replace(/\s+/g, ' ');
  const most = typeof value === 'object' ? MAX_JSON_LENGTH : MAX_VALUE_LENGTH;
  return line.length > most ? `${line.slice(0, most - 3)}...` : line || "''";
}

/**
 * Formats what two lists of words do not share: an option with another value as `--max-model-len 8192 -> 16384`, and
 * other words as `-a +b`. Returns undefined if only the order differs.
 */
function formatWordList(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!areWords(before) || !areWords(after)) return undefined;
  const [was, is] = [splitScripts(before), splitScripts(after)];
  const options = listOptionChanges(was, is);
  const [removed, added] = [
    wordsWithout(
      wordsWithout(was, is),
      options.flatMap((one) => one.was?.words ?? []),
    ),
    wordsWithout(
      wordsWithout(is, was),
      options.flatMap((one) => one.is?.words ?? []),
    ),
  ];
  // Of a long text, the words that differ say more than its beginning.
  const isLong = [...removed, ...added].some((word) => word.length > MAX_VALUE_LENGTH / 2);
  const words = isLong ? formatWords(splitWords(removed), splitWords(added)) : formatWords(removed, added);
  const parts = [...options.map(formatOption), ...(words === undefined ? [] : [words])];
  return parts.length === 0 ? undefined : joinNames(parts, MAX_OPTIONS);
}

/** The most options that a line names. */
const MAX_OPTIONS = 4;

/** `--max-model-len 8192 -> 16384`, `+ --enforce-eager`, `- --enforce-eager`. */
function formatOption({ name, was, is }: OptionChange): string {
  if (!was) return `+ ${formatValue(is?.words.join(' '))}`;
  if (!is) return `- ${formatValue(was.words.join(' '))}`;
  const [from, to] = [was, is].map(({ value }) => (value === undefined ? 'on' : formatValue(value)));
  return `${name} ${from} -> ${to}`;
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

/** `-a +b`, `- --c`. Undefined if only the order differs. */
function formatWords(before: readonly string[], after: readonly string[]): string | undefined {
  const removed = wordsWithout(before, after).map((word) => markWord('-', word));
  const added = wordsWithout(after, before).map((word) => markWord('+', word));
  const all = [...removed, ...added].join(' ');
  return all === '' ? undefined : formatValue(all);
}

function markWord(sign: string, word: string): string {
  return `${sign}${word.startsWith('-') ? ' ' : ''}${word}`;
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
