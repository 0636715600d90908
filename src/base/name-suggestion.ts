import { compareText } from './order';

/**
 * The name that a user probably meant: the known name with the smallest edit distance, if it is close enough. Of
 * several, one that begins with the given text: `l40` is short for `l40s`, not a misspelling of `l4`.
 *
 * @param most the greatest distance that is close enough. One for each three letters is the limit in any case
 * @example
 * suggestName('replcas', ['replicas', 'template']); // 'replicas'
 */
export function suggestName(name: string, known: Iterable<string>, most = Infinity): string | undefined {
  const limit = Math.min(most, Math.max(1, Math.floor(name.length / 3)));
  const given = name.toLowerCase();
  const isBegun = (candidate: string): boolean => candidate.toLowerCase().startsWith(given);
  let best: { distance: number; name: string } | undefined;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    // No distance is less than the difference of the lengths.
    if (Math.abs(lower.length - given.length) > limit) continue;
    const distance = editDistance(given, lower, limit);
    if (distance > limit) continue;
    const order = best
      ? distance - best.distance ||
        Number(isBegun(best.name)) - Number(isBegun(candidate)) ||
        compareText(candidate, best.name)
      : -1;
    if (order < 0) best = { distance, name: candidate };
  }
  return best?.name;
}

/** Whether two names differ in their digits alone: `us-east-1` and `us-east-2` are no misspellings of each other. */
export function hasOtherDigits(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  return one !== other && one.replaceAll(/\d/g, '') === other.replaceAll(/\d/g, '');
}

/** The hint to use the name that a user probably meant, or another hint if no known name is close enough. */
export function hintAtName(
  name: string,
  known: readonly string[],
  otherwise = `Use one of ${known.join(', ')}`,
): string {
  const meant = suggestName(name, known) ?? findOnlyBegun(name, known);
  return meant === undefined ? otherwise : `Use '${meant}'`;
}

/** The fewest letters that are taken for the start of a name. */
const MIN_START = 3;

/** The only name that begins with a text: `mem` is short for `memory`. */
function findOnlyBegun(start: string, known: readonly string[]): string | undefined {
  if (start.length < MIN_START) return undefined;
  const begun = known.filter((name) => name.toLowerCase().startsWith(start.toLowerCase()));
  return begun.length === 1 ? begun[0] : undefined;
}

/**
 * The longest known name of which another one has more or fewer words at an end: `inferenceClassName` is `className`,
 * and `pools` is short for `nodePools`. Undefined if several are as long.
 */
export function findByWords(name: string, known: readonly string[]): string | undefined {
  const words = wordsIn(name);
  const found = known.filter((candidate) => {
    const others = wordsIn(candidate);
    return name.length > MIN_START && candidate.length > MIN_START && (isEnd(words, others) || isEnd(others, words));
  });
  const [longest, next] = found.sort((a, b) => b.length - a.length || compareText(a, b));
  return longest?.length === next?.length ? undefined : longest;
}

/** `['class', 'name']` of `className`. */
function wordsIn(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

function isEnd(few: readonly string[], many: readonly string[]): boolean {
  return (
    few.every((word, i) => many[i] === word) || few.every((word, i) => many[many.length - few.length + i] === word)
  );
}

/**
 * The object of a fleet that a user probably meant: one with this name after a namespace or cluster, else the
 * nearest name, else the shortest name of which each part begins with the given text.
 *
 * @example
 * suggestObjectName('ml/llama', ['ml/llama-70b', 'ml/qwen']); // 'ml/llama-70b'
 */
export function suggestObjectName(name: string, known: readonly string[]): string | undefined {
  return (
    known.find((candidate) => candidate.endsWith(`/${name}`)) ?? suggestName(name, known) ?? findByPrefixes(name, known)
  );
}

/** The shortest text that is used as a prefix; shorter ones match too many names. */
const MIN_LETTERS = 2;

/** Whether a text contains words, in any case and with any of the usual separators between them. */
export function containsWords(text: string, words: string): boolean {
  const [outer, inner] = [text, words].map((one) => ` ${one.toLowerCase().replaceAll(/[\s_/-]+/g, ' ')} `);
  return inner !== undefined && inner.trim() !== '' && (outer?.includes(inner) ?? false);
}

function findByPrefixes(name: string, known: readonly string[]): string | undefined {
  const parts = name.toLowerCase().split('/');
  if (name.length < MIN_LETTERS) return undefined;
  const matching = known.filter((candidate) => {
    const ends = candidate.toLowerCase().split('/').slice(-parts.length);
    return parts.every((part, i) => ends[i]?.startsWith(part));
  });
  return matching.sort((a, b) => a.length - b.length || compareText(a, b))[0];
}

/**
 * The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
 *
 * @param limit where the distance is greater, the result may be any number above it
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      const distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution, swap);
      row.push(distance);
      least = Math.min(least, distance);
    }
    // From row to row the least never falls, also where letters are swapped.
    if (least > limit) return least;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
