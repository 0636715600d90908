/** A row of the glossary: what to write, instead of what. */
export interface WordRule {
  readonly use: string;
  /** Finds each phrase not to use. */
  readonly avoid: RegExp;
  /** Finds phrases in which they are right. */
  readonly except?: RegExp;
}

interface Suggestion {
  readonly index: number;
  readonly offset: number;
  readonly reason: string;
}

/** It has no declarations of types. */
const suggest = require('write-good') as (text: string, options: object) => readonly Suggestion[];

/**
 * Its rules on adverbs, 'weasel words' and 'so' are off: they count words such as 'only' and 'many', on which the meaning
 * of a limit depends. So is that on the passive voice, which finds 1,300 places. Nearly all are states, such as 'is known',
 * or have no other subject than 'the plan' or 'Kubernetes'.
 */
const STYLE = { passive: false, adverb: false, weasel: false, thereIs: false, so: false };

/** What it takes for wordy: words of Kubernetes and of this product, and phrases without a shorter form. */
const NOT_WORDY = new Set(
  [
    ['it is', 'it was', 'all of', 'type of', 'a number of', 'in addition', 'as to', 'in between', 'provided that'],
    ['validate', 'evaluate', 'allocate', 'terminate', 'maximum', 'minimum', 'multiple', 'however', 'therefore'],
    ['requirement', 'utilization', 'outside of', 'monitor', 'modify', 'indicate', 'initiate', 'implement'],
  ].flat(),
);

/** The rules in the tables of a glossary whose header has the column 'do not use'. */
export function parseGlossary(markdown: string): WordRule[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const [use = '', avoid, except, meaning] = row.split('|').slice(1, -1);
    if (!avoid?.trim() || meaning === undefined || /^-+$|^do not use$/.test(avoid.trim())) return [];
    const exception = except?.trim() ? { except: phrasesOf(except) } : {};
    return [{ use: use.trim(), avoid: phrasesOf(avoid), ...exception }];
  });
}

/** What is wrong with a text, by the words of the glossary and, with `style`, by the rules of write-good. */
export function findFaults(text: string, rules: readonly WordRule[], style = true): string[] {
  const prose = withoutCode(text);
  const words = rules.flatMap(({ use, avoid, except }) => {
    const rest = except ? prose.replace(except, '') : prose;
    return [...rest.matchAll(avoid)].map(([found]) => `'${found}'. Write '${use}'`);
  });
  return style ? [...words, ...styleFaults(prose)] : words;
}

function styleFaults(prose: string): string[] {
  return suggest(prose, STYLE).flatMap(({ index, offset, reason }) => {
    const found = prose.slice(index, index + offset).toLowerCase();
    return NOT_WORDY.has(found) || /^\d/.test(found) ? [] : [`${reason.replaceAll('"', "'")}. Rephrase it`];
  });
}

/** Code, quoted names and addresses are not prose. */
export function withoutCode(text: string): string {
  return text
    .replace(/`[^`]*`/g, '`')
    .replace(/'[^' ]*'/g, "'")
    .replace(/\]\([^)]*\)|https?:\/\/\S+/g, ']');
}

function phrasesOf(cell: string): RegExp {
  const phrases = cell.split(',').map((phrase) => phrase.trim());
  return new RegExp(String.raw`(?<![\w.-])(?:${phrases.join('|')})(?![\w-]|\.\w)`, 'gi');
}
