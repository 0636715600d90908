import { formatRangeDifference } from '../../../src/report/cost/cost-difference';
import { formatEstimatedDelta } from '../../../src/report/cost/cost-estimate';

const sum = (perMonth: number | undefined, unknown = 0) => ({ ...(perMonth !== undefined && { perMonth }), unknown });

interface Change<S = ReturnType<typeof sum>> {
  before: S;
  after: S;
  delta: S;
}

const rows: Record<string, { change: Change; most?: Change; want: string }> = {
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
  'is a bound above what a part cost before it lost its price': {
    change: { before: sum(100), after: sum(160, 1), delta: sum(100, 1) },
    want: '≥ +$60',
  },
  'is no saving where what costs less has lost its price': {
    change: { before: sum(100), after: sum(60, 1), delta: sum(0, 1) },
    want: 'unknown',
  },
  'begins at 0 where only the smallest cost rises': {
    change: { before: sum(100), after: sum(200), delta: sum(100) },
    most: { before: sum(200), after: sum(200), delta: sum(0) },
    want: '$0 to +$100',
  },
  'begins with the smaller saving': {
    change: { before: sum(200), after: sum(100), delta: sum(-100) },
    most: { before: sum(500), after: sum(450), delta: sum(-50) },
    want: '-$50 to -$100',
  },
  'has no cents next to hundreds': {
    change: { before: sum(2920.07), after: sum(2920.14), delta: sum(0.07) },
    most: { before: sum(5840), after: sum(11_683.4), delta: sum(5843.4) },
    want: '$0 to +$5,843',
  },
  'has cents where both are small': {
    change: { before: sum(1), after: sum(1.5), delta: sum(0.5) },
    most: { before: sum(1), after: sum(99), delta: sum(98) },
    want: '+$0.50 to +$98',
  },
  'is an upper bound where parts without a price go, and what stays costs less': {
    change: { before: sum(350, 1), after: sum(100), delta: sum(-250, 1) },
    want: '≤ -$250',
  },
  'states what is known where as many parts without a price change, and the others cost more': {
    change: { before: sum(100, 1), after: sum(350, 1), delta: sum(250, 1) },
    want: '+$250, and 1 pool or volume without a price',
  },
  'is unknown where as many parts without a price change, and the others cost less': {
    change: { before: sum(350, 1), after: sum(100, 1), delta: sum(-250, 1) },
    want: 'unknown',
  },
  'is unknown where parts without a price go, and what stays costs more': {
    change: { before: sum(100, 1), after: sum(350), delta: sum(250, 1) },
    want: 'unknown',
  },
};

describe('a difference in cost', () => {
  test.each(Object.entries(rows))('%s', (_, { change, most = change, want }) => {
    const range = (of: keyof Change) => ({ least: change[of], most: most[of] });
    const changes = { before: range('before'), after: range('after'), delta: range('delta') };
    expect(formatRangeDifference(changes, 'USD')).toBe(want);
  });
});

const estimates: Record<string, { change: Change; want: string }> = {
  'is about as much where all prices are known or estimated': {
    change: { before: sum(215_432), after: sum(255_678), delta: sum(40_246) },
    want: '≈ +$40,200',
  },
  'is a rounded lower bound where parts without a price come': {
    change: { before: sum(215_432, 4), after: sum(255_678, 6), delta: sum(40_246, 2) },
    want: '≥ +$40,200',
  },
  'is unknown where parts without a price come and the others cost less': {
    change: { before: sum(255_678, 4), after: sum(215_432, 6), delta: sum(-40_246, 2) },
    want: 'unknown',
  },
};

test.each(Object.entries(estimates))('an estimated difference %s', (_, { change, want }) => {
  const [before, after, delta] = [change.before, change.after, change.delta].map((one) => ({ least: one, most: one }));
  expect(formatEstimatedDelta({ before: before!, after: after!, delta: delta! }, 'USD')).toBe(want);
});
