import type { Comparison } from './compare';

/** A way in which both differ that is known and stands in docs/fidelity.md. */
interface Class {
  readonly name: string;

  /** What to recognise it by. */
  readonly is: (comparison: Comparison) => boolean;
}

const CLASSES: readonly Class[] = [];

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
