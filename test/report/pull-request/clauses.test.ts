import { type Rank, rankByDowntime, rankClauses, selectClauses } from '../../../src/report/pull-request/clauses';

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

  test('begins with what stops serving', () => {
    const found = [...rankClauses('gone', ['removes a']), ...rankByDowntime('replicas', ['moves b with **downtime**'])];
    expect(selectClauses(found)).toEqual(['moves b with **downtime**', 'removes a']);
  });
});
