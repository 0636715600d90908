import { toSnapshot } from '../../../src/live/live-snapshot';
import { pod, slice } from '../../snapshot/build';
import { amiss, FORBIDDEN, gpuNode, type Json, listing } from './build';

const missing = { missing: 'failed', why: 'no answer within 15 s' } as const;

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: string[] }> = {
  'a node that is not ready, and one that never came': {
    of: { lists: { nodes: listing(gpuNode('n0', { ready: 'Unknown' })), slices: listing(slice('n0')) } },
    want: [
      "failure nodes: pool 'h100' has 0 of 2 nodes for pods: n0 is not ready; 1 node missing. Repair the node, or wait until its kubelet reports again",
    ],
  },
  'nodes that no label assigns': {
    of: { lists: { nodes: listing(gpuNode('n0', { labels: { 'fleetwright.dev/pool': 'x' } })) } },
    want: [
      "failure nodes: pool 'h100' has 0 of 2 nodes for pods: 2 nodes missing. Add them, lower its size, or check the pool label of its nodes (spec.poolLabel)",
    ],
  },
  'a pool that can grow to what it declares is well with fewer nodes': {
    of: {
      declared: { pool: { minNodeCount: 0, maxNodeCount: 4 } },
      lists: { nodes: listing(), slices: listing() },
    },
    want: [],
  },
  'pods of others that hold devices': {
    of: {
      lists: { pods: listing(pod('a', 'n0', { spec: { resourceClaims: [{ name: 'x' }] } })) },
    },
    want: [
      "failure nodes: pool 'h100' has 1 of 2 nodes for pods: n0 has a pod of another workload with devices, other/a. Move the pod, or set reserved.devices of the pool to what other workloads use on each node",
    ],
  },
  'pods that may not be seen': {
    of: { lists: { pods: { missing: 'forbidden', why: 'pods is forbidden' } } },
    want: [
      'unknown nodes: pods of other workloads on the nodes are unknown. Request permission to list pods: pods is forbidden',
    ],
  },
  'nodes that may not be seen': {
    of: { lists: { nodes: FORBIDDEN } },
    want: ['unknown nodes: permission to list nodes is missing. Request the permission: nodes is forbidden'],
  },
  'a list that broke': {
    of: { lists: { slices: missing } },
    want: ['unknown devices: the resource slices could not be listed. Try again: no answer within 15 s'],
  },
  'a taint that keeps our pods away': {
    of: {
      lists: {
        nodes: listing(
          gpuNode('n0', { spec: { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] } }),
          gpuNode('n1'),
        ),
      },
    },
    want: [
      "failure nodes: pool 'h100' has 1 of 2 nodes for pods: n0 has the taint team=x:NoSchedule. Remove it, or add it to the taints of the pool",
    ],
  },
  'a taint that is declared and not there': {
    of: { declared: { pool: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } } },
    want: [
      "warning taints: 2 nodes of pool 'h100', n0 first, lack the taint gpu:NoSchedule. Taint them, or pods of other workloads may run on them",
    ],
  },
  'a node with a device less': {
    of: { lists: { slices: listing(slice('n0', { count: 7 }), slice('n1')) } },
    want: [
      "failure nodes: pool 'h100' has 1 of 2 nodes for pods: n0 shows 7 of 8 devices 'gpu'. Repair the node, or correct the count of InferenceClass 'h100'",
    ],
  },
  'devices with less memory than their class says': {
    of: { lists: { slices: listing(slice('n0', small()), slice('n1', small())) } },
    want: [
      "failure devices: device gpu-0 of node n0 publishes 40Gi as capacity 'memory' (and 15 devices more), and InferenceClass 'h100' declares 81559Mi for 'gpu'. Correct the class at fleet.yaml:6:3, or declare another class for these nodes",
    ],
  },
  'devices with another attribute': {
    of: {
      lists: {
        slices: listing(slice('n0', { device: { attributes: { architecture: { string: 'Ampere' } } } }), slice('n1')),
      },
    },
    want: [
      "warning devices: device gpu-0 of node n0 publishes 'Ampere' as attribute 'architecture' (and 7 devices more), and InferenceClass 'h100' declares 'Hopper' for 'gpu'. Correct the class at fleet.yaml:6:3, or declare another class for these nodes",
    ],
  },
  'nodes without a label, of which no one may see whether the driver runs there': {
    of: { lists: { nodes: listing(unlabelled('n0'), unlabelled('n1')), slices: FORBIDDEN } },
    want: [
      'unknown devices: permission to list resource slices is missing. Request the permission: nodes is forbidden',
    ],
  },
  'nodes without a label where there are no slices': {
    of: { lists: { nodes: listing(unlabelled('n0')), slices: { missing: 'unserved', why: 'x' } } },
    want: [
      "failure driver-label: 1 node of pool 'h100', n0 first, would not get the driver of gpu.nvidia.com. Run 'kubectl label node n0 nvidia.com/gpu.present=true', or install Node Feature Discovery",
      "failure nodes: pool 'h100' has 1 of 2 nodes for pods: 1 node missing. Add them, lower its size, or check the pool label of its nodes (spec.poolLabel)",
    ],
  },
  'nodes that the driver passes over': {
    of: {
      lists: {
        nodes: listing(unlabelled('n0'), unlabelled('n1')),
        slices: listing(slice('n0')),
      },
    },
    want: [
      "failure driver-label: 1 node of pool 'h100', n1 first, would not get the driver of gpu.nvidia.com. Run 'kubectl label node n1 nvidia.com/gpu.present=true', or install Node Feature Discovery",
      "failure nodes: pool 'h100' has 1 of 2 nodes for pods: n1 shows 0 of 8 devices 'gpu'. Repair the node, or correct the count of InferenceClass 'h100'",
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});

function small() {
  return { device: { capacity: { memory: { value: '40Gi' } } } };
}

function unlabelled(name: string) {
  return gpuNode(name, { labels: { 'nvidia.com/gpu.present': 'false' } });
}

test('however many checks look at pools, nodes, pods and slices are read once', () => {
  const reads = { nodes: 0, pods: 0, slices: 0 };
  const counted = (kind: keyof typeof reads, object: Json): Json =>
    Object.defineProperty({ ...object }, 'spec', {
      enumerable: true,
      get: () => {
        reads[kind] += 1;
        return object['spec'];
      },
    });
  const lists = {
    nodes: listing(counted('nodes', gpuNode('n0')), gpuNode('n1')),
    pods: listing(counted('pods', pod('a', 'n0'))),
    slices: listing(counted('slices', slice('n0')), slice('n1')),
  };
  toSnapshot('us', lists);
  const once = { ...reads };
  expect(amiss({ lists })).toEqual([]);
  expect(reads).toEqual({ nodes: 2 * once.nodes, pods: 2 * once.pods, slices: 2 * once.slices });
});
