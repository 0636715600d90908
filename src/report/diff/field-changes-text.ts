import type { FieldChange } from '../../diff/field-changes';
import type { Json } from '../../manifest/kubernetes/manifest';

/** The most of a value that is shown. */
const MAX_VALUE_LENGTH = 72;

/** `image: a -> b`, `replicas: 3, new`; of lists of words what comes and what goes. */
export function formatFieldChange({ field, before, after }: FieldChange): string {
  const words = formatWordList(before, after);
  if (words !== undefined) return `${field}: ${words}`;
  if (before === undefined) return `${field}: ${formatValue(after)}, new`;
  if (after === undefined) return `${field}: was ${formatValue(before)}, gone`;
  return `${field}: ${formatValue(before)} -> ${formatValue(after)}`;
}

/** A value on one line, cut where it is long. */
export function formatValue(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = (text ?? '').replace(/\s+/g, ' ');
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 3)}...` : line || "''";
}

/** What comes and what goes of two lists of words; nothing where only their order differs. */
function formatWordList(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!areWords(before) || !areWords(after)) return undefined;
  const gone = wordsWithout(before, after).map((word) => `-${word}`);
  const come = wordsWithout(after, before).map((word) => `+${word}`);
  const all = [...gone, ...come].join(' ');
  return all === '' ? undefined : formatValue(all);
}

function areWords(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** The words of a list that another has not, or fewer times. */
function wordsWithout(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
