import { formatAddedCost } from '../../src/diff/added-cost';

type Bounds = readonly [least: number, most: number];

/** What is added costs a month: with the fewest nodes, with the most, and as text. */
const costs: Record<string, readonly [Bounds, string]> = {
  'one amount where no autoscaler is about': [[1461, 1461], '+$1,461 a month'],
  'the lower bound first': [[0, 1461], '$0 to +$1,461 a month'],
  'the lower bound first where nodes that an autoscaler may run now always run': [[1461, 0], '$0 to +$1,461 a month'],
  'no amount where the cost stays as it is': [[0, 0], 'cost unchanged'],
};

describe('the cost of an earlier change has', () => {
  test.each(Object.entries(costs))('%s', (_, [[least, most], text]) => {
    expect(formatAddedCost({ least, most, currency: 'USD' })).toBe(text);
  });
});
