import type { Resource } from '../../src/api/kinds';
import type { Placement } from '../../src/scheduler/placement';
import { placed, run } from './build';

/** A fleet that changed since it was placed, and what becomes of its replicas. */
export interface Change {
  /** The fleet on which the previous state was decided. */
  before: Resource[];
  resources: Resource[];
  /** Changes of the previous state: what a merge may have done. */
  edit?: (previous: readonly Placement[]) => Placement[];
  /** Whether it is known what the replicas of the previous state are made of. */
  known?: boolean;
  want: string[];
  evicted?: string[];
}

/** Whether a changed fleet is placed as it should be, in any order, and then stays so. */
export function checkChange({
  before,
  resources,
  edit = (previous) => [...previous],
  known = false,
  want,
  evicted = [],
}: Change): void {
  const previous = edit(run(before).placements);
  const former = known ? before : [];
  const result = run(resources, previous, former);
  expect(placed(result)).toEqual(want);
  expect(
    result.evictions.map(({ placement: p, reason }) => `${p.deployment} ${p.cluster}/${p.index} ${reason.kind}`),
  ).toEqual(evicted);
  expect(placed(run(resources.toReversed(), previous.toReversed(), former))).toEqual(want);
  expect(placed(run(resources, result.placements, former))).toEqual(want);
}
