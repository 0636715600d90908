import { pod, slice } from '../../snapshot/build';
import type { Json } from '../doctor/build';
import { drafted, H100, h100, type Options } from './build';

/** A claim with devices of a node. */
function claim(nodeName: string, devices: number[], { user = 'theirs', pool = nodeName, ...more }: Json = {}): Json {
  const results = devices.map((i) => ({ driver: 'gpu.nvidia.com', pool, device: `gpu-${i}`, ...more }));
  return {
    metadata: { name: `${String(user)}-claim`, namespace: 'other' },
    status: { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name: user }] },
  };
}

const claiming = (name: string, nodeName: string, labels?: Json): Json =>
  pod(name, nodeName, { spec: { resourceClaims: [{ name: 'gpu' }] }, ...(labels && { labels }) });

const NOTE = 'pool h100: pods of other workloads use devices on n0. reserved.devices is the largest number on a node.';

const held: Record<string, { of: Options; want: object | undefined; note?: string }> = {
  'devices of the claims of others are reserved on every node, the most of any': {
    of: {
      pods: [claiming('theirs', 'n0'), claiming('more', 'n1')],
      claims: [claim('n0', [0, 5, 7]), claim('n1', [1], { user: 'more' })],
    },
    want: { devices: { gpu: 3 } },
    note: 'pool h100: pods of other workloads use devices on n0, n1. ',
  },
  'next to CPU and memory': {
    of: {
      pods: [pod('theirs', 'n0', { requests: { cpu: '2' }, spec: {} }), claiming('more', 'n0')],
      claims: [claim('n0', [0])],
    },
    want: { cpu: '2', devices: { gpu: 1 } },
  },
  'an extended resource reserves as many devices of its driver': {
    of: { pods: [pod('theirs', 'n0', { requests: { 'nvidia.com/gpu': '2' } })], claims: [] },
    want: { devices: { gpu: 2 } },
    note: NOTE,
  },
  'an extended resource of another domain reserves none': {
    of: { pods: [pod('theirs', 'n0', { requests: { 'rdma/hca': '2' } })], claims: [] },
    want: undefined,
  },
  'an extended resource that a claim stands for is counted once': {
    of: {
      pods: [pod('theirs', 'n0', { requests: { 'nvidia.com/gpu': '2' } })],
      claims: [claim('n0', [0, 1])],
      deviceClasses: [{ metadata: { name: 'gpu.nvidia.com' }, spec: { extendedResourceName: 'nvidia.com/gpu' } }],
    },
    want: { devices: { gpu: 2 } },
  },
  'a node with a claim whose devices cannot be seen has none to give': {
    of: { pods: [claiming('theirs', 'n0')] },
    want: { devices: { gpu: 8 } },
    note: NOTE,
  },
  'spare devices of a larger node are held first': {
    of: { slices: [h100('n0', 8), h100('n1', 6)], pods: [claiming('theirs', 'n0')], claims: [claim('n0', [0, 1, 2])] },
    want: { devices: { gpu: 1 } },
  },
  'access for administrators holds nothing': {
    of: { pods: [claiming('theirs', 'n0')], claims: [claim('n0', [0], { adminAccess: true })] },
    want: undefined,
  },
  'pods of a fleet are not others': {
    of: {
      pods: [claiming('ours', 'n0', { 'fleetwright.dev/deployment': 'q' })],
      claims: [claim('n0', [0], { user: 'ours' })],
    },
    want: undefined,
  },
  'a claim that is allocated and that nothing uses holds its devices': {
    of: { claims: [claim('n0', [0, 1])] },
    want: { devices: { gpu: 2 } },
  },
  'a note says that pods of others cannot be seen': {
    of: { pods: 'forbidden' },
    want: undefined,
    note: 'reserved: pods cannot be listed, so nothing is reserved for other workloads',
  },
  'a partition holds the device that it is of': {
    of: {
      slices: [
        h100('n0'),
        h100('n1'),
        slice('n0', {
          name: 'n0-mig',
          pool: { name: 'n0-mig' },
          count: 2,
          device: { attributes: { type: { string: 'mig' }, parentUUID: H100.attributes.uuid } },
        }),
      ],
      claims: [claim('n0', [1], { pool: 'n0-mig' })],
    },
    // All devices of this cluster publish the same UUID.
    want: { devices: { gpu: 8 } },
  },
};

test.each(Object.entries(held))('%s', (_, { of, want, note }) => {
  const { documents, notes } = drafted(of);
  const spec = documents.at(-1)?.['spec'] as { nodePools: Json[] };
  expect(spec.nodePools.map(({ reserved }) => reserved)).toEqual([want]);
  if (note !== undefined) expect(notes).toContainEqual(expect.stringContaining(note));
});
