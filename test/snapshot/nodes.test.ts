import { GPU, type Json, node, slice } from './build';
import { type Case, judgesAs } from './rows';

const label = (pool: string): { labels: Json } => ({ labels: { 'fleetwright.dev/pool': pool } });

const sizes: Record<string, Case> = {
  'a pool whose nodes are all there loses nothing': { objects: [node('n2')], want: [0] },
  'a fixed pool loses the nodes that were not recorded': {
    objects: [],
    want: [1, "pool 'h100' has 1 of 2 nodes for new replicas: 1 node of the pool missing from the snapshot"],
  },
  'a node of another pool, or of none, is no node of this one': {
    objects: [node('n2', label('l4')), node('n3', { labels: {} })],
    want: [1, '1 node of the pool missing from the snapshot'],
  },
  'the label that the cluster names reports the pool of a node': {
    objects: [node('n1', { labels: { rack: 'h100' } }), node('n2', { labels: { rack: 'h100' } })],
    options: { cluster: { poolLabel: 'rack' } },
    want: [0],
  },
  'an autoscaled pool can still make the nodes that are not there': {
    objects: [],
    options: { pool: { maxNodeCount: 4 } },
    want: [0],
  },
  'an autoscaled pool loses a node that is there and does not count': {
    objects: [node('n2', { spec: { unschedulable: true } })],
    options: { pool: { maxNodeCount: 4 } },
    want: [1, "pool 'h100' has 3 of 4 nodes for new replicas: n2 is cordoned"],
  },
  'more nodes than declared do not raise the pool': { objects: [node('n2'), node('n3')], want: [0] },
  'a spare node takes the place of one that does not count': {
    objects: [node('n2'), node('n3', { spec: { unschedulable: true } })],
    want: [0],
  },
  'a spare node of an autoscaled pool does too, and leaves no room to grow': {
    objects: ['n2', 'n3', 'n4'].map((name) => node(name, { spec: { unschedulable: true } })),
    options: { pool: { maxNodeCount: 3 } },
    want: [2, 'n2 is cordoned; n3 is cordoned; n4 is cordoned'],
  },
  'many reasons are counted': {
    objects: ['n2', 'n3', 'n4', 'n5', 'n6', 'n7'].map((name) => node(name, { spec: { unschedulable: true } })),
    options: { pool: { nodeCount: 8 } },
    want: [7, 'n5 is cordoned; 2 more cannot be used; 1 node of the pool missing from the snapshot'],
  },
};

const COUNTED = { ...GPU, extendedResource: 'nvidia.com/gpu' };
const PLUGIN = { cluster: { dra: false }, inferenceClass: { devices: [COUNTED] } };
const counts = (gpus: string) => ({ status: { allocatable: { 'nvidia.com/gpu': gpus } } });

const SMALL = { capacity: { memory: { value: '1Gi' } } };

const plugins: Record<string, Case> = {
  'without DRA a node counts by what its device plugin counts': {
    objects: [node('n1', counts('8')), node('n2', counts('8'))],
    options: PLUGIN,
    want: [0],
  },
  'a node with a device less counts as none': {
    objects: [node('n1', counts('8')), node('n2', counts('7'))],
    options: PLUGIN,
    want: [
      1,
      "n2 shows 7 of 8 nvidia.com/gpu. Repair its device plugin, or correct the count of InferenceClass 'h100'.",
    ],
  },
  'a cordoned node with a device less is repaired before it is uncordoned': {
    objects: [node('n1', counts('8')), node('n2', { ...counts('7'), spec: { unschedulable: true } })],
    options: PLUGIN,
    want: [1, 'n2 is cordoned and shows 7 of 8 nvidia.com/gpu. Repair it before you uncordon it'],
  },
  'a node without the plugin too': {
    objects: [node('n1', counts('8')), node('n2')],
    options: PLUGIN,
    want: [1, 'n2 shows 0 of 8 nvidia.com/gpu'],
  },
  'with DRA what a plugin counts is not looked at': {
    objects: [node('n1'), node('n2')],
    options: { inferenceClass: { devices: [COUNTED] } },
    want: [0],
  },
  'what a driver publishes there is not looked at': {
    objects: [node('n1', counts('8')), node('n2', counts('8')), slice('n1', { count: 3, device: SMALL })],
    options: PLUGIN,
    want: [0],
  },
};

const conditions: Record<string, Case> = {
  'a cordoned node does not count': {
    objects: [node('n2', { spec: { unschedulable: true } })],
    want: [1, 'n2 is cordoned. Uncordon it, and record it again.'],
  },
  'a cordoned node that lacks devices is repaired before it is uncordoned': {
    objects: [node('n2', { spec: { unschedulable: true } }), slice('n1'), slice('n2', { count: 7 })],
    want: [1, "n2 is cordoned and shows 7 of 8 devices 'gpu'. Repair it before you uncordon it, and record it again."],
  },
  'a node that is not ready does not count': {
    objects: [node('n2', { ready: 'Unknown' })],
    want: [1, 'n2 is not ready'],
  },
  'a node that does not say that it is ready does not count': {
    objects: [node('n2', { status: { conditions: [] } })],
    want: [1, 'n2 is not ready'],
  },
  'a node that is being deleted does not count': {
    objects: [node('n2', { metadata: { deletionTimestamp: '2026-10-01T08:00:00Z' } })],
    want: [1, 'n2 is being deleted'],
  },
  'a node with a taint that the pool does not declare does not count': {
    objects: [node('n2', { spec: { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] } })],
    want: [1, 'n2 has the taint team=x:NoSchedule'],
  },
  'a taint that the pool declares, that of GPUs, and one that only prefers are fine': {
    objects: [
      node('n2', {
        spec: {
          taints: [
            { key: 'team', value: 'x', effect: 'NoSchedule' },
            { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
            { key: 'old', effect: 'PreferNoSchedule' },
          ],
        },
      }),
    ],
    options: { pool: { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] } },
    want: [0],
  },
  'a cordon is named before the taint that it brings': {
    objects: [
      node('n2', {
        spec: {
          unschedulable: true,
          taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
        },
      }),
    ],
    want: [1, 'n2 is cordoned'],
  },
};

const devices: Record<string, Case> = {
  'nodes with all their devices count': {
    objects: [node('n2'), slice('n1'), slice('n2')],
    want: [0],
  },
  'a node with a device less does not count': {
    objects: [node('n2'), slice('n1'), slice('n2', { count: 7 })],
    want: [1, "n2 shows 7 of 8 devices 'gpu'"],
  },
  'a node without a slice does not count once slices were recorded': {
    objects: [node('n2'), slice('n1')],
    want: [1, "n2 shows 0 of 8 devices 'gpu'"],
  },
  'devices of another driver do not are in': {
    objects: [node('n2'), slice('n1'), slice('n2', { spec: { driver: 'nic.example.com' } })],
    want: [1, "n2 shows 0 of 8 devices 'gpu'"],
  },
  'a tainted device does not count': {
    objects: [node('n2'), slice('n1'), slice('n2', { device: { taints: [{ key: 'xid', effect: 'NoSchedule' }] } })],
    want: [1, "n2 shows 0 of 8 devices 'gpu'"],
  },
  'a device taint without effect on scheduling is fine': {
    objects: [node('n2'), slice('n1'), slice('n2', { device: { taints: [{ key: 'xid', effect: 'None' }] } })],
    want: [0],
  },
  'slices of an older generation do not count': {
    objects: [
      node('n2'),
      slice('n1'),
      slice('n2', { name: 'new', count: 4, pool: { generation: 2 } }),
      slice('n2', { name: 'old' }),
    ],
    want: [1, "n2 shows 4 of 8 devices 'gpu'"],
  },
  'a pool of slices that is not complete does not count': {
    objects: [node('n2'), slice('n1'), slice('n2', { pool: { resourceSliceCount: 2 } })],
    want: [1, "n2 shows 0 of 8 devices 'gpu'"],
  },
  'the slices of a pool add up': {
    objects: [
      node('n2'),
      slice('n1'),
      ...['a', 'b'].map((name) => slice('n2', { name, count: 4, pool: { resourceSliceCount: 2 } })),
    ],
    want: [0],
  },
  'synthetic devices are never published': {
    objects: [node('n2'), slice('n1', { spec: { driver: 'nic.example.com' } })],
    options: {
      inferenceClass: {
        devices: [{ name: 'nvlink', claim: 'Synthetic', driver: 'x.example.com', count: 1 }],
      },
    },
    want: [0],
  },
};

describe.each([
  ['the size of a pool', sizes],
  ['what device plugins count', plugins],
  ['the condition of a node', conditions],
  ['the devices of a node', devices],
])('%s', (_, cases) => {
  test.each(Object.entries(cases))('%s', (_, row) => judgesAs(row));
});
