import { compileFleet } from '../../src/plan/compile-fleet';
import { schedule } from '../../src/scheduler/schedule';
import { ask, cluster, deployment, engine, fleetOf, nodeClass, run } from './build';
import { type Change, checkChange } from './history';

const H100 = nodeClass('h100');
const nodes = (count: number) => cluster('eu', { a: `h100 x ${count}` });
const small = (id: string, replicas: number) => deployment(id, { replicas, gpus: 1 });
const one = (id: string) => deployment(id, { engines: [engine('x', [ask('gpu', 8)])] });
/** A replica of two engines. */
const two = deployment('ml/0', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] });
const POOLS: Record<string, Record<string, string>> = {
  'ml/0': { x: 'a', y: 'b' },
  'ml/a': { x: 'a' },
  'ml/b': { x: 'b' },
};
const important = deployment('ml/q', { spec: { priority: 1 } });

const cases: Record<string, Change> = {
  'as few replicas go as possible: one of a whole node rather than many small ones': {
    before: [H100, nodes(4), deployment('ml/a'), small('ml/b', 3)],
    resources: [H100, nodes(1), deployment('ml/a'), small('ml/b', 3)],
    want: ['ml/b eu/0 a', 'ml/b eu/1 a', 'ml/b eu/2 a'],
    evicted: ['ml/a eu/0 rejected'],
  },
  'but many of lower priority rather than one of higher': {
    before: [H100, nodes(4), important, small('ml/b', 3)],
    resources: [H100, nodes(1), important, small('ml/b', 3)],
    want: ['ml/q eu/0 a'],
    evicted: ['ml/b eu/0 rejected', 'ml/b eu/1 rejected', 'ml/b eu/2 rejected'],
  },
  'among equals the later go': {
    before: [H100, nodes(3), deployment('ml/a'), deployment('ml/b', { replicas: 2 })],
    resources: [H100, nodes(2), deployment('ml/a'), deployment('ml/b', { replicas: 2 })],
    want: ['ml/a eu/0 a', 'ml/b eu/0 a'],
    evicted: ['ml/b eu/1 rejected'],
  },
  'also where they are of another shape': {
    before: [H100, nodes(2), deployment('ml/a', { gpus: 5 }), deployment('ml/b', { gpus: 4 })],
    resources: [H100, nodes(1), deployment('ml/a', { gpus: 5 }), deployment('ml/b', { gpus: 4 })],
    want: ['ml/a eu/0 a'],
    evicted: ['ml/b eu/0 rejected'],
  },
  'what is draining goes before what stays, whatever its priority': {
    before: [H100, nodes(2), important, deployment('ml/r')],
    resources: [H100, nodes(1), cluster('us', { a: 'h100 x 1' }), important, deployment('ml/r')],
    edit: (previous) => previous.map((p) => (p.deployment === 'ml/q' ? { ...p, draining: true } : p)),
    want: ['ml/q us/0 a', 'ml/r eu/0 a'],
    evicted: ['ml/q eu/0 rejected'],
  },
  'one that is in two pools that are too full goes rather than one in each': {
    before: [H100, cluster('eu', { a: 'h100 x 2', b: 'h100 x 2' }), one('ml/a'), one('ml/b'), two],
    resources: [H100, cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }), one('ml/a'), one('ml/b'), two],
    edit: (previous) => previous.map((p) => ({ ...p, pools: POOLS[p.deployment]! })),
    want: ['ml/a eu/0 a', 'ml/b eu/0 b'],
    evicted: ['ml/0 eu/0 rejected'],
  },
  'pools that have room keep what they have': {
    before: [H100, cluster('eu', { a: 'h100 x 1' }), cluster('us', { a: 'h100 x 1' }), small('ml/b', 16)],
    resources: [H100, cluster('eu', { a: 'h100 x 0' }), cluster('us', { a: 'h100 x 1' }), small('ml/b', 16)],
    want: Array.from({ length: 8 }, (_, i) => `ml/b us/${i} a`),
    evicted: Array.from({ length: 8 }, (_, i) => `ml/b eu/${i} rejected`),
  },
};

test.each(Object.entries(cases))('too full a pool: %s', (_, row) => checkChange(row));

test('a pool of very many kinds keeps those that come first', () => {
  const kinds = Array.from({ length: 7 }, (_, i) => deployment(`ml/${i + 1}`, { gpus: i + 1, replicas: 4 }));
  checkChange({
    before: [H100, nodes(28), ...kinds],
    resources: [H100, nodes(1), ...kinds],
    want: [0, 1, 2, 3].map((i) => `ml/1 eu/${i} a`).concat([0, 1].map((i) => `ml/2 eu/${i} a`)),
    evicted: [
      ...[2, 3].map((i) => `ml/2 eu/${i} rejected`),
      ...[3, 4, 5, 6, 7].flatMap((gpus) => [0, 1, 2, 3].map((i) => `ml/${gpus} eu/${i} rejected`)),
    ],
  });
});

const pools = (count: number) => cluster('eu', { a: `h100 x ${count}`, b: 'h100 x 2' });

test('the reason names the pool that is too full, not one of which nodes were lost', () => {
  const previous = run([H100, pools(2), two]).placements.map((p) => ({ ...p, pools: { x: 'b', y: 'a' } }));
  const lost = [{ cluster: 'eu', pool: 'b', nodes: 2 }];
  const model = compileFleet({ ...fleetOf(H100, pools(0), two), lost }, () => '');
  const [evicted] = schedule(model, previous).evictions;
  expect(evicted?.reason).toMatchObject({ rejection: { pool: 'a', reason: { nodes: 0, missingNodes: 1 } } });
  const whole = compileFleet({ ...fleetOf(H100, pools(1), two), lost }, () => '');
  expect(schedule(whole, previous).evictions).toEqual([]);
});
