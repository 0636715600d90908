import { ask, cluster, deployment, device, engine, nodeClass, run } from './build';
import { type Change, checkChange } from './history';

const H100 = nodeClass('h100');
const drained = { taints: [{ key: 'drain', effect: 'NoExecute' }] };
const TWO = { a: 'h100 x 2' };
const eu = cluster('eu', TWO, { labels: { region: 'eu' } });
const us = cluster('us', TWO, { labels: { region: 'us' } });
const q = (replicas: number, options: Parameters<typeof deployment>[1] = {}) =>
  deployment('ml/q', { replicas, ...options });
const paused = (replicas: number, options: Parameters<typeof deployment>[1] = {}) =>
  q(replicas, { spec: { paused: true }, ...options });

const deployments: Record<string, Change> = {
  'gets no replica, be there room or not': {
    before: [H100, eu, q(1)],
    resources: [H100, eu, us, paused(4)],
    want: ['ml/q eu/0 a'],
  },
  'gets none at all where it had none': {
    before: [H100, eu],
    resources: [H100, eu, paused(2)],
    want: [],
  },
  'loses none when it is scaled down': {
    before: [H100, eu, us, q(3)],
    resources: [H100, eu, us, paused(1)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q us/0 a'],
  },
  'stays on a cluster that is drained': {
    before: [H100, eu, q(1)],
    resources: [H100, cluster('eu', TWO, drained), us, paused(1)],
    want: ['ml/q eu/0 a'],
  },
  'stays on a cluster that it no longer selects': {
    before: [H100, eu, q(1)],
    resources: [H100, eu, us, paused(1, { template: { clusterSelector: { matchLabels: { region: 'us' } } } })],
    want: ['ml/q eu/0 a'],
  },
  'stays when its engines change shape': {
    before: [H100, eu, q(1)],
    resources: [H100, eu, us, paused(1, { gpus: 4 })],
    known: true,
    want: ['ml/q eu/0 a'],
  },
  'stays when its engines are renamed': {
    before: [H100, eu, q(1)],
    resources: [H100, eu, us, paused(1, { engines: [engine('other', [ask('gpu', 8)])] })],
    known: true,
    want: ['ml/q eu/0 a'],
  },
  'stays when its engines would need nodes that no one has': {
    before: [H100, eu, q(1)],
    resources: [H100, eu, us, paused(1, { engines: [engine('main', [ask('gpu', 8)], { workers: 8 })] })],
    known: true,
    want: ['ml/q eu/0 a'],
  },
  'is charged as what it is, not as what it would be': {
    before: [H100, cluster('eu', { a: 'h100 x 1' }), q(1, { gpus: 4 })],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), paused(1), deployment('ml/r', { gpus: 4 })],
    known: true,
    want: ['ml/q eu/0 a', 'ml/r eu/0 a'],
  },
  'stays in a pool that is too full, and others give way': {
    before: [H100, cluster('eu', TWO), deployment('ml/a'), q(1)],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), us, deployment('ml/a'), paused(1)],
    want: ['ml/a us/0 a', 'ml/q eu/0 a'],
    evicted: ['ml/a eu/0 rejected'],
  },
  'stays in a pool that is too full, even alone': {
    before: [H100, eu, q(2)],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), us, paused(2)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'does not settle what was draining': {
    before: [H100, eu, us, q(2)],
    resources: [H100, eu, us, paused(2)],
    edit: (previous) => previous.map((line) => (line.cluster === 'eu' ? { ...line, draining: true } : line)),
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'goes with its cluster, which is gone': {
    before: [H100, eu, q(1)],
    resources: [H100, us, paused(1)],
    want: [],
    evicted: ['ml/q eu/0 cluster-gone'],
  },
  'goes where its engines cannot run any more, since there is nothing to render': {
    before: [H100, eu, q(1)],
    resources: [
      H100,
      eu,
      us,
      paused(1, { engines: [engine('main', [ask('gpu', 8, 'device.driver == "gpu.amd.com"')])] }),
    ],
    want: [],
    evicted: ['ml/q eu/0 rejected'],
  },
};

const stopped = (options: Parameters<typeof cluster>[2] = {}) =>
  cluster('eu', TWO, { labels: { region: 'eu' }, paused: true, ...options });

const clusters: Record<string, Change> = {
  'gets no replica': {
    before: [H100, eu, q(1)],
    resources: [H100, stopped(), us, q(3)],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'loses none when it is drained': {
    before: [H100, eu, q(1)],
    resources: [H100, stopped(drained), us, q(1)],
    want: ['ml/q eu/0 a'],
  },
  'loses none when a deployment is scaled down: others do': {
    before: [H100, eu, us, q(3)],
    resources: [H100, stopped(), us, q(2)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q us/0 scaled-down'],
  },
  'loses none though more are there than are wanted': {
    before: [H100, eu, q(2)],
    resources: [H100, stopped(), us, q(1)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'loses none to a pool that is too full': {
    before: [H100, eu, q(2)],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }, { paused: true }), us, q(2)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'keeps a replica whose engines change shape': {
    before: [H100, eu, q(1)],
    resources: [H100, stopped(), us, q(1, { gpus: 4 })],
    known: true,
    want: ['ml/q eu/0 a'],
  },
  'does not take back what is draining': {
    before: [H100, eu, q(1)],
    resources: [H100, stopped(), us, q(1)],
    edit: (previous) => previous.map((line) => ({ ...line, draining: true })),
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
  },
};

describe('a paused deployment', () => {
  test.each(Object.entries(deployments))('%s', (_, row) => checkChange(row));

  test('lacks nothing, so it is no shortfall', () => {
    expect(run([H100, eu, paused(9)]).shortfalls).toEqual([]);
  });
});

describe('a paused cluster', () => {
  test.each(Object.entries(clusters))('%s', (_, row) => checkChange(row));

  test('is a reason of its own for a replica without a place', () => {
    const [short] = run([H100, stopped(), q(1)]).shortfalls;
    expect(short?.rejections).toEqual([{ cluster: 'eu', reason: { filter: 'paused' } }]);
  });
});

test('what is paused is charged: others do not get its devices', () => {
  const small = nodeClass('small', device('gpu', { count: 4 }));
  checkChange({
    before: [small, cluster('eu', { a: 'small x 1' }), q(1, { gpus: 4 })],
    resources: [small, cluster('eu', { a: 'small x 1' }), paused(0, { gpus: 4 }), deployment('ml/r', { gpus: 4 })],
    want: ['ml/q eu/0 a'],
  });
});
