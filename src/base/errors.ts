import { type Excerpt, formatExcerpt } from './excerpt';

/** Something wrong with what a user declared, with the place and the cure. */
export interface Problem {
  /** A stable, kebab-case name of the kind of problem, for machines: `unknown-field`, `bad-selector`. */
  readonly code: string;

  /** Where it is: `file:line:column`, a construct path, or a file name. */
  readonly where: string;

  /** What is wrong, with the value in question, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;

  /** The part of an expression that it is about. */
  readonly excerpt?: Excerpt;
}

/** One line for a problem: `where: what is wrong. What to do.` Below it the part of an expression, if it is about one. */
export function describe({ where, what, hint, excerpt }: Problem): string {
  const line = `${where}: ${what}.${hint ? ` ${hint}${hint.endsWith('?') ? '' : '.'}` : ''}`;
  return excerpt ? `${line}\n${formatExcerpt(excerpt)}` : line;
}

/**
 * Problems, each once: two who ask the same of a resource find the same, and so does one who reads an alias in which
 * something stands twice.
 */
export function dedupeProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((one) => [describe(one), one])).values()];
}

/**
 * The input is wrong. Carries every problem of the run once, sorted by place, so that a user mends all at once.
 *
 * @example
 * throw new FleetwrightError([{ code: 'bad-quantity', where: 'a.yaml:3:9', what: "'80 Gi' is no quantity", hint: "Write '80Gi'" }]);
 */
export class FleetwrightError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    const told = dedupeProblems([...problems].sort(byPlace));
    super(told.map(describe).join('\n'), options);
    this.name = 'FleetwrightError';
    this.problems = told;
  }

  /** The code of the first problem. */
  get code(): string {
    return this.problems[0]?.code ?? 'unknown';
  }
}

const collator = new Intl.Collator('en', { numeric: true });

/** Sorts by file, then line and column as numbers, then text. */
function byPlace(a: Problem, b: Problem): number {
  return collator.compare(a.where, b.where) || collator.compare(a.what, b.what);
}
