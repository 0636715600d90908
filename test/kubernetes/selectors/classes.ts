import type { Comparison } from './compare';

/** A way in which both differ that is known, and named in docs/fidelity.md. */
interface Class {
  readonly name: string;

  /** What to recognise it by. */
  readonly is: (comparison: Comparison) => boolean;
}

const ours =
  (pattern: RegExp) =>
  ({ ourWords }: Comparison) =>
    pattern.test(ourWords);
const theirs =
  (pattern: RegExp) =>
  ({ theirWords }: Comparison) =>
    pattern.test(theirWords);
const text =
  (pattern: RegExp) =>
  ({ expression }: Comparison) =>
    pattern.test(expression);
const selects = ({ ours }: Comparison): boolean => ours === 'true';
const refuses = ({ ours }: Comparison): boolean => ours === 'compile error' || ours === 'runtime error';

/** The first class that fits counts. */
const CLASSES: readonly Class[] = [
  { name: 'not supported offline', is: ours(/is not supported offline/) },
  { name: 'literals .5 and [,]', is: ours(/syntax error: unexpected token: '[.,]'/) },
  {
    name: 'the smallest integer, negated',
    is: ours(/ 9223372036854775808 does not fit|^9223372036854775808 does/),
  },
  { name: 'relations that need parentheses here', is: ours(/needs parentheses/) },
  { name: 'variables that are types', is: theirs(/reference to undefined type/) },
  { name: 'types of what comes from empty lists', is: (one) => !selects(one) && emptyList(one) },
  {
    name: 'amounts that add and sub change (a mistake of Kubernetes)',
    is: (one) =>
      text(/\.(add|sub)\(/)(one) && [one.ours, one.theirs].every((end) => end === 'true' || end === 'false'),
  },
  { name: 'a version against another type', is: (one) => !selects(one) && version(one) },
  {
    name: 'NaN, which has no order',
    is: (one) => !selects(one) && theirs(/NaN values cannot be ordered/)(one),
  },
  {
    name: 'types that Kubernetes infers and we find when we run, or not at all',
    is: (one) => !selects(one) && (refuses(one) || theirs(/^compilation failed/)(one)),
  },
];

function emptyList(one: Comparison): boolean {
  const typed =
    ours(/from an empty list|'undefined'|<dyn>|found 'dyn'|Cannot mix/)(one) || theirs(/list\(/)(one);
  return typed && text(/\[\]|none\(\)/)(one);
}

function version(one: Comparison): boolean {
  return (
    ours(/a version is compared/)(one) ||
    (theirs(/^no such overload$/)(one) && text(/version|release|stages|semver/)(one))
  );
}

/** The comparisons of each known class, and those of none. */
export function classify(different: readonly Comparison[]): {
  known: ReadonlyMap<string, readonly Comparison[]>;
  unknown: readonly Comparison[];
} {
  const known = new Map<string, Comparison[]>();
  const unknown: Comparison[] = [];
  for (const comparison of different) {
    const found = CLASSES.find(({ is }) => is(comparison));
    if (!found) unknown.push(comparison);
    else known.set(found.name, [...(known.get(found.name) ?? []), comparison]);
  }
  return { known, unknown };
}
