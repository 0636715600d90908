import type { Resource } from '../../src/api/kinds';
import type { Placement } from '../../src/scheduler/types';
import { ask, cache, cluster, deployment, device, engine, nodeClass, placed, run } from './build';

interface Case {
  resources: Resource[];
  /** The fleet on which the previous state was decided. Default: nothing was placed. */
  before?: Resource[];
  want: string[];
}

const H100 = nodeClass('h100');
const BIG = nodeClass('big', device('gpu', { memory: '140Gi' }));
const AT_LEAST_100GI = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100Gi")) >= 0';
const tainted = (effect: string) => ({ taints: [{ key: 'maintenance', value: 'true', effect }] });
const toleration = { tolerations: [{ key: 'maintenance', operator: 'Exists' }] };

const filling: Record<string, Case> = {
  'replicas go to the cluster with the fewest of their deployment': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { replicas: 3 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q us/0 a'],
  },
  'a full cluster is passed over': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { replicas: 3 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'a deployment of higher priority is placed first': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/a'),
      deployment('ml/b', { spec: { priority: 1 } }),
    ],
    want: ['ml/b eu/0 a'],
  },
  'equal names in two namespaces are two deployments and do not share nodes': {
    resources: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('a/q'), deployment('b/q')],
    want: ['a/q eu/0 a', 'b/q eu/0 a'],
  },
  'a pool of the size of its maximum is planned with': {
    resources: [H100, cluster('eu', { a: 'h100 x 0', b: 'h100 x 1' }), deployment('ml/q')],
    want: ['ml/q eu/0 b'],
  },
  'a small model does not take the devices with the most memory': {
    resources: [H100, BIG, cluster('eu', { a: 'big x 2', b: 'h100 x 2' }), deployment('ml/q')],
    want: ['ml/q eu/0 b'],
  },
  'a selector keeps replicas off devices that do not match': {
    resources: [
      H100,
      BIG,
      cluster('eu', { a: 'h100 x 4', b: 'big x 1' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8, AT_LEAST_100GI)])] }),
    ],
    want: ['ml/q eu/0 b'],
  },
  'small pods share a node': {
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), deployment('ml/q', { replicas: 4, gpus: 2 })],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q eu/2 a', 'ml/q eu/3 a'],
  },
  'small pods that could spread over all nodes leave no sure place for a whole-node pod': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      deployment('ml/small', { replicas: 4, gpus: 1, spec: { priority: 1 } }),
      deployment('ml/whole'),
    ],
    want: ['ml/small eu/0 a', 'ml/small eu/1 a', 'ml/small eu/2 a', 'ml/small eu/3 a'],
  },
  'small pods are refused where they could break the promise to a whole-node pod': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      deployment('ml/small', { replicas: 4, gpus: 1 }),
      deployment('ml/whole', { spec: { priority: 1 } }),
    ],
    want: ['ml/small eu/0 a', 'ml/small eu/1 a', 'ml/small eu/2 a', 'ml/whole eu/0 a'],
  },
  'a cluster selector keeps replicas off other clusters': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, { labels: { region: 'eu' } }),
      cluster('us', { a: 'h100 x 4' }, { labels: { region: 'us' } }),
      deployment('ml/q', { replicas: 2, template: { clusterSelector: { matchLabels: { region: 'us' } } } }),
    ],
    want: ['ml/q us/0 a', 'ml/q us/1 a'],
  },
  'a NoSchedule taint keeps replicas off': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoSchedule')),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q'),
    ],
    want: ['ml/q us/0 a'],
  },
  'a NoExecute taint keeps replicas off': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoExecute')),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q'),
    ],
    want: ['ml/q us/0 a'],
  },
  'a tolerated taint does not': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoSchedule')),
      deployment('ml/q', { template: toleration }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'replicas with a cache go where it can be staged: its selector matches and there is shared storage': {
    resources: [
      H100,
      cluster('a', { a: 'h100 x 4' }, { labels: { region: 'eu' } }),
      cluster('b', { a: 'h100 x 4' }, { storage: true }),
      cluster('c', { a: 'h100 x 4' }, { storage: true, labels: { region: 'eu' } }),
      cache('ml/weights', { region: 'eu' }),
      deployment('ml/q', { replicas: 2, template: { modelCacheRef: { name: 'weights' } } }),
    ],
    want: ['ml/q c/0 a', 'ml/q c/1 a'],
  },
};

const engines: Record<string, Case> = {
  'copies are charged each': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 4' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { copies: 4 })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'a gang takes a node for the leader and one for each worker': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 2 })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'a gang is not split over pools': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] }),
    ],
    want: [],
  },
  'engines of one replica may go to different pools of one cluster': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] }),
    ],
    want: ['ml/q eu/0 a+b'],
  },
  'but never to different clusters': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] }),
    ],
    want: [],
  },
  'an engine that could use any pool makes way for one that cannot': {
    // By memory, x prefers pool a; y can use nothing else.
    resources: [
      nodeClass('small', device('gpu', { memory: '40Gi', attributes: { only: { string: 'y' } } })),
      nodeClass('large', device('gpu', { memory: '80Gi', attributes: { only: { string: 'x' } } })),
      cluster('eu', { a: 'small x 1', b: 'large x 1' }),
      deployment('ml/q', {
        engines: [
          engine('x', [ask('gpu', 8)]),
          engine('y', [ask('gpu', 8, 'device.attributes["gpu.nvidia.com"].only == "y"')]),
        ],
      }),
    ],
    want: ['ml/q eu/0 b+a'],
  },
  'a member without devices follows its engine and is charged nothing': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/q', {
        engines: [{ ...engine('main', [ask('gpu', 8)], { workers: 1 }), members: claimlessLeader() }],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
};

function claimlessLeader(): unknown[] {
  const gang = engine('main', [ask('gpu', 8)], { workers: 1 }) as { members: Record<string, unknown>[] };
  const [{ nodeSelector: _, ...leader }, worker] = gang.members as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [leader, worker];
}

const devices: Record<string, Case> = {
  'a pod with two requests takes from two kinds of device': {
    resources: [
      nodeClass(
        'rdma',
        device('gpu'),
        device('nic', { className: 'nic.example.com', count: 4, memory: '1' }),
      ),
      cluster('eu', { a: 'rdma x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 8), ask('nic', 4, 'device.driver == "nic.example.com"')])],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a request that could take any device makes way for one that cannot': {
    resources: [
      nodeClass(
        'mixed',
        device('a', { count: 4, memory: '40Gi' }),
        device('b', { count: 4, memory: '80Gi' }),
      ),
      cluster('eu', { a: 'mixed x 1' }),
      deployment('ml/q', {
        engines: [
          engine('main', [
            ask('any', 4),
            ask('small', 4, 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) == 0'),
          ]),
        ],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a request binds one device class: two halves of different classes do not add up': {
    resources: [
      nodeClass(
        'mixed',
        device('a', { count: 4 }),
        device('b', { count: 4, className: 'other.example.com' }),
      ),
      cluster('eu', { a: 'mixed x 1' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8, 'true')])] }),
    ],
    want: [],
  },
  'a synthetic device narrows and is not charged': {
    resources: [
      nodeClass(
        'fabric',
        device('gpu', { count: 2 }),
        device('fabric', { synthetic: true, count: 1, className: 'fabric.example.com' }),
      ),
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'fabric x 1' }),
      deployment('ml/q', {
        replicas: 2,
        engines: [engine('main', [ask('gpu', 1), ask('fabric', 1, 'device.driver == "fabric.example.com"')])],
      }),
    ],
    want: ['ml/q us/0 a', 'ml/q us/1 a'],
  },
  'an engine whose pods would claim nothing is not placed': {
    resources: [
      nodeClass(
        'fabric',
        device('gpu'),
        device('fabric', { synthetic: true, className: 'fabric.example.com' }),
      ),
      cluster('us', { a: 'fabric x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('fabric', 1, 'device.driver == "fabric.example.com"')])],
      }),
    ],
    want: [],
  },
  'a selector that fails on a device of its class makes the pool no match': {
    resources: [
      nodeClass(
        'mixed',
        device('a', { attributes: { tier: { string: 'x' } } }),
        device('b', { memory: '1Gi' }),
      ),
      cluster('eu', { a: 'mixed x 4' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].tier == "x"')])],
      }),
    ],
    want: [],
  },
  'a selector that fails on a device of another class does not': {
    resources: [
      nodeClass(
        'mixed',
        device('a', { attributes: { tier: { string: 'x' } } }),
        device('nic', { className: 'nic.example.com' }),
      ),
      cluster('eu', { a: 'mixed x 4' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].tier == "x"')])],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a pod that may take more kinds than it needs counts as a whole node, and so does everything beside it': {
    resources: [
      nodeClass('mixed', device('a', { count: 4, memory: '40Gi' }), device('b', { count: 4 })),
      cluster('eu', { a: 'mixed x 2' }),
      deployment('ml/any', { gpus: 1, spec: { priority: 1 } }),
      deployment('ml/small', {
        replicas: 2,
        engines: [
          engine('main', [
            ask('gpu', 1, 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) == 0'),
          ]),
        ],
      }),
    ],
    want: ['ml/any eu/0 a', 'ml/small eu/0 a'],
  },
};

describe('schedule', () => {
  describe('fills', () => void test.each(Object.entries(filling))('%s', (_, row) => check(row)));
  describe('fits engines', () => void test.each(Object.entries(engines))('%s', (_, row) => check(row)));
  describe('matches devices', () => void test.each(Object.entries(devices))('%s', (_, row) => check(row)));
});

function check({ resources, before, want }: Case): void {
  const previous: readonly Placement[] = before ? run(before).placements : [];
  expect(placed(run(resources, previous))).toEqual(want);
  expect(placed(run(resources.toReversed(), previous.toReversed()))).toEqual(want);
}
