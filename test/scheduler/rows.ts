import type { Resource } from '../../src/api/kinds';
import { placed, run } from './build';

/** A fleet, and where its replicas go when nothing was placed before. */
export interface Case {
  resources: Resource[];
  want: string[];
}

/** Whether a fleet is placed as it should be, in whichever order it is declared. */
export function check({ resources, want }: Case): void {
  expect(placed(run(resources))).toEqual(want);
  expect(placed(run(resources.toReversed()))).toEqual(want);
}
