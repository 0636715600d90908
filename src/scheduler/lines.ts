import { grouping } from '../order';
import { inOrder } from './identity';
import type { Placement } from './types';

/** The placements of each deployment, in the order in which they stand in a list. */
export const linesOf = grouping(({ deployment }: Placement) => deployment);

/** The placements by deployment, cluster and index, as a lock has them. */
export function sortedLines(placements: readonly Placement[]): readonly Placement[] {
  const sorted = SORTED.get(placements) ?? inOrder(placements, (placement) => placement);
  SORTED.set(placements, sorted);
  return sorted;
}

/** A list never changes once it is made: it is sorted once, however many ask. */
const SORTED = new WeakMap<readonly Placement[], readonly Placement[]>();
