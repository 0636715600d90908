import type { Comparison } from './compare';

/** A way in which both differ that is known, and named in docs/fidelity.md. */
interface Class {
  readonly name: string;

  /** What to recognise it by. */
  readonly is: (comparison: Comparison) => boolean;

  /** Whether devices may be selected by one and not by the other. Default: no, which fails the run. */
  readonly selection?: true;
}

const ours =
  (pattern: RegExp) =>
  ({ ourWords }: Comparison) =>
    pattern.test(ourWords);

const EMPTY = /\[\s*,?\s*\]|\{\s*,?\s*\}|none\(\)/;
const ERRORS = new Set(['compile error', 'runtime error']);

/** The first class that fits counts. */
const CLASSES: readonly Class[] = [
  {
    name: 'answers of Kubernetes that change from run to run',
    is: ({ alsoTheirs, ours }) => alsoTheirs.includes(ours),
    selection: true,
  },
  {
    name: 'optional elements of lists and maps',
    is: ({ ours, expression }) => ours === 'compile error' && /[[{,]\s*\?/.test(expression),
    selection: true,
  },
  {
    name: 'the smallest integer, negated',
    is: ours(/ 9223372036854775808 does not fit|^9223372036854775808 does/),
  },
  { name: 'types of what comes from empty lists and maps', is: ({ expression }) => EMPTY.test(expression) },
  {
    name: 'found when compiling by one, and when it runs by the other, or not at all',
    is: ({ ours, theirs }) => ERRORS.has(ours) || theirs === 'compile error',
  },
];

/** Comparisons of a class, and whether they may differ in what is selected. */
export interface Known {
  readonly name: string;
  readonly selection: boolean;
  readonly comparisons: readonly Comparison[];
}

/** The comparisons of each known class, and those of none. */
export function classify(different: readonly Comparison[]): {
  known: readonly Known[];
  unknown: readonly Comparison[];
} {
  const classOf = new Map(different.map((one) => [one, CLASSES.find(({ is }) => is(one))]));
  const known = CLASSES.map((one) => ({
    name: one.name,
    selection: one.selection === true,
    comparisons: different.filter((comparison) => classOf.get(comparison) === one),
  }));
  return {
    known: known.filter(({ comparisons }) => comparisons.length > 0),
    unknown: different.filter((comparison) => !classOf.get(comparison)),
  };
}
