import * as fc from 'fast-check';
import { findGroupedClusters, groupBackends, MAX_BACKENDS } from '../../src/routing/backend-groups';
import type { RouteMember } from '../../src/routing/routing';

/** A member for `count` replicas on a cluster of its own. */
function member(i: number, count = 1, more: Partial<RouteMember> = {}): RouteMember {
  return {
    kind: 'Edge',
    tier: 0,
    weight: count,
    entry: 0,
    hostname: `0.llama.chat.ml.c${i}.fleetwright.internal`,
    cluster: `c${i}`,
    target: { namespace: 'ml', name: 'llama' },
    replicas: Array.from({ length: count }, (_, index) => index),
    ...more,
  };
}

const many = (length: number, make: (i: number) => RouteMember = (i) => member(i)): RouteMember[] =>
  Array.from({ length }, (_, i) => make(i));

/** The bundles of members, as `weight: number of members`. */
const shapes = (members: readonly RouteMember[]): string[] =>
  groupBackends({ members }).map((bundle) => `${bundle.weight}: ${bundle.members.length}`);

const cases: Record<string, { members: RouteMember[]; want: string[] }> = {
  '16 members stand for themselves': {
    members: many(16, (i) => member(i, i + 1)),
    want: Array.from({ length: 16 }, (_, i) => `${i + 1}: 1`),
  },
  '17 of equal shares stand together': { members: many(17), want: ['1: 17'] },
  'those with another number of replicas stand apart': {
    members: many(100, (i) => member(i, i < 60 ? 1 : 2)),
    want: ['3: 60', '4: 40'],
  },
  'those of another entry stand apart, though their share is the same': {
    members: many(20, (i) => member(i, 1, { entry: i % 2 })),
    want: ['1: 10', '1: 10'],
  },
  'tiers have shares of their own': {
    members: [...many(20), ...many(3, (i) => member(i + 20, 2, { tier: 1 }))],
    want: ['1: 20', '1: 3'],
  },
  'endpoints stand apart from edges': {
    members: [...many(20), member(20, 1, { kind: 'External', replicas: [] })],
    want: ['20: 20', '1: 1'],
  },
  'one Backend has 256 endpoints at most': { members: many(600), want: ['32: 256', '32: 256', '11: 88'] },
  'weights above the bound of Gateway API are scaled down': {
    members: [...many(20, (i) => member(i, 1, { weight: 999_999 })), member(20, 2, { weight: 1, entry: 1 })],
    want: ['1000000: 20', '1: 1'],
  },
};

describe('members of a rule', () => {
  test.each(Object.entries(cases))('%s', (_, { members, want }) => expect(shapes(members)).toEqual(want));

  test('get what they would get alone, whatever is next to them', () => {
    const members = fc.array(fc.record({ count: fc.integer({ min: 1, max: 6 }), tier: fc.constantFrom(0, 1) }), {
      minLength: MAX_BACKENDS + 1,
      maxLength: 120,
    });
    fc.assert(
      fc.property(members, (drawn) => {
        const all = drawn.map(({ count, tier }, i) => member(i, count, { tier: tier as 0 | 1 }));
        const bundles = groupBackends({ members: all });
        for (const tier of [0, 1]) {
          const own = bundles.filter((bundle) => bundle.members[0]?.tier === tier);
          const ratios = own.flatMap((bundle) =>
            bundle.members.map(({ weight }) => bundle.weight / bundle.members.length / weight),
          );
          expect(new Set(ratios.map((ratio) => ratio.toFixed(9))).size).toBeLessThanOrEqual(1);
        }
        expect(bundles.flatMap((bundle) => bundle.members)).toHaveLength(all.length);
        expect(new Set(bundles.map(({ key }) => key)).size).toBe(bundles.length);
      }),
      { numRuns: 50 },
    );
  });

  test('keep the key of their bundle when weights change', () => {
    const [one, other] = [3, 7].map((weight) => {
      return groupBackends({ members: many(20, (i) => member(i, 1, { weight })) }).map(({ key }) => key);
    });
    expect(one).toEqual(other);
  });
});

describe('edges that need the name of all edges', () => {
  const here = many(20, (i) => member(i, 1, { cluster: 'c' }));
  const rows: Record<string, { members: RouteMember[]; want: string[] }> = {
    'are those in a bundle with others': { members: many(17), want: many(17).map((one) => one.cluster!) },
    'are none where a bundle has one cluster': { members: here, want: [] },
    'are none where members stand for themselves': { members: many(16), want: [] },
  };
  test.each(Object.entries(rows))('%s', (_, { members, want }) => {
    expect([...findGroupedClusters([{ headers: [], members }])]).toEqual(want);
  });
});
