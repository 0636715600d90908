import { formatKnownCells } from '../../../src/report/cost/range-cells';

const range = (least: number, most: number, unknown = 0) => ({
  least: { perMonth: least, unknown },
  most: { perMonth: most, unknown },
});

const rows: Record<string, { before: [number, number]; after: [number, number]; want: string[] }> = {
  'has the difference of an amount': {
    before: [100, 100],
    after: [350, 350],
    want: ['$100', '$350', '+$250'],
  },
  'has no difference of an amount where less than is shown changes': {
    before: [730.4, 730.4],
    after: [730.38, 730.38],
    want: ['$730', '$730', '$0'],
  },
  'has none of bounds either': {
    before: [1460.62, 2921.24],
    after: [1460.6, 2921.2],
    want: ['$1,461 to $2,921', '$1,461 to $2,921', '$0'],
  },
  'has one of bounds of which one changes': {
    before: [1460, 2921],
    after: [1460, 2931],
    want: ['$1,460 to $2,921', '$1,460 to $2,931', '$0 to +$10'],
  },
};

test.each(Object.entries(rows))('a cost a month %s', (_, { before, after, want }) => {
  const delta = range(after[0] - before[0], after[1] - before[1]);
  expect(formatKnownCells({ before: range(...before), after: range(...after), delta }, 'USD')).toEqual(want);
});
