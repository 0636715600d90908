import type { Resource } from '../../../src/api/kinds';
import { listNewlyUnpriced } from '../../../src/report/cost/cost-notes';
import { aCache, aClass, aCluster } from '../../api/build';
import { costOf } from '../../cost/fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10 } });
const FREE = aClass('free');
const eu = (...pools: string[]) =>
  aCluster('eu', {
    pools: Object.fromEntries(pools.map((pool) => [pool, 1])),
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
  });
const CACHE = aCache('ml/weights', { stage: 'Everywhere' });

const cases: Record<string, { later: Resource[]; want: string[] }> = {
  'a volume alone asks for its price in the file, because it has no class': {
    later: [TEN, eu('ten'), CACHE],
    want: ["no price: eu / cache ml/weights. State a price in the file of 'prices' of the Fleet."],
  },
  'nodes next to a volume ask for their price in the class too': {
    later: [TEN, FREE, eu('ten', 'free'), CACHE],
    want: [
      "no price: eu / free, eu / cache ml/weights. State a price in 'price' of the InferenceClass, or in the file of 'prices' of the Fleet.",
    ],
  },
  'what has a price asks for nothing': { later: [TEN, eu('ten')], want: [] },
};

test.each(Object.entries(cases))('of what a change buys, %s', (_, { later, want }) => {
  expect(listNewlyUnpriced(costOf(later), costOf([TEN, eu('ten')]))).toEqual(want);
});
