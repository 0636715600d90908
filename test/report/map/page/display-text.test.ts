import { askAboutSigns, formatClusterCost, shortenNames } from '../../../../src/report/map/page/display-text';

const cases: Record<string, { names: string[]; want: string[] }> = {
  'words that all begin with are left out': { names: ['prod-eu-1', 'prod-us-1'], want: ['eu-1', 'us-1'] },
  'words stay whole': { names: ['prod-node10', 'prod-node11'], want: ['node10', 'node11'] },
  'a single name stays': { names: ['prod-eu-1'], want: ['prod-eu-1'] },
  'names without a common word stay': { names: ['eu', 'us', 'eu-2'], want: ['eu', 'us', 'eu-2'] },
  'a name that begins the others keeps its last word': { names: ['prod-eu', 'prod-eu-2'], want: ['eu', 'eu-2'] },
};

test.each(Object.entries(cases))('shortened names: %s', (_, { names, want }) => {
  expect(shortenNames(names)).toEqual(want);
});

type ClusterCost = Parameters<typeof formatClusterCost>[0];

const costs: Record<string, { cost: ClusterCost; want: string }> = {
  'a cost that is known': { cost: { amount: 1461, unpriced: [] }, want: '$1,461 a month' },
  'the change is of the amount': {
    cost: { amount: [1461, 5842, 1, 1], change: '+$730', unpriced: ['h200'] },
    want: '$1,461 to $5,842 a month, +$730, without h200',
  },
  'names stand in place of a bound, which the upper end of a range contradicts': {
    cost: { amount: [1461, 5842, 1, 1], unpriced: ['h200'] },
    want: '$1,461 to $5,842 a month, without h200',
  },
  'an estimate stays one': {
    cost: { amount: [64600, 64600, 1, 1, 1], unpriced: ['dc'] },
    want: '≈ $64,600 a month, without dc',
  },
  'many names are counted': {
    cost: { amount: [8, 8, 3, 3], unpriced: ['a', 'b', 'c'] },
    want: '$8 a month, without a, b, 1 more',
  },
  'nothing has a price': { cost: { amount: null, unpriced: ['a'] }, want: 'cost unknown' },
};

test.each(Object.entries(costs))('costs of clusters: %s', (_, { cost, want }) => {
  expect(formatClusterCost(cost, 'USD')).toBe(want);
});

test.each([
  [['≈: pools as in us-east4'], 'What ≈ means'],
  [['≈: pools as in us-east4', '≥: without the cost of dc/h100: none is known'], 'What ≈ and ≥ mean'],
])('a total asks about the signs that %j explain', (notes, want) => {
  expect(askAboutSigns(notes)).toBe(want);
});
