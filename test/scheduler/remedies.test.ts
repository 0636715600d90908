import type { Resource } from '../../src/api/kinds';
import type { Remedy } from '../../src/scheduler/remedy';
import { ask, cache, cluster, deployment, device, engine, nodeClass, nodeClassWith, run } from './build';

const L4 = nodeClass('l4', device('gpu', { memory: '23034Mi', architecture: 'Ada' }));
const CHEAP = nodeClassWith('cheap', { price: 1 }, device('gpu', { memory: '23034Mi', architecture: 'Ada' }));
const memory = (least: string, operator = '>='): string =>
  `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${least}")) ${operator} 0`;
const asking = (selector: string, template = {}, spec = {}): Resource =>
  deployment('ml/q', { engines: [engine('main', [ask('gpu', 8, selector)])], template, spec });
const TPU = nodeClass('tpu', device('tpu', { count: 4, className: 'tpu.google.com' }));
const chips = (...counts: number[]): Resource => {
  const requests = counts.map((count, i) => ask(`tpu${i || ''}`, count, 'device.driver == "tpu.google.com"'));
  return deployment('ml/q', { engines: [engine('main', requests)] });
};
const MONITORED = { monitoring: { prometheus: { serverAddress: 'http://prometheus:9090' } } };
const closed = { taints: [{ key: 'drain', value: 'now', effect: 'NoSchedule' }] };

const copies = (count: number | { min: number; max: number }, gpus: number): Resource =>
  deployment('ml/q', { engines: [engine('main', [ask('gpu', gpus, 'true')], { copies: count })] });
const scaled = (min: number, max: number): Resource => copies({ min, max }, 1);

function remedies(...resources: Resource[]): readonly Remedy[] {
  return run(resources).shortfalls.flatMap((shortfall) => shortfall.remedies);
}

/** A cache, and a cluster without GPUs that has what the cache and `spreadBy` need. */
const HERE = [cache('ml/c'), cluster('eu', {}, { labels: { zone: 'a' }, storage: true })];
const CACHED = asking('true', { modelCacheRef: { name: 'c' } }, { placement: { spreadBy: 'zone' } });

interface Case {
  clusters: Resource[];
  asking: Resource;
  want: Remedy[];
  /** The same with the first remedy applied: it has to have a place then. */
  applied?: Resource[];
}

const PACKED: Remedy = { kind: 'packing', cluster: 'eu', pool: 'a' };

/** Two pods with one device each, which may be on two nodes. */
const OTHER = deployment('ml/other', { gpus: 1, replicas: 2, spec: { priority: 1 } });

/** Two engines, each of which takes a node. */
const PAIR = deployment('ml/q', {
  engines: [engine('main', [ask('gpu', 8, 'true')]), engine('two', [ask('gpu', 8, 'true')])],
});

const bound = { kind: 'bound', engine: 'main', request: 'gpu', selector: 0 } as const;

const cases: Record<string, Case> = {
  'more nodes in the pool that needs the fewest': {
    clusters: [cluster('eu', { a: 'l4 x 0' }), cluster('us', { a: 'l4 x 0' })],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
    applied: [cluster('eu', { a: 'l4 x 1' }), asking('true')],
  },
  'of pools that need equally many nodes, the one with the cheapest': {
    clusters: [cluster('eu', { a: 'l4 x 0' }), cluster('us', { a: 'cheap x 0' })],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'us', pool: 'a', nodes: 1, gpus: 8 }],
    applied: [cluster('us', { a: 'cheap x 1' }), asking('true')],
  },
  'nodes of the pool where a new pool would need as many': {
    clusters: [cluster('eu', { a: 'l4 x 2' }), deployment('ml/other', { gpus: 1, replicas: 2, spec: { priority: 1 } })],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }, PACKED],
  },
  'a new pool, which no other pods spread over, where it needs fewer nodes': {
    clusters: [cluster('eu', { a: 'l4 x 2' }), deployment('ml/other', { gpus: 1, replicas: 4, spec: { priority: 1 } })],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, newPool: true, gpus: 8 }, PACKED],
  },
  'packed pods where the free devices of a pool are enough': {
    clusters: [cluster('eu', { a: 'l4 x 2' }), OTHER],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }, PACKED],
    applied: [cluster('eu', { a: 'l4 x 2' }, { pool: { packing: 'BinPack' } }), asking('true'), OTHER],
  },
  'no packed pods where the devices are too few for them too': {
    clusters: [cluster('eu', { a: 'l4 x 2' }), deployment('ml/other', { gpus: 5, replicas: 2, spec: { priority: 1 } })],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'no packed pods on a pool that gives each pod a node': {
    clusters: [cluster('eu', { a: 'l4 x 2' }, { pool: { packing: 'Exclusive' } }), OTHER],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'no packed pods where one engine of the replica fits nowhere': {
    clusters: [cluster('eu', { a: 'l4 x 2' }), OTHER],
    asking: deployment('ml/q', {
      engines: [engine('main', [ask('gpu', 8, 'true')]), engine('two', [ask('gpu', 8, 'true')])],
    }),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 2, gpus: 16 }],
  },
  'nodes for all engines of a replica together': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: PAIR,
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
    applied: [cluster('eu', { a: 'l4 x 2' }), PAIR],
  },
  'no nodes of one pool where each engine lacks another': {
    clusters: [cluster('eu', { a: 'l4 x 0', b: 'h100 x 0' }), nodeClass('h100', device('gpu', { memory: '81559Mi' }))],
    asking: deployment('ml/q', {
      engines: [
        engine('main', [ask('gpu', 8, memory('23034Mi', '=='))]),
        engine('two', [ask('gpu', 8, memory('81559Mi', '=='))]),
      ],
    }),
    want: [],
  },
  'a toleration where only a taint is in the way': {
    clusters: [cluster('eu', { a: 'l4 x 1' }, closed)],
    asking: asking('true'),
    want: [{ kind: 'toleration', cluster: 'eu', taints: [{ key: 'drain', value: 'now', effect: 'NoSchedule' }] }],
    applied: [
      cluster('eu', { a: 'l4 x 1' }, closed),
      asking('true', { tolerations: [{ key: 'drain', value: 'now' }] }),
    ],
  },
  'no toleration on a cluster that a limit of the placement closes too': {
    clusters: [cluster('eu', { a: 'l4 x 1' }, closed), cluster('us', { a: 'l4 x 0' }, { labels: { zone: 'a' } })],
    asking: asking('true', {}, { placement: { spreadBy: 'zone' } }),
    want: [{ kind: 'nodes', cluster: 'us', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'no toleration of a drain, which it would undo': {
    clusters: [
      cluster('eu', { a: 'l4 x 1' }, { taints: [{ key: 'drain', value: 'now', effect: 'NoExecute' }] }),
      cluster('us', { a: 'l4 x 0' }),
    ],
    asking: asking('true'),
    want: [{ kind: 'nodes', cluster: 'us', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'a limit of placement that keeps a replica off a cluster with room': {
    clusters: [cluster('eu', { a: 'l4 x 2' })],
    asking: deployment('ml/q', { replicas: 2, spec: { placement: { maxPerCluster: 1 } } }),
    want: [{ kind: 'limit', deployment: 'ml/q', field: 'maxPerCluster', from: 1, to: 2, cluster: 'eu' }],
  },
  'no limit of placement where the cluster has no room': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: deployment('ml/q', { replicas: 2, spec: { placement: { maxPerCluster: 1 } } }),
    want: [],
  },
  'no toleration where there is no room behind the taint': {
    clusters: [cluster('eu', { a: 'l4 x 0' }, closed)],
    asking: asking('true'),
    want: [],
  },
  'another bound where the device just misses it': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: asking(memory('24Gi')),
    want: [{ ...bound, cluster: 'eu', pool: 'a', from: '24Gi', to: '22Gi' }],
    applied: [cluster('eu', { a: 'l4 x 1' }), asking(memory('22Gi'))],
  },
  'a toleration after another bound, because a taint is there for a reason': {
    clusters: [cluster('eu', { a: 'l4 x 1' }), cluster('us', { a: 'h100 x 1' }, closed), nodeClass('h100')],
    asking: asking(memory('24Gi')),
    want: [
      { ...bound, cluster: 'eu', pool: 'a', from: '24Gi', to: '22Gi' },
      { kind: 'toleration', cluster: 'us', taints: [{ key: 'drain', value: 'now', effect: 'NoSchedule' }] },
    ],
  },
  'one bound for all pools on which it helps': {
    clusters: [cluster('eu', { a: 'l4 x 1', b: 'l4 x 0' }), cluster('us', { a: 'l4 x 1' })],
    asking: asking(memory('24Gi')),
    want: [{ ...bound, cluster: 'eu', pool: 'a', from: '24Gi', to: '22Gi', also: [{ cluster: 'us', pool: 'a' }] }],
  },
  'another bound in a selector that says more': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: asking(`device.driver == "gpu.nvidia.com" && ${memory('24Gi')}`),
    want: [{ ...bound, cluster: 'eu', pool: 'a', from: '24Gi', to: '22Gi' }],
  },
  'no other bound where the device misses something else too': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: asking(`${memory('24Gi')} && device.attributes["gpu.nvidia.com"].architecture == "Hopper"`),
    want: [],
  },
  'no other bound where equality is asked for': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: asking(memory('24Gi', '==')),
    want: [],
  },
  'all devices of a node where their driver allocates no part of them': {
    clusters: [TPU, cluster('eu', { a: 'tpu x 1' }, { pool: { tpuTopology: '2x2' } })],
    asking: chips(2),
    want: [{ kind: 'count', cluster: 'eu', pool: 'a', engine: 'main', request: 'tpu', from: 2, to: 4 }],
    applied: [TPU, cluster('eu', { a: 'tpu x 1' }, { pool: { tpuTopology: '2x2' } }), chips(4)],
  },
  'no other count where the pool has no room': {
    clusters: [TPU, cluster('eu', { a: 'tpu x 0' })],
    asking: chips(2),
    want: [],
  },
  'no other count where several requests share the devices of a node': {
    clusters: [TPU, cluster('eu', { a: 'tpu x 1' })],
    asking: chips(1, 2),
    want: [],
  },
  'as many copies as there is room for, where an autoscaler keeps fewer': {
    clusters: [cluster('eu', { a: 'l4 x 1' }, MONITORED)],
    asking: scaled(1, 11),
    want: [
      { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 },
      { kind: 'copies', cluster: 'eu', pool: 'a', engine: 'main', from: 11, to: 8 },
    ],
    applied: [cluster('eu', { a: 'l4 x 1' }, MONITORED), scaled(1, 8)],
  },
  'no surge where the replica has a place without its reserve': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: asking('true', {}, { rollout: { surge: 1 } }),
    want: [
      { kind: 'surge', cluster: 'eu', pool: 'a' },
      { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 },
    ],
    applied: [cluster('eu', { a: 'l4 x 1' }), asking('true')],
  },
  'no surge where its replicas that have a place reserve what one more needs': {
    clusters: [cluster('eu', { a: 'l4 x 2' })],
    asking: asking('true', {}, { replicas: 2, rollout: { surge: 1 } }),
    want: [
      { kind: 'surge', cluster: 'eu', pool: 'a' },
      { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 2, gpus: 16 },
    ],
    applied: [cluster('eu', { a: 'l4 x 2' }), asking('true', {}, { replicas: 2 })],
  },
  'a surge where the replica has no place without its reserve either': {
    clusters: [cluster('eu', { a: 'l4 x 0' })],
    asking: asking('true', {}, { rollout: { surge: 1 } }),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 2, gpus: 16 }],
  },
  'no fewer copies than an autoscaler keeps': {
    clusters: [cluster('eu', { a: 'l4 x 1' }, MONITORED)],
    asking: scaled(9, 11),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'no fewer of a fixed number of copies': {
    clusters: [cluster('eu', { a: 'l4 x 1' })],
    asking: copies(9, 1),
    want: [{ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 }],
  },
  'the storage and the label that a cluster with room does not declare, together': {
    clusters: [...HERE, cluster('us', { a: 'l4 x 1' })],
    asking: CACHED,
    want: [{ kind: 'declare', cluster: 'us', storage: ['SharedFilesystem'], label: 'zone' }],
    applied: [...HERE, cluster('us', { a: 'l4 x 1' }, { labels: { zone: 'b' }, storage: true }), CACHED],
  },
  'no storage and no label that would not make room': {
    clusters: [...HERE, cluster('us', { a: 'l4 x 0' })],
    asking: CACHED,
    want: [],
  },
  'no storage where the cache selects other clusters': {
    clusters: [cache('ml/c', { side: 'b' }), ...HERE.slice(1), cluster('us', { a: 'l4 x 1' })],
    asking: CACHED,
    want: [],
  },
  'no other bound where the pool has no room': {
    clusters: [cluster('eu', { a: 'l4 x 0' })],
    asking: asking(memory('24Gi')),
    want: [],
  },
};

/** A deployment that takes the only room of `eu`, because `us` has no storage for its cache, and one that must be there. */
const crowding = (us: Resource): Resource[] => [
  cache('ml/c'),
  cluster('eu', { a: 'l4 x 1' }, { labels: { site: 'eu' }, storage: true }),
  us,
  deployment('ml/large', { template: { modelCacheRef: { name: 'c' } }, spec: { priority: 1 } }),
  asking('true', { clusterSelector: { matchLabels: { site: 'eu' } } }),
];
const NODES: Remedy = { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 };

test.each<[string, Resource, Remedy[]]>([
  [
    'storage where a new replica of another deployment fits then is offered, because it leaves room',
    cluster('us', { a: 'l4 x 1' }),
    [NODES, { kind: 'declare', cluster: 'us', storage: ['SharedFilesystem'], frees: 'ml/large' }],
  ],
  ['storage is not offered where the other deployment has no room', cluster('us', { a: 'l4 x 0' }), [NODES]],
])('%s', (_, us, want) => {
  expect(remedies(L4, ...crowding(us))).toEqual(want);
});

test('an obstacle in a pool behind a taint has the nodes and the packing that remove it', () => {
  const place = cluster('eu', { a: 'l4 x 2' }, closed);
  const small = deployment('ml/other', {
    gpus: 1,
    replicas: 2,
    template: { tolerations: [{ key: 'drain', value: 'now' }] },
    spec: { priority: 1 },
  });
  const [rejection] = run([L4, place, small, asking('true')]).shortfalls.flatMap(({ rejections }) => rejections);
  expect(rejection?.also).toMatchObject([{ pool: 'a', nodes: 1, packing: true }]);
});

test('storage is not offered where a third deployment would lose its place', () => {
  const there = { clusterSelector: { matchLabels: { site: 'us' } } };
  const resources = crowding(cluster('us', { a: 'l4 x 1' }, { labels: { site: 'us' } }));
  expect(remedies(L4, ...resources, deployment('ml/third', { template: there }))).toEqual([NODES]);
});

test('storage for a deployment of the lock is not offered: its replicas do not move', () => {
  const resources = [L4, ...crowding(cluster('us', { a: 'l4 x 1' }))];
  const { placements } = run(resources);
  expect(run(resources, placements).shortfalls.flatMap((one) => one.remedies)).toEqual([NODES]);
});

test.each(Object.entries(cases))('a shortfall offers %s', (_, { clusters, asking, want, applied }) => {
  expect(remedies(L4, CHEAP, ...clusters, asking)).toEqual(want);
  if (applied) expect(run([L4, CHEAP, ...applied]).shortfalls).toEqual([]);
});
