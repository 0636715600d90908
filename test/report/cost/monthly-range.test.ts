import { formatKnownRange } from '../../../src/report/cost/monthly-range';

const sum = (perMonth: number | undefined, unknown = 0) => ({ ...(perMonth !== undefined && { perMonth }), unknown });

test.each([
  ['an exact cost has no sign', sum(100), sum(100), '$100'],
  ['two bounds are a range', sum(100), sum(200), '$100 to $200'],
  ['a part without a price makes a lower bound', sum(100, 1), sum(100, 1), '≥ $100'],
  ['a range above what has no price has one sign', sum(100, 1), sum(200, 1), '≥ $100 to $200'],
  ['only nodes that an autoscaler may add have no price', sum(100), sum(200, 1), '$100 to ≥ $200'],
  ['equal amounts are the bound that one of them is', sum(100), sum(100, 1), '≥ $100'],
  ['nothing with a price is unknown', sum(undefined, 1), sum(undefined, 1), 'unknown'],
])('%s', (_, least, most, want) => {
  expect(formatKnownRange({ least, most }, 'USD')).toBe(want);
});
