import * as fc from 'fast-check';
import { assignDevices } from '../../../src/scheduler/devices/assign-devices';
import { daily } from '../../daily';

const cases: Record<string, { wants: number[]; has: number[]; matches: number[][]; want: number[][] | undefined }> = {
  'a request takes from the kind that it matches': {
    wants: [2],
    has: [1, 4],
    matches: [[1]],
    want: [[0, 2]],
  },
  'a request takes from several kinds': { wants: [5], has: [4, 4], matches: [[0, 1]], want: [[4, 1]] },
  'a request that could take several kinds makes way for one that cannot': {
    wants: [4, 4],
    has: [4, 4],
    matches: [[0, 1], [0]],
    want: [
      [0, 4],
      [4, 0],
    ],
  },
  'making way goes over several requests': {
    wants: [1, 1, 1],
    has: [1, 1, 1],
    matches: [[0, 1], [1, 2], [0]].map((kinds) => kinds),
    want: [
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ],
  },
  'too few devices for all requests together': {
    wants: [4, 4],
    has: [4, 3],
    matches: [
      [0, 1],
      [0, 1],
    ],
    want: undefined,
  },
  'a request that matches nothing': { wants: [1], has: [4], matches: [[]], want: undefined },
};

describe('assignDevices', () => {
  test.each(Object.entries(cases))('%s', (_, { wants, has, matches, want }) => {
    expect(assignDevices(wants, has, matches)).toEqual(want);
  });

  test('finds an assignment exactly when Hall’s condition holds, and one that adds up', () => {
    const scenario = fc.record({
      has: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
      requests: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.subarray([0, 1, 2])), {
        minLength: 1,
        maxLength: 4,
      }),
    });
    fc.assert(
      fc.property(scenario, ({ has, requests }) => {
        const wants = requests.map(([count]) => count);
        const matches = requests.map(([, kinds]) => kinds);
        const taken = assignDevices(wants, has, matches);
        expect(taken !== undefined).toBe(hall(wants, has, matches));
        for (const [r, kinds] of (taken ?? []).entries()) {
          expect(kinds.reduce((a, b) => a + b, 0)).toBe(wants[r]);
          expect(kinds.every((count, k) => count === 0 || matches[r]!.includes(k))).toBe(true);
        }
        for (const [k, count] of has.entries()) {
          expect((taken ?? []).reduce((sum, kinds) => sum + kinds[k]!, 0)).toBeLessThanOrEqual(count);
        }
      }),
      { numRuns: daily(500) },
    );
  });
});

/** Every set of requests has enough devices among the kinds that any of them matches. */
function hall(wants: number[], has: number[], matches: number[][]): boolean {
  const subsets = Array.from({ length: 2 ** wants.length }, (_, bits) =>
    wants.map((_, r) => r).filter((r) => bits & (1 << r)),
  );
  return subsets.every((subset) => {
    const kinds = new Set(subset.flatMap((r) => matches[r]!));
    const supply = [...kinds].reduce((sum, k) => sum + has[k]!, 0);
    return subset.reduce((sum, r) => sum + wants[r]!, 0) <= supply;
  });
}
