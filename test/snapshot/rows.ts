import { type Json, judged, list, node } from './build';

/** What a snapshot shows, and what that means for the pool. */
export interface Case {
  /** Objects next to a whole node `n1`. */
  objects: Json[];
  options?: Parameters<typeof judged>[1];
  /** Lost nodes of the pool, and what a warning says of them. */
  want: [lost: number, ...said: string[]];
}

/** Gives pods what the class of `foreign.test.ts` says. */
export const WIDE = { status: { allocatable: { cpu: '8', memory: '64Gi' } } };

/** Expects that the pool loses as many nodes as a row wants, for the reasons that it says. */
export function judgesAs({ objects, options = {}, want }: Case): void {
  const own = objects.some(({ metadata }) => (metadata as Json)['name'] === 'n1') ? [] : [node('n1', WIDE)];
  const { lost, problems, warnings } = judged({ 'us.yaml': list(...own, ...objects) }, options);
  const [count, ...said] = want;
  expect(problems).toEqual([]);
  expect(lost).toEqual(count > 0 ? { 'us/h100': count } : {});
  expect(warnings).toEqual(said.map((text) => expect.stringContaining(text) as string));
}
