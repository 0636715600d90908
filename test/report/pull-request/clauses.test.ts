import type { DeploymentRow } from '../../../src/report/pull-request/deployment-rows';
import { listEvictions, listUnplacedClauses } from '../../../src/report/pull-request/place-clauses';
import { limitRanked, type Rank, rankClauses, toSentences } from '../../../src/report/pull-request/clauses';

const clauses = (...ranks: Rank[]) => ranks.flatMap((rank, i) => rankClauses(rank, [`${rank} ${i}`]));

const long = (rank: Rank, words: number) => rankClauses(rank, [Array.from({ length: words }, () => rank).join(' ')]);

const cases: Record<string, { ranks: Rank[]; want: string[] }> = {
  'have the most important first, whatever the order in which they are found': {
    ranks: ['staging', 'replicas', 'model'],
    want: ['model 2, replicas 1, and staging 0'],
  },
  'keep the order of equally important ones': {
    ranks: ['replicas', 'replicas', 'down'],
    want: ['down 2, replicas 0, and replicas 1'],
  },
  'say what clients and traffic see before restarts, restarts before pools, and pools before objects': {
    ranks: ['labels', 'objects', 'capacity', 'replicas', 'traffic', 'access'],
    want: ['access 5, traffic 4, and replicas 3', 'capacity 2, objects 1, and labels 0'],
  },
  'name one above the limit, rather than its kind': {
    ranks: ['model', 'down', 'access', 'gone', 'replicas', 'capacity', 'staging'],
    want: ['model 0, down 1, and access 2', 'gone 3, replicas 4, and capacity 5', 'staging 6'],
  },
  'name the kinds of those that they leave out': {
    ranks: ['model', 'down', 'access', 'gone', 'replicas', 'capacity', 'staging', 'objects'],
    want: ['model 0, down 1, and access 2', 'gone 3, replicas 4, and capacity 5', 'also changes caches and objects'],
  },
  'leave out no share of requests': {
    ranks: ['model', 'down', 'access', 'gone', 'gone', 'gone', 'gone', 'traffic'],
    want: ['model 0, down 1, and access 2', 'gone 3, gone 4, and traffic 7', 'also changes what is removed'],
  },
};

describe('the first sentences', () => {
  test.each(Object.entries(cases))('%s', (_, { ranks, want }) => {
    expect(toSentences(clauses(...ranks))).toEqual(want);
  });

  test('have what explains the cost, also where other clauses are more important', () => {
    const found = clauses('model', 'down', 'access', 'gone', 'gone', 'gone', 'capacity', 'staging');
    expect(toSentences(found, 'capacity')).toEqual([
      'model 0, down 1, and access 2',
      'gone 3, gone 4, and capacity 6',
      'also changes caches and what is removed',
    ]);
    expect(toSentences(clauses('capacity', 'staging'), 'capacity')).toEqual(['capacity 0, and staging 1']);
  });

  test('have at most 40 words each, but where one clause has more', () => {
    const found = [...long('down', 25), ...long('gone', 15), ...long('replicas', 1), ...long('staging', 41)];
    expect(toSentences(found).map((text) => text.replace(',', '').split(' ').length)).toEqual([41, 1, 41]);
  });

  test('end with what a colon introduces, so that the next clause is not read as a part of it', () => {
    const found = rankClauses('replicas', ['drains `eu`: moves 2 replicas', 'adds 1 replica']);
    expect(toSentences(found)).toEqual(['drains `eu`: moves 2 replicas', 'adds 1 replica']);
  });

  test('counts what is left of one kind as important as the most important of it', () => {
    const found = [...clauses('gone', 'replicas', 'replicas', 'replicas', 'down')];
    expect(limitRanked(found, 'others')).toEqual([...found.slice(0, 2), { rank: 'down', text: 'others' }]);
    expect(limitRanked(found.slice(0, 3), 'others')).toEqual(found.slice(0, 3));
  });
});

/** Deployments of 10 replicas each, of which some have no place, as one row. */
const row = (names: readonly string[], missing: number, evict = 0): DeploymentRow => {
  const declared = 10 * names.length;
  const replicas = { before: declared, after: declared - missing };
  const unplaced = { missing, declared, accepted: false };
  return { deployments: names, replicas, unplaced, actions: { evict } } as unknown as DeploymentRow;
};

describe('replicas without a place', () => {
  const rows = [row(['ml/a', 'ml/b', 'ml/c'], 7), row(['ml/d', 'ml/e'], 20)];

  test('of many deployments are one sum, however the table groups them', () => {
    expect(listUnplacedClauses(rows)).toEqual(['finds no place for 27 of 50 replicas of 5 deployments']);
    expect(listUnplacedClauses(rows.slice(0, 1))).toEqual([
      'finds no place for 7 of 30 replicas of `ml/a`, `ml/b` and `ml/c`',
    ]);
  });

  test('that are evicted are one clause, whether others of their deployments are left or not', () => {
    const evicted = [row(['ml/a', 'ml/b', 'ml/c'], 7, 7), row(['ml/d', 'ml/e'], 20, 20)];
    expect(listEvictions(evicted)).toEqual([
      { rank: 'down', text: 'evicts 27 of 50 replicas of 5 deployments, which fit nowhere else' },
    ]);
  });
});
