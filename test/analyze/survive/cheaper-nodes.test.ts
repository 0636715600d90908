import * as fc from 'fast-check';
import { findCheaperSet, type PricedPool } from '../../../src/analyze/survive/cheaper-nodes';
import { findSmallestSet } from '../../../src/analyze/survive/minimize-nodes';
import type { ExtraNodeCounts } from '../../../src/analyze/survive/simulate-loss';

/** FLEETWRIGHT_RUNS=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_RUNS ?? 0) || 100, seed: 7 };

/** What a node of each pool costs, and how many replicas it takes. */
interface Offer extends PricedPool {
  readonly takes: number;
}

const BIG: Offer = { key: 'us/big', price: 30, takes: 2 };
const SMALL: Offer = { key: 'us/small', price: 10, takes: 1 };

/** Finds the cheaper set for a number of replicas, at most so many trials allowed. */
function cheaperFor(replicas: number, known: Record<string, number>, offers: readonly Offer[], trials = 1_000) {
  let left = trials;
  const enough = (extra: ExtraNodeCounts) => (left-- > 0 ? taken(extra, offers) >= replicas : undefined);
  const priced = offers.filter(({ price }) => !Number.isNaN(price)).sort((a, b) => a.price - b.price);
  const found = findCheaperSet(new Map(Object.entries(known)), priced, 1, enough);
  return found && { ...Object.fromEntries(found.extra), cheapest: found.isCheapest };
}

function taken(extra: ExtraNodeCounts, offers: readonly Offer[]): number {
  return offers.reduce((sum, { key, takes }) => sum + takes * (extra.get(key) ?? 0), 0);
}

test.each<[string, ReturnType<typeof cheaperFor>, Record<string, number | boolean> | undefined]>([
  ['more nodes of a cheaper pool', cheaperFor(4, { 'us/big': 2 }, [BIG, SMALL]), { 'us/small': 4, cheapest: true }],
  [
    'none where the smallest set is the cheapest',
    cheaperFor(2, { 'us/big': 1 }, [{ ...BIG, price: 20 }, SMALL]),
    undefined,
  ],
  [
    'a set of two pools',
    cheaperFor(3, { 'us/big': 2 }, [{ ...BIG, price: 18 }, SMALL]),
    { 'us/big': 1, 'us/small': 1, cheapest: true },
  ],
  [
    'none where only the last digit of the sum of its prices is less',
    cheaperFor(3, { 'us/small': 1, 'us/big': 1 }, [
      { ...SMALL, price: 0.7 },
      { ...BIG, price: 0.9 },
    ]),
    undefined,
  ],
  [
    'none where as many nodes of a cheaper pool cost the same',
    cheaperFor(3, { 'us/big': 1 }, [
      { ...SMALL, price: 0.7 },
      { ...BIG, price: 2.1, takes: 3 },
    ]),
    undefined,
  ],
  [
    'nodes that cost nothing',
    cheaperFor(2, { 'us/big': 2 }, [BIG, { ...SMALL, price: 0 }]),
    { 'us/small': 2, cheapest: true },
  ],
  [
    'none where a node of the known set has no price',
    cheaperFor(2, { 'us/big': 1 }, [{ ...BIG, price: NaN }, SMALL]),
    undefined,
  ],
  [
    'a cheaper set, not the cheapest, where the budget ends first',
    cheaperFor(4, { 'us/big': 2 }, [BIG, SMALL], 4),
    { 'us/small': 4, cheapest: false },
  ],
  ['none where the budget ends before one is found', cheaperFor(4, { 'us/big': 2 }, [BIG, SMALL], 0), undefined],
])('of nodes to add: %s', (_, found, want) => {
  expect(found).toEqual(want);
});

const offers = fc
  .array(fc.record({ price: fc.integer({ min: 1, max: 9 }), takes: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.map((one, i): Offer => ({ key: `us/${i}`, ...one })).sort((a, b) => a.price - b.price));

/** The lowest cost at which a number of replicas is taken. */
function lowestCost(replicas: number, all: readonly Offer[]): number {
  const costs = [0];
  for (let r = 1; r <= replicas; r++) {
    costs[r] = Math.min(...all.map(({ price, takes }) => price + costs[Math.max(0, r - takes)]!));
  }
  return costs[replicas]!;
}

test('a set that is said to be the cheapest is, and without one the smallest set is the cheapest', () => {
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 12 }), (all, replicas) => {
      const enough = (extra: ExtraNodeCounts): boolean => taken(extra, all) >= replicas;
      const keys = all.map(({ key }) => key);
      const smallest = findSmallestSet(new Map([[keys[0]!, replicas]]), keys, enough);
      const { extra, isCheapest } = findCheaperSet(smallest.extra, all, smallest.atLeast, enough) ?? {
        extra: smallest.extra,
        isCheapest: true,
      };
      expect(isCheapest).toBe(true);
      expect(enough(extra)).toBe(true);
      const cost = all.reduce((sum, { key, price }) => sum + price * (extra.get(key) ?? 0), 0);
      expect(cost).toBe(lowestCost(replicas, all));
    }),
    RUNS,
  );
});
