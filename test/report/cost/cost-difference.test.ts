import { formatDifference, type MonthlyChange } from '../../../src/report/cost/cost-difference';

const sum = (perMonth: number | undefined, unknown = 0) => ({ ...(perMonth !== undefined && { perMonth }), unknown });

const rows: Record<string, { change: MonthlyChange; want: string }> = {
  'is exact where all prices are known': {
    change: { before: sum(100), after: sum(350), delta: sum(250) },
    want: '+$250',
  },
  'is exact where only unchanged parts have no price': {
    change: { before: sum(100, 1), after: sum(350, 1), delta: sum(250) },
    want: '+$250',
  },
  'is unknown where what takes the place of a known cost has no price': {
    change: { before: sum(100), after: sum(undefined, 1), delta: sum(-100, 1) },
    want: 'unknown',
  },
  'is a lower bound where parts without a price come': {
    change: { before: sum(100), after: sum(350, 1), delta: sum(250, 1) },
    want: '≥ +$250',
  },
  'counts what a part cost before it lost its price': {
    change: { before: sum(100), after: sum(60, 1), delta: sum(0, 1) },
    want: '≥ -$40',
  },
  'is unknown where parts without a price go': {
    change: { before: sum(100, 1), after: sum(350), delta: sum(250, 1) },
    want: 'unknown',
  },
};

describe('a difference in cost', () => {
  test.each(Object.entries(rows))('%s', (_, { change, want }) => {
    expect(formatDifference(change, 'USD')).toBe(want);
  });
});
