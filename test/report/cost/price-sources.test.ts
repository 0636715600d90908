import type { PriceSource } from '../../../src/cost/cost';
import type { Sum } from '../../../src/cost/sum';
import { formatPriceSources } from '../../../src/report/cost/cost-summary';

const SOURCES: readonly PriceSource[] = [
  { source: 'invoice', asOf: '2026-10-31', discounts: [] },
  { source: 'list', asOf: '2026-07-20', discounts: ['three years', 'friends'] },
  { source: 'InferenceClass own', discounts: [] },
];

const by = (...sources: number[]): Sum => ({ perHour: 1, perMonth: 730, unknown: 0, sources });

const rows: Record<string, { sums: readonly Sum[]; want: readonly string[] }> = {
  'names source and day': { sums: [by(0)], want: ['prices: invoice (2026-10-31)'] },
  'names what lowers a price, and that no one says of which day it is': {
    sums: [by(1, 2)],
    want: ['prices: list (2026-07-20, less three years and friends); InferenceClass own (undated)'],
  },
  'names each source of several figures once, and none that is not in them': {
    sums: [by(2), by(0, 2)],
    want: ['prices: invoice (2026-10-31); InferenceClass own (undated)'],
  },
  'is none where no price is known': { sums: [{ unknown: 1 }], want: [] },
};

test.each(Object.entries(rows))('the line of prices %s', (_, { sums, want }) => {
  expect(formatPriceSources(sums, SOURCES)).toEqual(want);
});
