import { editDistance } from '../../base/name-suggestion';
import { compareText, groupBy } from '../../base/order';
import type { MeasuredRow } from '../../catalog/models/measured-row';
import type { ModelRow } from '../../catalog/models/model-row';
import { MODELS } from '../../catalog/models/models';

/** All models known by name: ours, extended and corrected by those of the user, and the user's measurements. */
export interface ModelBook {
  /** By repository. */
  readonly models: ReadonlyMap<string, ModelRow>;
  readonly measurements: readonly MeasuredRow[];
}

/** The models that come with Fleetwright. */
export const BUILT_IN_MODELS: ModelBook = {
  models: new Map(MODELS.map((row) => [row.repository, row])),
  measurements: [],
};

/** Finds a model by its repository, or by the part after the owner where only one model has it, in any case. */
export function findModel(name: string, { models }: ModelBook): ModelRow | undefined {
  const exact = models.get(name);
  if (exact) return exact;
  const wanted = name.toLowerCase();
  const { byName, byShortName } = namesOf(models);
  const [only, ...others] = byName.get(wanted) ?? byShortName.get(wanted) ?? [];
  return others.length === 0 ? only : undefined;
}

/** The names of models as they are compared, computed once for each set of models: fleets name thousands. */
interface ModelNames {
  readonly byName: ReadonlyMap<string, readonly ModelRow[]>;

  /** By the part after the owner. */
  readonly byShortName: ReadonlyMap<string | undefined, readonly ModelRow[]>;
  readonly words: readonly NameWords[];
}

interface NameWords {
  readonly repository: string;
  readonly words: readonly string[];

  /** All words without what is between them. */
  readonly letters: string;
}

const NAMES = new WeakMap<ModelBook['models'], ModelNames>();

function namesOf(models: ModelBook['models']): ModelNames {
  const known = NAMES.get(models);
  if (known) return known;
  const rows = [...models.values()];
  const names = {
    byName: groupBy(rows, ({ repository }) => repository.toLowerCase()),
    byShortName: groupBy(rows, ({ repository }) => repository.toLowerCase().split('/')[1]),
    words: [...models.keys()].map(wordsOf),
  };
  NAMES.set(models, names);
  return names;
}

function wordsOf(repository: string): NameWords {
  const words = repository.toLowerCase().split(/[-_./]/);
  return { repository, words, letters: words.join('') };
}

/** The models whose repository contains a text, sorted. An empty text finds all. */
export function searchModels(query: string, { models }: ModelBook): ModelRow[] {
  const wanted = query.toLowerCase();
  return [...models.values()]
    .filter(({ repository }) => repository.toLowerCase().includes(wanted))
    .sort((a, b) => compareText(a.repository.toLowerCase(), b.repository.toLowerCase()));
}

/** The three names nearest to one that no model has. */
export function findNearestModels(name: string, book: ModelBook): string[] {
  return rankModels(name, [...book.models.keys()])
    .slice(0, NEAREST)
    .map(({ repository }) => repository);
}

const NEAREST = 3;

/** The nearest names of models with the same purpose that are alike enough for a misspelling or a sibling of the model. */
export function findSimilarModels(name: string, book: ModelBook): string[] {
  const { words } = wordsOf(name);
  const siblings = namesOf(book.models).words.filter((known) => haveSamePurpose(words, known.words));
  return rankModels(
    name,
    siblings.map(({ repository }) => repository),
  )
    .slice(0, NEAREST)
    .flatMap(({ repository, score }) => (score >= SIMILAR ? [repository] : []));
}

const SIMILAR = 0.7;

/** Words that tell a model from its siblings which generate text. */
const PURPOSES: ReadonlySet<string> = new Set([
  'audio',
  'coder',
  'embed',
  'embedding',
  'guard',
  'math',
  'ocr',
  'omni',
  'reranker',
  'vision',
  'vl',
]);

/** Whether each name has the purposes of the other. */
function haveSamePurpose(one: readonly string[], other: readonly string[]): boolean {
  return namesPurposes(one, other) && namesPurposes(other, one);
}

/** Whether words include the purposes among others, exactly or, where these are long enough, misspelled. */
function namesPurposes(words: readonly string[], others: readonly string[]): boolean {
  return others.every((purpose) => {
    const mayBeMisspelled = purpose.length >= SHORTEST_WORD;
    return (
      !PURPOSES.has(purpose) ||
      words.includes(purpose) ||
      (mayBeMisspelled && words.some((word) => isNear(word, purpose)))
    );
  });
}

function isNear(written: string, word: string): boolean {
  return editDistance(written, word, MAX_TYPOS) <= MAX_TYPOS;
}

/**
 * The model whose name was probably misspelled. Words that are short or have other digits are of other models: `-it` and
 * `-pt`, `-4k` and `-128k`.
 */
export function findMisspelledModel(name: string, book: ModelBook): string | undefined {
  if (findModel(name, book)) return undefined;
  const written = wordsOf(name);
  const meant = namesOf(book.models).words.filter((known) => isMisspelling(written, known));
  const [nearest] = rankModels(
    name,
    meant.map(({ repository }) => repository),
  );
  return nearest?.repository;
}

function isMisspelling(written: NameWords, meant: NameWords): boolean {
  if (written.letters === meant.letters) return true;
  if (written.words.length !== meant.words.length) return false;
  const differing = meant.words.flatMap((word, i) =>
    word === written.words[i] ? [] : [[word, written.words[i] ?? '']],
  );
  const [one, ...others] = differing;
  const [word = '', instead = ''] = one ?? [];
  if (!one || others.length > 0) return false;
  return (
    word.replaceAll(/\d/g, '').length >= SHORTEST_WORD && digitsOf(word) === digitsOf(instead) && isNear(instead, word)
  );
}

const SHORTEST_WORD = 4;
const MAX_TYPOS = 2;

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Sorts repositories, those nearest to a name first. */
function rankModels(
  name: string,
  repositories: readonly string[],
): { readonly repository: string; readonly score: number }[] {
  const given = { name, lower: name.toLowerCase(), pairs: pairsOf(name) };
  return repositories
    .map((repository) => ({ repository, score: similarity(given, repository) }))
    .sort((a, b) => b.score - a.score || compareText(a.repository, b.repository));
}

interface GivenName {
  readonly name: string;
  readonly lower: string;
  readonly pairs: readonly string[];
}

/** The share of pairs of neighbouring letters that two names have in common, without the owner if one lacks it. */
function similarity({ name, lower, pairs }: GivenName, repository: string): number {
  const known = name.includes('/') ? repository : (repository.split('/')[1] ?? repository);
  // 'Qwen/Qwen3-32B-Instruct' is a model that has no separate version for instructions.
  if (lower.startsWith(`${known.toLowerCase()}-`)) return 1;
  const left = pairsOf(known);
  const all = pairs.length + left.length;
  const common = pairs.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / all;
}

function pairsOf(text: string): string[] {
  const plain = text.toLowerCase();
  return Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2));
}
