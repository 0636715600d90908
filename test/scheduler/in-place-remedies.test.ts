import type { Resource } from '../../src/api/kinds';
import type { Remedy } from '../../src/scheduler/remedy';
import { ask, cluster, deployment, device, engine, nodeClass, run } from './build';

const L4 = nodeClass('l4', device('gpu', { memory: '23034Mi', architecture: 'Ada' }));
const OTHER = deployment('ml/other', { gpus: 1, replicas: 2, spec: { priority: 1 } });
const copies = (count: number, gpus: number): Resource =>
  deployment('ml/q', { engines: [engine('main', [ask('gpu', gpus, 'true')], { copies: count })] });

const pools = (nodes: number, pool = {}): Resource => cluster('eu', { a: `l4 x ${nodes}` }, { pool });
const IN_PLACE = { cluster: 'eu', pool: 'a', inPlace: 'restart' } as const;

test.each<[string, [before: Resource, after: Resource], Remedy[]]>([
  [
    'fewer nodes in the place of the one with earlier engines, and nodes next to it',
    [copies(2, 8), copies(3, 8)],
    [
      { kind: 'nodes', nodes: 1, gpus: 8, ...IN_PLACE },
      { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 3, gpus: 24 },
    ],
  ],
  [
    'packed pods in the place of the one with earlier engines',
    [copies(1, 7), copies(1, 8)],
    [
      { kind: 'nodes', nodes: 1, gpus: 8, ...IN_PLACE },
      { kind: 'packing', ...IN_PLACE },
      { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, newPool: true, gpus: 8 },
    ],
  ],
])('a changed replica is offered %s', (_, [before, after], want) => {
  const others = want.some(({ kind }) => kind === 'packing') ? [OTHER] : [];
  const { placements } = run([L4, pools(2), ...others, before]);
  const changed = (place: Resource) => run([L4, place, ...others, after], placements, [before]).shortfalls;
  expect(changed(pools(2)).flatMap((one) => one.remedies)).toEqual(want);
  expect(changed(pools(3))).toEqual([]);
  if (others.length > 0) expect(changed(pools(2, { packing: 'BinPack' }))).toEqual([]);
});

test('a change that gives a replica a place next to the one with earlier engines is not offered in place of it too', () => {
  const small = deployment('ml/small', { gpus: 4, replicas: 3, spec: { priority: 1 } });
  const { placements } = run([L4, pools(3), small, copies(1, 4)]);
  const found = run([L4, pools(3), small, copies(1, 6)], placements, [copies(1, 4)]).shortfalls;
  expect(found.flatMap((one) => one.remedies)).toEqual([
    { kind: 'nodes', nodes: 1, gpus: 8, ...IN_PLACE },
    { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, newPool: true, gpus: 8 },
    { kind: 'packing', cluster: 'eu', pool: 'a' },
  ]);
});
