import { isIdentical } from '../identical';
import { compareText, grouping, type Groups } from '../order';
import { inOrder } from './identity';
import { isSamePlacement } from './same-placement';
import type { Placement } from './types';

/** A list never changes once it is made: it is sorted and grouped once, however many ask. */
const SORTED = new WeakMap<readonly Placement[], readonly Placement[]>();
const GROUPED = new WeakMap<readonly Placement[], Groups<string, Placement>>();

/** The placements of each deployment, in the order in which they stand in a list. */
export const linesOf = grouping(({ deployment }: Placement) => deployment, GROUPED);

/** The placements by deployment, cluster and index, as a lock has them. */
export function sortedLines(placements: readonly Placement[]): readonly Placement[] {
  const known = SORTED.get(placements);
  if (known) return known;
  const sorted = inOrder(placements, (placement) => placement);
  SORTED.set(placements, sorted).set(sorted, sorted);
  return sorted;
}

/**
 * All placements by deployment, cluster and index.
 *
 * @param byDeployment those of each deployment, sorted
 */
export function joinedLines(
  byDeployment: readonly (readonly [string, readonly Placement[]])[],
): readonly Placement[] {
  const present = byDeployment.filter(([, lines]) => lines.length > 0);
  const groups = new Map(present.sort(([a], [b]) => compareText(a, b)));
  const joined: Placement[] = [];
  // Many times faster than `flat`.
  for (const lines of groups.values()) for (const line of lines) joined.push(line);
  SORTED.set(joined, joined);
  GROUPED.set(joined, groups);
  return joined;
}

/**
 * The same placements, sorted. Lines of a deployment that a list which is known already has too are taken from there, so
 * that what follows from these alone need not be found again.
 */
export function sharedLines(
  placements: readonly Placement[],
  known: readonly Placement[],
): readonly Placement[] {
  if (placements === known) return sortedLines(known);
  const theirs = linesOf(sortedLines(known));
  const groups = [...linesOf(sortedLines(placements))].map(
    ([id, own]) => [id, shared(own, theirs.get(id))] as const,
  );
  const all = groups.length === theirs.size && groups.every(([id, lines]) => lines === theirs.get(id));
  return all ? sortedLines(known) : joinedLines(groups);
}

function shared(own: readonly Placement[], theirs: readonly Placement[] = []): readonly Placement[] {
  return own.length === theirs.length && own.every((line, i) => isCopy(line, theirs[i])) ? theirs : own;
}

/** To the letter: a plan as JSON shows the pools in their order. */
function isCopy(line: Placement, other: Placement | undefined): boolean {
  return isSamePlacement(line, other) && isIdentical(line.pools, other?.pools);
}
