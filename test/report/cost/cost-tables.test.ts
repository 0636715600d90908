import type { Resource } from '../../../src/api/kinds';
import { formatCostTables, formatSourceNumbers } from '../../../src/report/cost/cost-tables';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { costOf } from '../../cost/fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const TWO = aClass('two', { price: { perHour: 2 } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const other = { storage: { sharedFilesystem: { storageClassName: 'other' } } };
const FILE: Doc = { storage: [{ fileSystem: 'nfs', perGiBMonth: 2, source: 'invoice', asOf: '2026-09-01' }] };
const SCALED = { className: 'two', nodeCount: 1, minNodeCount: 1, maxNodeCount: 5 };
const FLEET: readonly Resource[] = [
  TEN,
  TWO,
  FREE,
  aCluster('eu', { pools: { scaled: SCALED, ten: 2 }, ...nfs }),
  aCluster('us', { pools: { free: 1 }, ...other }),
  aCluster('door', { pools: {} }),
  aCache('ml/weights', { sizeGiB: 730 }),
  aDeployment('ml/q', { replicas: 4, cache: 'weights', engines: [anEngine('main', { gpus: 8 })] }),
];

/** The lines of a table, by its title. */
function tableIn(lines: readonly string[], title: string): string[] {
  const first = lines.findIndex((line) => line.startsWith(`${title} `) || line === title);
  const end = lines.indexOf('', first);
  return lines.slice(first, end < 0 ? undefined : end);
}

const rows: Record<string, readonly string[]> = {
  FLEET: [
    'FLEET                     AN HOUR             A MONTH  NO PRICE  SOURCES',
    'nodes that always run       ≥ $20           ≥ $14,600         1        2',
    'autoscaled nodes          $6..$10      $4,380..$7,300                  1',
    'storage                      ≥ $2            ≥ $1,460         1        3',
    'all                    ≥ $28..$32  ≥ $20,440..$23,360         2      1-3',
    'idle                          $20             $14,600                  2',
  ],
  CLUSTER: [
    'CLUSTER                      NODES   AN HOUR           A MONTH  NO PRICE  SOURCES',
    'eu                                  $28..$32  $20,440..$23,360                1-3',
    '  scaled                      3..5   $6..$10    $4,380..$7,300                  1',
    '  ten                            2       $20           $14,600                  2',
    '  cache ml/weights, 730 GiB               $2            $1,460                  3',
    'us                                   unknown           unknown         2',
    '  free                           1   unknown           unknown         1',
    '  cache ml/weights, 730 GiB          unknown           unknown         1',
  ],
  IDLE: [
    'IDLE       A NODE  RUNNING  TAKEN  AN HOUR  A MONTH  SOURCES',
    'eu                                     $20  $14,600        2',
    '  scaled    $2.00        3      3       $0       $0        1',
    '  ten      $10.00        2      0      $20  $14,600        2',
    'us                                      $0       $0',
    '  free    unknown        1      1       $0       $0',
  ],
  NAMESPACE: [
    'NAMESPACE  REPLICAS AN HOUR  STORAGE AN HOUR  AN HOUR   A MONTH  NO PRICE  SOURCES',
    'ml                     ≥ $6             ≥ $2     ≥ $8  ≥ $5,840         2      1,3',
  ],
  DEPLOYMENT: [
    'DEPLOYMENT  AN HOUR   A MONTH  NO PRICE  SOURCES',
    'ml/q           ≥ $6  ≥ $4,380         1        1',
    '  eu/0           $2    $1,460                  1',
    '  eu/1           $2    $1,460                  1',
    '  eu/2           $2    $1,460                  1',
    '  us/0      unknown   unknown         1',
  ],
  SOURCES: [
    'SOURCES',
    '  1  InferenceClass two (undated)',
    '  2  InferenceClass ten (2026-11-01)',
    '  3  invoice (2026-09-01)',
  ],
};

test.each(Object.entries(rows))('the table of %s', (title, want) => {
  expect(tableIn(terminalLines(formatCostTables(costOf(FLEET, FILE))), title)).toEqual(want);
});

describe('copies that scale', () => {
  const scaled = aDeployment('ml/s', {
    engines: [
      anEngine('main', {
        gpus: 8,
        copies: { min: 1, max: 3 },
        scaling: { on: [{ prometheus: { query: 'sum(q{$(labels)})', threshold: 1 } }] },
      }),
    ],
  });
  const linesOf = (className: string, maxNodeCount: number): string[] => {
    const pool = { className, nodeCount: 1, minNodeCount: 1, maxNodeCount };
    const fleet = [TEN, FREE, aCluster('eu', { pools: { pool }, monitoring: {} }), scaled];
    return terminalLines(formatCostTables(costOf(fleet)));
  };

  test('may take more nodes than run in any case, which is the most that they take', () => {
    expect(tableIn(linesOf('ten', 5), 'IDLE').at(-1)).toMatch(/^ {2}pool +\$10\.00 +1 +≤ 3 /);
  });

  test.each<[string, string, number, string[]]>([
    [
      'have the cost of the whole nodes that all of them need',
      'ten',
      5,
      ['eu / pool: all copies need at least 3 nodes ($30 an hour, $21,900 a month), of at most 5'],
    ],
    ['have none of a pool that can have no more nodes than these', 'ten', 3, []],
    [
      'have only the nodes where their price is not known',
      'free',
      5,
      ['eu / pool: all copies need at least 3 nodes, of at most 5'],
    ],
  ])('%s', (_, className, most, want) => {
    expect(linesOf(className, most).filter((line) => line.includes('all copies need'))).toEqual(want);
  });
});

test('the most expensive clusters come first, and last those of which no price is known', () => {
  const clusters = [
    aCluster('a', { pools: { free: 1 } }),
    aCluster('b', { pools: { two: 1 } }),
    aCluster('c', { pools: { ten: 1 } }),
  ];
  const lines = terminalLines(formatCostTables(costOf([TEN, TWO, FREE, ...clusters], FILE)));
  const names = ['CLUSTER', 'IDLE'].map((title) =>
    tableIn(lines, title).flatMap((line) => line.match(/^[abc]\b/)?.[0] ?? []),
  );
  expect(names).toEqual([
    ['c', 'b', 'a'],
    ['c', 'b', 'a'],
  ]);
});

function figuresIn(lines: readonly string[] = []): string[] {
  return lines.flatMap((line) => line.match(/\d+\.\d\d|unknown/g) ?? []);
}

test('figures stay whole however narrow the terminal is, and names are cut', () => {
  const [wide, narrow] = [undefined, 60].map((width) =>
    terminalLines(formatCostTables(costOf(FLEET, FILE)), { width }),
  );
  expect(figuresIn(narrow)).toEqual(figuresIn(wide));
  expect(narrow?.some((line) => line.startsWith('  cache…'))).toBe(true);
});

const single: Record<string, { resources: readonly Resource[]; want: readonly string[] }> = {
  'nothing is paid for': {
    resources: [aCluster('door', { pools: {} })],
    want: ['Cost: none.'],
  },
  'no one states a price: every figure is unknown, and none zero': {
    resources: [FREE, aCluster('us', { pools: { free: 2 } })],
    want: [
      'Cost, a month of 730 hours',
      '',
      'FLEET                  AN HOUR  A MONTH  NO PRICE',
      'nodes that always run  unknown  unknown         1',
      'autoscaled nodes            $0       $0',
      'storage                     $0       $0',
      'all                    unknown  unknown         1',
      'idle                   unknown  unknown         1',
      '',
      'CLUSTER  NODES  AN HOUR  A MONTH  NO PRICE',
      'us              unknown  unknown         1',
      '  free       2  unknown  unknown         1',
      '',
      'IDLE     A NODE  RUNNING  TAKEN  AN HOUR  A MONTH  NO PRICE',
      'us                               unknown  unknown         1',
      '  free  unknown        2      0  unknown  unknown         1',
      '',
      'NO PRICE: how many pools and volumes have no price; of what replicas use, how many parts. The figures leave them out: ≥ marks those of which a part is known.',
    ],
  },
};

test.each(Object.entries(single))('%s', (_, { resources, want }) => {
  expect(terminalLines(formatCostTables(costOf(resources)))).toEqual(want);
});

test('an estimate takes the place of figures that are not known, and says whose prices it has', () => {
  const known = costOf([FREE, aCluster('us', { pools: { free: 2 } })]);
  const cost = costOf([aClass('free', { price: { perHour: 10 } }), aCluster('us', { pools: { free: 2 } })]);
  const assumed = [{ cluster: 'us', pool: 'free', region: 'us-east4', perHour: 10 }];
  expect(terminalLines(formatCostTables(known, { cost, assumed }))).toEqual(
    expect.arrayContaining([
      'Estimated cost, a month of 730 hours',
      'about $14,600 a month (us/free priced as in us-east4)',
      '  free       2      $20  $14,600        1',
    ]),
  );
  // It knows no more.
  expect(terminalLines(formatCostTables(known, { cost: known, assumed }))[0]).toBe('Cost, a month of 730 hours');
});

const numbers: Record<string, { sources: readonly (readonly number[])[]; want: string }> = {
  'of one': { sources: [[0]], want: '1' },
  'of neighbours, as a run': { sources: [[0, 1, 2]], want: '1-3' },
  'of several figures, once': { sources: [[0, 4], [4, 5], [2]], want: '1,3,5-6' },
  'of none': { sources: [[]], want: '' },
};

test.each(Object.entries(numbers))('numbers of sources %s', (_, { sources, want }) => {
  expect(formatSourceNumbers(sources.map((one) => ({ perHour: 1, unknown: 0, sources: one })))).toBe(want);
});
