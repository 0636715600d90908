import { ask, cluster, deployment, device, engine, nodeClass } from '../build';
import { type Case, check } from '../rows';

const H100 = nodeClass('h100');

const cases: Record<string, Case> = {
  'a pod with two requests takes from two kinds of device': {
    resources: [
      nodeClass('rdma', device('gpu'), device('nic', { className: 'nic.example.com', count: 4, memory: '1Mi' })),
      cluster('eu', { a: 'rdma x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 8), ask('nic', 4, 'device.driver == "nic.example.com"')])],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a request that could take any device makes way for one that cannot': {
    resources: [
      nodeClass('mixed', device('a', { count: 4, memory: '40Gi' }), device('b', { count: 4, memory: '80Gi' })),
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
      nodeClass('mixed', device('a', { count: 4 }), device('b', { count: 4, className: 'other.example.com' })),
      H100,
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
      nodeClass('fabric', device('gpu'), device('fabric', { synthetic: true, className: 'fabric.example.com' })),
      cluster('us', { a: 'fabric x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('fabric', 1, 'device.driver == "fabric.example.com"')])],
      }),
    ],
    want: [],
  },
  'a selector that fails on a device of its class makes the pool no match': {
    resources: [
      nodeClass('mixed', device('a', { attributes: { tier: { string: 'x' } } }), device('b', { memory: '1Gi' })),
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
  'a pod that may take either of two kinds is charged for both': {
    // Two of the small one leave two nodes of which the flexible pod may have taken the same devices.
    resources: [
      nodeClass('mixed', device('a', { count: 4, memory: '40Gi' }), device('b', { count: 4 })),
      cluster('eu', { a: 'mixed x 2' }),
      deployment('ml/any', { gpus: 4, spec: { priority: 1 } }),
      deployment('ml/small', {
        replicas: 2,
        engines: [
          engine('main', [ask('gpu', 4, 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) == 0')]),
        ],
      }),
    ],
    want: ['ml/any eu/0 a', 'ml/small eu/0 a'],
  },
  'and leaves the rest of the node to others': {
    resources: [
      nodeClass('mixed', device('a', { count: 4, memory: '40Gi' }), device('b', { count: 4 })),
      cluster('eu', { a: 'mixed x 1' }),
      deployment('ml/any', { gpus: 4, replicas: 2 }),
    ],
    want: ['ml/any eu/0 a', 'ml/any eu/1 a'],
  },
};

test.each(Object.entries(cases))('match: %s', (_, row) => check(row));
