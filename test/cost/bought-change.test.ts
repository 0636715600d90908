import type { Resource } from '../../src/api/kinds';
import { compareCosts } from '../../src/cost/compare-costs';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { costOf } from './fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10 } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const FILE: Doc = { storage: [{ fileSystem: 'nfs', perGiBMonth: 2, source: 'invoice', asOf: '2026-09-01' }] };
const q = (more: Doc = {}): Resource => aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });
const eu = (ten: Doc | number): Resource => aCluster('eu', { pools: { ten } });
const us = aCluster('us', { pools: { ten: 3 }, taints: [{ key: 'spare', effect: 'NoSchedule' }] });
const scaled = (minNodeCount: number, maxNodeCount: number): Doc => {
  return { nodeCount: minNodeCount, minNodeCount, maxNodeCount };
};

const change = (before?: number, after?: number, delta?: number) =>
  Object.fromEntries(Object.entries({ before, after, delta }).map(([at, perHour]) => [at, { perHour }]));
const range = (least: number[], most: number[]) =>
  Object.fromEntries(
    ['before', 'after', 'delta'].map((at, i) => [at, { least: { perHour: least[i] }, most: { perHour: most[i] } }]),
  );

interface Row {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  readonly fleet: object;
  readonly eu: object;
}

const rows: Record<string, Row> = {
  'nodes that always run, next to clusters that stay as they are': {
    before: [TEN, us, eu(1)],
    after: [TEN, us, eu(3)],
    fleet: { fixed: change(40, 60, 20), storage: change(0, 0, 0), idle: change(40, 60, 20) },
    eu: { fixed: change(10, 30, 20), storage: change(0, 0, 0), idle: change(10, 30, 20) },
  },
  'nodes that get an autoscaler': {
    before: [TEN, us, eu(2)],
    after: [TEN, us, eu(scaled(1, 4))],
    fleet: {
      fixed: change(50, 30, -20),
      autoscaled: range([0, 10, 10], [0, 40, 40]),
      idle: change(50, 40, -10),
    },
    eu: {
      fixed: change(20, 0, -20),
      autoscaled: range([0, 10, 10], [0, 40, 40]),
      delta: { least: { perHour: -10 } },
    },
  },
  'a volume that grows': {
    before: [TEN, aCluster('eu', { pools: { ten: 1 }, ...nfs }), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 365 })],
    after: [TEN, aCluster('eu', { pools: { ten: 1 }, ...nfs }), q({ cache: 'w' }), aCache('ml/w', { sizeGiB: 730 })],
    fleet: { fixed: change(10, 10, 0), storage: change(1, 2, 1), idle: change(0, 0, 0) },
    eu: { fixed: change(10, 10, 0), storage: change(1, 2, 1), pools: [] },
  },
  'nodes that lose a replica, and are idle': {
    before: [TEN, us, eu(2), q({ replicas: 2 })],
    after: [TEN, us, eu(2), q()],
    fleet: { fixed: change(50, 50, 0), idle: change(30, 40, 10), delta: { most: { perHour: 0 } } },
    eu: { ...range([20, 20, 0], [20, 20, 0]), idle: change(0, 10, 10), pools: [{ idle: change(0, 10, 10) }] },
  },
  'nodes that lose a replica, of which no one knows the price': {
    before: [FREE, aCluster('eu', { pools: { free: 3 } }), q({ replicas: 2 })],
    after: [FREE, aCluster('eu', { pools: { free: 3 } }), q()],
    fleet: { fixed: { delta: { unknown: 0 } }, idle: { delta: { unknown: 1 } } },
    eu: {
      fixed: { delta: { unknown: 0 } },
      pools: [{ delta: { most: { unknown: 0 } }, idle: { delta: { unknown: 1 } } }],
    },
  },
  'a cluster that goes': {
    before: [TEN, us, eu(2)],
    after: [TEN, us],
    fleet: { fixed: change(50, 30, -20), idle: change(50, 30, -20) },
    eu: { fixed: change(20, 0, -20), idle: change(20, 0, -20), pools: [{ idle: change(20, 0, -20) }] },
  },
  'nodes of which no one knows the price, which is unknown and not zero': {
    before: [FREE, TEN, us, aCluster('eu', { pools: { free: 1 } })],
    after: [FREE, TEN, us, aCluster('eu', { pools: { free: scaled(1, 2) } })],
    fleet: {
      fixed: {
        before: { perHour: 30, unknown: 1 },
        after: { perHour: 30, unknown: 0 },
        delta: { unknown: 1 },
      },
      autoscaled: {
        before: { most: { unknown: 0 } },
        after: { most: { unknown: 1 } },
        delta: { most: { unknown: 1 } },
      },
      idle: { before: { unknown: 1 }, after: { unknown: 1 }, delta: { perHour: 0, unknown: 0 } },
    },
    eu: { fixed: { before: { unknown: 1 }, delta: { unknown: 1 } }, idle: { delta: { unknown: 0 } } },
  },
};

test.each(Object.entries(rows))('a comparison distinguishes %s', (_, { before, after, fleet, eu: want }) => {
  const { clusters, ...changes } = compareCosts(costOf(before, FILE), costOf(after, FILE));
  expect(changes).toMatchObject(fleet);
  expect(clusters).toMatchObject([{ cluster: 'eu', ...want }]);
});
