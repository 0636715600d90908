import type { Resource } from '../../../src/api/kinds';
import { compareCosts } from '../../../src/cost/compare-costs';
import { formatCostChanges } from '../../../src/report/cost/cost-changes-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { costOf } from '../../cost/fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const q = (more: Doc = {}): Resource => aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });
const eu = (nodes: number, more: Doc = {}): Resource => aCluster('eu', { pools: { ten: nodes }, ...more });
const priced = (perGiBMonth: number): Doc => ({
  storage: [{ fileSystem: 'nfs', perGiBMonth, source: 'invoice', asOf: '2026-09-01' }],
});

interface Row {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  readonly files?: readonly [Doc, Doc];
  readonly want: readonly string[];
}

const BY_CLASS = '  prices: InferenceClass ten (2026-11-01)';
const BY_BOTH = `${BY_CLASS}; invoice (2026-09-01)`;

const rows: Record<string, Row> = {
  'one line, where nothing changes': {
    before: [TEN, eu(2), q()],
    after: [TEN, eu(2), q()],
    want: ['Cost an hour: $20, unchanged; a month of 730 hours: $14,600, unchanged', BY_CLASS],
  },
  'more nodes of a pool': {
    before: [TEN, eu(2)],
    after: [TEN, eu(3)],
    want: [
      'Cost an hour: $20 -> $30 (+$10); a month of 730 hours: $14,600 -> $21,900 (+$7,300)',
      '  idle capacity   $20 -> $30 (+$10)',
      '  cluster eu   $20 -> $30 (+$10)',
      '    pool ten   2 -> 3 nodes, $20 -> $30 (+$10)',
      BY_CLASS,
    ],
  },
  'an amount that is no cent more is unchanged': {
    before: [TEN, eu(2)],
    after: [aClass('ten', { price: { perHour: 10.001, asOf: '2026-11-01' } }), eu(2)],
    want: [
      'Cost an hour: $20.00, unchanged; a month of 730 hours: $14,600 -> $14,601 (+$1.46)',
      '  idle capacity   $20.00, unchanged',
      '  cluster eu   $20.00, unchanged',
      '    pool ten   $20.00, unchanged',
      BY_CLASS,
    ],
  },
  'fewer, as bounds, where an autoscaler takes over': {
    before: [TEN, eu(2)],
    after: [TEN, aCluster('eu', { pools: { ten: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 2 } } })],
    want: [
      'Cost an hour: $20 -> $10 to $20 ($0 to -$10); a month of 730 hours: $14,600 -> $7,300 to $14,600 ($0 to -$7,300)',
      '  idle capacity   $20 -> $10 (-$10)',
      '  cluster eu   $20 -> $10 to $20 ($0 to -$10)',
      '    pool ten   2 -> 1 to 2 nodes, $20 -> $10 to $20 ($0 to -$10)',
      BY_CLASS,
    ],
  },
  'replicas, with their namespace': {
    before: [TEN, eu(2), q()],
    after: [TEN, eu(2), q({ replicas: 2 })],
    want: [
      'Cost an hour: $20, unchanged; a month of 730 hours: $14,600, unchanged',
      '  idle capacity   $10 -> $0 (-$10)',
      '  namespace ml   $10 -> $20 (+$10)',
      '  deployment ml/q   $10 -> $20 (+$10)',
      '    eu/1   $0 -> $10 (+$10)',
      BY_CLASS,
    ],
  },
  'a cluster that is gone': {
    before: [TEN, eu(2), aCluster('us', { pools: { ten: 1 } })],
    after: [TEN, eu(2)],
    want: [
      'Cost an hour: $30 -> $20 (-$10); a month of 730 hours: $21,900 -> $14,600 (-$7,300)',
      '  idle capacity   $30 -> $20 (-$10)',
      '  cluster us   $10 -> $0 (-$10)',
      '    pool ten   1 -> 0 nodes, $10 -> $0 (-$10)',
      BY_CLASS,
    ],
  },
  'what no one knows stays unknown, and what does not change is not asked for': {
    before: [TEN, FREE, aCluster('eu', { pools: { ten: 2, free: 1 } }), aCluster('us', { pools: { free: 1 } })],
    after: [TEN, FREE, aCluster('eu', { pools: { ten: 3, free: 1 } }), aCluster('us', { pools: { free: 2 } })],
    want: [
      'Cost an hour: $20 and 2 pools without a price -> $30 and 2 pools without a price (+$10, and 1 pool without a price); a month of 730 hours: $14,600 and 2 pools without a price -> $21,900 and 2 pools without a price (+$7,300, and 1 pool without a price)',
      '  idle capacity   $20 and 2 pools without a price -> $30 and 2 pools without a price (+$10, and 1 pool without a price)',
      '  cluster eu   $20 and 1 pool without a price -> $30 and 1 pool without a price (+$10)',
      '    pool ten   2 -> 3 nodes, $20 -> $30 (+$10)',
      '  cluster us   unknown',
      '    pool free   1 -> 2 nodes, unknown',
      BY_CLASS,
    ],
  },
  'another price of storage, and a larger volume': {
    before: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 730 })],
    after: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 1460 })],
    files: [priced(1), priced(2)],
    want: [
      'Cost an hour: $11 -> $14 (+$3); a month of 730 hours: $8,030 -> $10,220 (+$2,190)',
      '  cluster eu   $11 -> $14 (+$3)',
      '    cache ml/w   730 -> 1,460 GiB, $1 -> $4 (+$3)',
      '  namespace ml   $11 -> $14 (+$3)',
      BY_BOTH,
    ],
  },
  'a larger volume without a price': {
    before: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 730 })],
    after: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 1460 })],
    want: [
      'Cost an hour: $10 and 1 volume without a price -> $10 and 1 volume without a price (the difference is unknown); a month of 730 hours: $7,300 and 1 volume without a price -> $7,300 and 1 volume without a price (the difference is unknown)',
      '  cluster eu   $10 and 1 volume without a price -> $10 and 1 volume without a price (the difference is unknown)',
      '    cache ml/w   730 -> 1,460 GiB, unknown',
      '  namespace ml   $10 and 1 part without a price -> $10 and 1 part without a price (the difference is unknown)',
      BY_CLASS,
    ],
  },
  'a price alone': {
    before: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 730 })],
    after: [TEN, eu(1, nfs), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 730 })],
    files: [{}, priced(2)],
    want: [
      'Cost an hour: $10 and 1 volume without a price -> $12 (the difference is unknown); a month of 730 hours: $7,300 and 1 volume without a price -> $8,760 (the difference is unknown)',
      '  cluster eu   $10 and 1 volume without a price -> $12 (the difference is unknown)',
      '    cache ml/w   unknown -> $2 (the difference is unknown)',
      '  namespace ml   $10 and 1 part without a price -> $12 (the difference is unknown)',
      BY_BOTH,
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, { before, after, files = [{}, {}], want }) => {
  const changes = compareCosts(costOf(before, files[0]), costOf(after, files[1]));
  expect(terminalLines(formatCostChanges(changes))).toEqual(want);
});

test('the estimate of a cost that stays is stated where no price is known', () => {
  const unknown = costOf([FREE, aCluster('eu', { pools: { free: 1 } })]);
  const priced = costOf([TEN, aCluster('eu', { pools: { free: { className: 'ten', nodeCount: 1 } } })]);
  const assumed = [{ cluster: 'eu', pool: 'free', region: 'us-central1', perHour: 10 }];
  const estimate = { changes: compareCosts(priced, priced), assumed };
  expect(terminalLines(formatCostChanges({ ...compareCosts(unknown, unknown), estimate }))).toEqual([
    'Cost: unchanged, about $7,300 a month (eu/free priced as in us-central1)',
  ]);
});

test('next to a difference that is known, the whole cost is estimated', () => {
  const state = (own: number, other: Resource) =>
    costOf([
      TEN,
      FREE,
      eu(own),
      aCluster('us', { pools: { free: other.metadata.name === 'ten' ? { className: 'ten', nodeCount: 1 } : 1 } }),
    ]);
  const [before, after] = [state(1, FREE), state(2, FREE)];
  const assumed = [{ cluster: 'us', pool: 'free', region: 'us-central1', perHour: 10 }];
  const estimate = { changes: compareCosts(state(1, TEN), state(2, TEN)), assumed };
  expect(terminalLines(formatCostChanges({ ...compareCosts(before, after), estimate })).slice(0, 2)).toEqual([
    'Cost a month: ≈ $14,600 -> ≈ $21,900 (+$7,300)',
    '  ≈: us/free priced as in us-central1',
  ]);
});

test('what a replica costs more is unknown where a part of it has no price on one side only', () => {
  const cost = costOf([TEN, eu(2), q()]);
  const half = (unknown: number) => ({
    ...cost,
    deployments: cost.deployments.map((one) => ({
      ...one,
      replicas: one.replicas.map((replica) => {
        return { ...replica, cost: { ...replica.cost, perHour: 5 + unknown, unknown } };
      }),
    })),
  });
  expect(compareCosts(half(0), half(1)).deployments[0]?.delta).toEqual({ unknown: 1 });
  expect(compareCosts(half(1), half(2)).deployments[0]?.delta).toEqual({ unknown: 1 });
});
