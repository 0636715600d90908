import { type Rank, limitRanked, rankClauses, selectClauses } from '../../../src/report/pull-request/clauses';

const clauses = (...ranks: Rank[]) => ranks.flatMap((rank, i) => rankClauses(rank, [`${rank} ${i}`]));

const cases: Record<string, { ranks: Rank[]; want: string[] }> = {
  'has the most important first, whatever the order in which they are found': {
    ranks: ['staging', 'replicas', 'model'],
    want: ['model 2', 'replicas 1', 'staging 0'],
  },
  'keeps the order of equally important ones': {
    ranks: ['replicas', 'replicas', 'down'],
    want: ['down 2', 'replicas 0', 'replicas 1'],
  },
  'names a fourth, rather than to count it': {
    ranks: ['traffic', 'capacity', 'gone', 'down'],
    want: ['down 3', 'gone 2', 'capacity 1', 'traffic 0'],
  },
  'counts those beyond three': {
    ranks: ['traffic', 'capacity', 'gone', 'down', 'replicas'],
    want: ['down 3', 'gone 2', 'replicas 4', '2 more changes below'],
  },
};

describe('a sentence', () => {
  test.each(Object.entries(cases))('%s', (_, { ranks, want }) => {
    expect(selectClauses(clauses(...ranks))).toEqual(want);
  });

  test('has what explains the cost, also where three other clauses are more important', () => {
    const found = clauses('down', 'gone', 'replicas', 'capacity', 'staging');
    expect(selectClauses(found, 'capacity')).toEqual(['down 0', 'gone 1', 'capacity 3', '2 more changes below']);
    expect(selectClauses(clauses('capacity', 'staging'), 'capacity')).toEqual(['capacity 0', 'staging 1']);
  });

  test('counts what is left of one kind as important as the most important of it', () => {
    const found = [...clauses('gone', 'replicas', 'replicas', 'replicas', 'down')];
    expect(limitRanked(found, 'others')).toEqual([...found.slice(0, 2), { rank: 'down', text: 'others' }]);
    expect(limitRanked(found.slice(0, 3), 'others')).toEqual(found.slice(0, 3));
  });
});
