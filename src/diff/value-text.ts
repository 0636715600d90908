import type { Json } from '../render/manifest';
import type { FieldChange } from './field-changes';

/** The most of a value that is shown. */
const LONGEST = 72;

/** `image: a -> b`, `replicas: 3, new`; of lists of words what comes and what goes. */
export function fieldText({ field, before, after }: FieldChange): string {
  const words = wordsText(before, after);
  if (words !== undefined) return `${field}: ${words}`;
  if (before === undefined) return `${field}: ${valueText(after)}, new`;
  if (after === undefined) return `${field}: was ${valueText(before)}, gone`;
  return `${field}: ${valueText(before)} -> ${valueText(after)}`;
}

/** A value on one line, cut where it is long. */
export function valueText(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = (text ?? '').replace(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line || "''";
}

/** What comes and what goes of two lists of words; nothing where only their order differs. */
function wordsText(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!areWords(before) || !areWords(after)) return undefined;
  const gone = without(before, after).map((word) => `-${word}`);
  const come = without(after, before).map((word) => `+${word}`);
  const all = [...gone, ...come].join(' ');
  return all === '' ? undefined : valueText(all);
}

function areWords(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** The words of a list that another has not, or fewer times. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
