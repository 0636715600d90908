import * as fc from 'fast-check';
import { computeWeights, type WeightShare } from '../../src/routing/weights';

type Case = readonly [shares: readonly (readonly [weight: number, ...counts: number[]])[], want: number[][]];

const cases: Record<string, Case> = {
  'replicas of an entry get the same': [
    [
      [80, 1, 1, 1],
      [20, 1],
    ],
    [[4, 4, 4], [3]],
  ],
  'an entry is spread by how many replicas each member has': [
    [
      [80, 2, 1],
      [20, 1],
    ],
    [[8, 4], [3]],
  ],
  'an entry with more replicas gets no more than it declares': [
    [
      [1, 1, 1],
      [3, 1],
    ],
    [[1, 1], [6]],
  ],
  'equal entries need no large numbers': [
    [
      [2, 1],
      [2, 1],
    ],
    [[1], [1]],
  ],
  'what is above the bound of Gateway API is scaled down, to 1 at least': [
    [
      [1_000_000, 1],
      [1, 1, 1],
    ],
    [[1_000_000], [1, 1]],
  ],
  'what is scaled down is rounded': [
    [
      [1_000_000, 1],
      [999_999, 1, 1],
    ],
    [[1_000_000], [500_000, 500_000]],
  ],
  'an entry without members takes nothing': [
    [[5], [20, 1]],
    [[], [1]],
  ],
  'no entries, no weights': [[], []],
};

function shares(rows: Case[0]): WeightShare[] {
  return rows.map(([weight, ...counts]) => ({ weight, counts }));
}

describe('exactWeights', () => {
  test.each(Object.entries(cases))('%s', (_, [rows, want]) => {
    expect(computeWeights(shares(rows))).toEqual(want);
  });
});

const entry = fc.record({
  weight: fc.integer({ min: 1, max: 100 }),
  counts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
});

test('entries share as they declare, and every replica of one gets the same', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), (declared) => {
      const weights = computeWeights(declared);
      const sums = weights.map((own) => own.reduce((sum, weight) => sum + weight, 0));
      fc.pre(Math.max(...weights.flat()) < 1_000_000);
      for (const [i, { weight, counts }] of declared.entries()) {
        expect(sums[i]! * declared[0]!.weight).toBe(sums[0]! * weight);
        expect(new Set(counts.map((count, j) => weights[i]![j]! / count)).size).toBe(1);
      }
      expect(weights.flat().reduce(divisor, 0)).toBe(1);
    }),
  );
});

test('weights are whole numbers that Gateway API takes, whatever is declared', () => {
  const large = fc.record({
    weight: fc.integer({ min: 1, max: 1_000_000 }),
    counts: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 8 }),
  });
  fc.assert(
    fc.property(fc.array(large, { maxLength: 16 }), (declared) => {
      for (const weight of computeWeights(declared).flat()) {
        expect(Number.isInteger(weight) && weight >= 1 && weight <= 1_000_000).toBe(true);
      }
    }),
  );
});

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
