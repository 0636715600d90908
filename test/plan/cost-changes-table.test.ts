import type { Resource } from '../../src/api/kinds';
import { costChangesOf } from '../../src/cost/cost-changes-of';
import { formatCostChangeTables } from '../../src/plan/cost-changes-table';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { costOf } from '../cost/fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const FILE: Doc = { storage: [{ fileSystem: 'nfs', perGiBMonth: 2, source: 'invoice', asOf: '2026-09-01' }] };
const q = (more: Doc = {}): Resource =>
  aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });

interface Row {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  readonly want: readonly string[];
}

const rows: Record<string, Row> = {
  'more nodes, and a replica on them': {
    before: [TEN, aCluster('eu', { pools: { ten: 1 } }), q()],
    after: [TEN, aCluster('eu', { pools: { ten: 2 } }), q({ replicas: 2 })],
    want: [
      'FLEET             NOW     AFTER  DIFFERENCE  PRICES',
      'all    hour     10.00     20.00      +10.00       1',
      '       month  7300.00  14600.00    +7300.00       1',
      '',
      'CLUSTER             NOW     AFTER  DIFFERENCE  PRICES',
      'eu       hour     10.00     20.00      +10.00       1',
      '         month  7300.00  14600.00    +7300.00       1',
      '  ten    nodes        1         2',
      '         hour     10.00     20.00      +10.00       1',
      '         month  7300.00  14600.00    +7300.00       1',
      '',
      'NAMESPACE             NOW     AFTER  DIFFERENCE  PRICES',
      'ml         hour     10.00     20.00      +10.00       1',
      '           month  7300.00  14600.00    +7300.00       1',
      '',
      'DEPLOYMENT             NOW     AFTER  DIFFERENCE  PRICES',
      'ml/q        hour     10.00     20.00      +10.00       1',
      '            month  7300.00  14600.00    +7300.00       1',
      '  eu/1      hour      0.00     10.00      +10.00       1',
      '            month     0.00   7300.00    +7300.00       1',
      '',
      'PRICES',
      '  1  InferenceClass ten (2026-11-01)',
    ],
  },
  'a volume that grows, and nodes for an autoscaler': {
    before: [
      TEN,
      aCluster('eu', { pools: { ten: 1 }, ...nfs }),
      q({ cache: 'w' }),
      aCache('ml/w', { sizeGiB: 365 }),
    ],
    after: [
      TEN,
      aCluster('eu', { pools: { ten: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 3 } }, ...nfs }),
      q({ cache: 'w' }),
      aCache('ml/w', { sizeGiB: 730 }),
    ],
    want: [
      'FLEET             NOW              AFTER          DIFFERENCE  PRICES',
      'all    hour     11.00       12.00..32.00       +1.00..+21.00     1-2',
      '       month  8030.00  8760.00..23360.00  +730.00..+15330.00     1-2',
      '',
      'CLUSTER                  NOW              AFTER          DIFFERENCE  PRICES',
      'eu            hour     11.00       12.00..32.00       +1.00..+21.00     1-2',
      '              month  8030.00  8760.00..23360.00  +730.00..+15330.00     1-2',
      '  ten         nodes        1               1..3',
      '              hour     10.00       10.00..30.00       +0.00..+20.00       1',
      '              month  7300.00  7300.00..21900.00    +0.00..+14600.00       1',
      '  cache ml/w  GiB        365                730',
      '              hour      1.00               2.00               +1.00       2',
      '              month   730.00            1460.00             +730.00       2',
      '',
      'NAMESPACE             NOW    AFTER  DIFFERENCE  PRICES',
      'ml         hour     11.00    12.00       +1.00     1-2',
      '           month  8030.00  8760.00     +730.00     1-2',
      '',
      'PRICES',
      '  1  InferenceClass ten (2026-11-01)',
      '  2  invoice (2026-09-01)',
    ],
  },
  'what nobody knows is unknown, before, after and in the difference': {
    before: [TEN, FREE, aCluster('eu', { pools: { ten: 1, free: 1 } })],
    after: [TEN, FREE, aCluster('eu', { pools: { ten: 2, free: 2 } })],
    want: [
      'FLEET               NOW     AFTER  DIFFERENCE  PRICES',
      'all    hour       10.00     20.00      +10.00       1',
      '       month    7300.00  14600.00    +7300.00       1',
      '       unknown        1         1           1',
      '',
      'CLUSTER               NOW     AFTER  DIFFERENCE  PRICES',
      'eu       hour       10.00     20.00      +10.00       1',
      '         month    7300.00  14600.00    +7300.00       1',
      '         unknown        1         1           1',
      '  free   nodes          1         2',
      '         hour     unknown   unknown     unknown',
      '         month    unknown   unknown     unknown',
      '         unknown        1         1           1',
      '  ten    nodes          1         2',
      '         hour       10.00     20.00      +10.00       1',
      '         month    7300.00  14600.00    +7300.00       1',
      '',
      'Unknown counts parts without a price: figures are of the others alone.',
      '',
      'PRICES',
      '  1  InferenceClass ten (2026-11-01)',
    ],
  },
  'nothing but the total, where nothing changes': {
    before: [TEN, aCluster('eu', { pools: { ten: 1 } })],
    after: [TEN, aCluster('eu', { pools: { ten: 1 } })],
    want: [
      'FLEET             NOW    AFTER  DIFFERENCE  PRICES',
      'all    hour     10.00    10.00       +0.00       1',
      '       month  7300.00  7300.00       +0.00       1',
      '',
      'PRICES',
      '  1  InferenceClass ten (2026-11-01)',
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, { before, after, want }) => {
  const changes = costChangesOf(costOf(before, FILE), costOf(after, FILE));
  expect(formatCostChangeTables(changes).slice(2)).toEqual(want);
});
