import * as fc from 'fast-check';
import { ask, cluster, deployment, device, engine, nodeClass, placed, run } from './build';
import { modelOfFleet, runFleet, RUNS } from './corpus';
import { grownFleet, mostPlaced } from './joint';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const BELOW_100GI = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100Gi")) < 0';
const only = (region: string) => ({ template: { clusterSelector: { matchLabels: { region } } } });
const region = (name: string) => ({ labels: { region: name } });

const cases: Record<string, Case> = {
  'a deployment that can go anywhere leaves the only place of another to it': {
    resources: [
      H100,
      cluster('a', { p: 'h100 x 1' }, region('eu')),
      cluster('b', { p: 'h100 x 1' }, region('us')),
      deployment('ml/any'),
      deployment('ml/only', only('eu')),
    ],
    want: ['ml/any b/0 p', 'ml/only a/0 p'],
  },
  'a chain of replicas moves on': {
    resources: [
      H100,
      cluster('a', { p: 'h100 x 1' }, { labels: { x: 'yes' } }),
      cluster('b', { p: 'h100 x 1' }, { labels: { x: 'yes', y: 'yes' } }),
      cluster('c', { p: 'h100 x 1' }, { labels: { y: 'yes' } }),
      deployment('ml/a', { template: { clusterSelector: { matchLabels: { x: 'yes' } } } }),
      deployment('ml/b', { template: { clusterSelector: { matchLabels: { y: 'yes' } } } }),
      deployment('ml/c', {
        template: { clusterSelector: { matchExpressions: [{ key: 'y', operator: 'DoesNotExist' }] } },
      }),
    ],
    want: ['ml/a b/0 p', 'ml/b c/0 p', 'ml/c a/0 p'],
  },
  'a deployment of higher priority changes its place for one of lower priority, and never loses it': {
    resources: [
      H100,
      cluster('a', { p: 'h100 x 1' }, region('eu')),
      cluster('b', { p: 'h100 x 1' }, region('us')),
      deployment('ml/any', { spec: { priority: 5 } }),
      deployment('ml/only', only('eu')),
      deployment('ml/other', only('eu')),
    ],
    want: ['ml/any b/0 p', 'ml/only a/0 p'],
  },
  'a replica goes to another pool of its cluster': {
    resources: [
      H100,
      nodeClass('big', device('gpu', { memory: '140Gi' })),
      cluster('a', { p: 'h100 x 1', q: 'big x 1' }),
      deployment('ml/a'),
      deployment('ml/b', { engines: [engine('main', [ask('gpu', 8, BELOW_100GI)])] }),
    ],
    want: ['ml/a a/0 q', 'ml/b a/0 p'],
  },
};

test.each(Object.entries(cases))('joint placement: %s', (_, row) => check(row));

test('what is in the lock does not move, even where that would help', () => {
  const before = [H100, cluster('a', { p: 'h100 x 1' }, region('eu')), deployment('ml/any')];
  const after = [...before, cluster('b', { p: 'h100 x 1' }, region('us')), deployment('ml/only', only('eu'))];
  const { placements } = run(before);
  expect(placed(run(after, placements))).toEqual(['ml/any a/0 p']);
});

test('a search that ends at its limit says so, and places what it found before', () => {
  const sizes = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, 'h100 x 3']));
  const clusters = Array.from({ length: 12 }, (_, i) => cluster(`c${i}`, sizes));
  const workloads = Array.from({ length: 24 }, (_, i) =>
    deployment(`ml/d${i}`, { replicas: 60, gpus: 3, spec: { rollout: { surge: 1 }, placement: { policy: 'Pack' } } }),
  );
  const { placements, shortfalls } = run([H100, ...clusters, ...workloads]);
  expect(placements.length).toBeGreaterThan(0);
  expect(shortfalls.some(({ limited }) => limited)).toBe(true);
});

test('where spreading leaves large replicas without a place and no search makes up for it, clusters fill in order', () => {
  const clusters = Array.from({ length: 20 }, (_, i) => cluster(`c${i}`, { p: 'h100 x 2' }));
  const small = Array.from({ length: 160 }, (_, i) => deployment(`ml/a${i}`, { gpus: 1 }));
  const { placements, shortfalls } = run([H100, ...clusters, ...small, deployment('ml/z', { replicas: 20 })]);
  const clustersOf = (isLarge: boolean) =>
    placements.filter((one) => (one.deployment === 'ml/z') === isLarge).map((one) => Number(one.cluster.slice(1)));
  expect(shortfalls).toEqual([]);
  expect(Math.max(...clustersOf(false))).toBe(9);
  expect(Math.min(...clustersOf(true))).toBe(10);
});

test('a search that ends at its limit warns for as many replicas as devices are left for', () => {
  const clusters = Array.from({ length: 12 }, (_, i) => cluster(`c${i}`, { p: 'h100 x 3', q: 'h100 x 3' }));
  const workloads = Array.from({ length: 40 }, (_, i) =>
    deployment(`ml/d${String(i).padStart(2, '0')}`, { replicas: 8, gpus: 3, spec: { placement: { policy: 'Pack' } } }),
  );
  const { placements, shortfalls } = run([H100, ...clusters, ...workloads]);
  const left = Math.floor((12 * 6 * 8 - 3 * placements.length) / 3);
  const reported = shortfalls.filter(({ limited }) => limited).map((one) => one.deployment);
  expect(left).toBe(48);
  expect(reported).toEqual(shortfalls.slice(0, left / 8).map((one) => one.deployment));
});

test('a shortage that counting devices proves is no limit of the search, in a fleet of any size', () => {
  const clusters = Array.from({ length: 60 }, (_, i) => cluster(`c${i}`, { p: 'h100 x 16', q: 'h100 x 16' }));
  const workloads = Array.from({ length: 200 }, (_, i) => deployment(`ml/d${i}`, { replicas: 10 }));
  const { placements, shortfalls } = run([H100, ...clusters, ...workloads]);
  expect(placements.length).toBe(60 * 32);
  expect(shortfalls.length).toBe(8);
  expect(shortfalls.filter(({ limited }) => limited)).toEqual([]);
});

test('deployments get the most replicas that any joint assignment gives, by priority and name', () => {
  fc.assert(
    fc.property(grownFleet, ({ next, first }) => {
      const previous = runFleet({ next: first, previous: [] }).placements;
      const history = { next, previous };
      const model = modelOfFleet(history);
      const { placements, shortfalls } = runFleet(history);
      const locked = new Set(placed({ placements: previous }));
      const kept = placements.filter((one) => locked.has(placed({ placements: [one] })[0]!));
      const counts = new Map(model.deployments.map(({ id }) => [id, 0]));
      for (const { deployment: id, draining } of placements) if (!draining) counts.set(id, counts.get(id)! + 1);
      expect(shortfalls.filter(({ limited }) => limited)).toEqual([]);
      expect([...counts]).toEqual([...mostPlaced(model, kept)]);
    }),
    RUNS,
  );
});
