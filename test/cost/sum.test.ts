import { type CostPart, type Sum, sumParts } from '../../src/cost/sum';

const cases: Record<string, { parts: readonly CostPart[]; want: Sum }> = {
  'nothing costs nothing': { parts: [], want: { perHour: 0, perMonth: 0, unknown: 0 } },
  'a part that no one knows is no zero': { parts: [{}], want: { unknown: 1 } },
  'nor is one next to parts that are free': { parts: [{ perHour: 0 }, {}], want: { unknown: 1 } },
  'what is known is next to what is not': {
    parts: [{ perHour: 2, asOf: '2026-02-01' }, {}, {}],
    want: { perHour: 2, perMonth: 1460, unknown: 2, asOf: '2026-02-01' },
  },
  'sums add up, and so do the parts unknown to them': {
    parts: [sumParts([{ perHour: 1 }, {}]), sumParts([{}, {}]), sumParts([])],
    want: { perHour: 1, perMonth: 730, unknown: 3 },
  },
  'the oldest day stands for all': {
    parts: [
      { perHour: 1, asOf: '2026-02-01' },
      { perHour: 1, asOf: '2025-12-31' },
      { perHour: 1, asOf: '2026-01-01' },
    ],
    want: { perHour: 3, perMonth: 2190, unknown: 0, asOf: '2025-12-31' },
  },
  'fractions stay readable': {
    parts: [{ perHour: 0.1 }, { perHour: 0.2 }],
    want: { perHour: 0.3, perMonth: 219, unknown: 0 },
  },
};

test.each(Object.entries(cases))('%s', (_, { parts, want }) => {
  expect(sumParts(parts)).toEqual(want);
});
