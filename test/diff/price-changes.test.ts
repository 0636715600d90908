import type { Resource } from '../../src/api/kinds';
import { diffPrices } from '../../src/diff/price-changes';
import { describePriceChanges } from '../../src/report/cost/price-change-text';
import { aClass, aCluster, MACHINES } from '../api/build';
import { state } from './build';

const priced = (perHour: number, more = {}): Resource => aClass('h100', { price: { perHour }, ...more });
const US = aCluster('us', { pools: { h100: 1 } });
const EU = aCluster('eu', { pools: { h100: 1 } });
const fleetOf = (...resources: Resource[]) => state('', resources).decision.fleet;

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'a price that stays is no change': { before: [priced(10), US], after: [priced(10), US, EU], want: [] },
  'a price that rises is named with both values, once for all pools': {
    before: [priced(10), US, EU],
    after: [priced(12.5), US, EU],
    want: ['the price of InferenceClass h100 changes from $10.00 to $12.50 an hour'],
  },
  'another machine is another node': {
    before: [aClass('h100', { provisioning: MACHINES.GKE }), US],
    after: [priced(12), US],
    want: [],
  },
  'a price that is new, or is no longer known, is no change of a price': {
    before: [aClass('h100'), US],
    after: [priced(12), US],
    want: [],
  },
};
test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(describePriceChanges(diffPrices(fleetOf(...before), fleetOf(...after)), 'USD')).toEqual(want);
});

test('of many changes, three are named', () => {
  const changes = ['a', 'b', 'c', 'd'].map((node) => ({ node, before: 1, after: 2, source: 'prices.yaml' }));
  expect(describePriceChanges(changes, 'USD')).toEqual([
    'prices of an hour change: a from $1.00 to $2.00, b from $1.00 to $2.00, c from $1.00 to $2.00, 1 more',
  ]);
});
