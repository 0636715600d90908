import type { Resource } from '../../src/api/kinds';
import { compileFleet } from '../../src/plan/compile-fleet';
import { formatEvictionReason, formatRejectionReason } from '../../src/plan/rejection-messages';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { schedule } from '../../src/scheduler/schedule';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass, nodeClassWith, run } from '../scheduler/build';

const H100 = nodeClass('h100');
const FOUR = { a: 'h100 x 4' };
const zone = (name: string) => ({ labels: { zone: name } });
const spreading = (replicas: number, placement: Record<string, unknown>): Resource =>
  deployment('ml/q', { replicas, spec: { allowPartial: true, placement } });
const requesting = (requests: Record<string, string>, replicas = 1): Resource =>
  deployment('ml/q', { replicas, engines: [engine('main', [ask('gpu', 1)], { resources: { requests } })] });
const COUNTED = { extendedResource: 'nvidia.com/gpu' };
const HOPPER = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
const constrained = (rule: string): Resource =>
  deployment('ml/q', {
    engines: [engine('main', [ask('gpu', 1)], { constraints: [{ [rule]: 'gpu.nvidia.com/architecture' }] })],
  });
const BOX = nodeClassWith('box', { allocatable: { cpu: '3920m', memory: '1900Gi' } });

/** The reasons against a further replica of `ml/q`, by cluster. */
const reasons: Record<string, { resources: Resource[]; want: string[] }> = {
  'a paused cluster is named so': {
    resources: [H100, cluster('eu', FOUR, { paused: true }), deployment('ml/q')],
    want: ['eu: the cluster is paused'],
  },
  'a limit for each cluster says how many may be there': {
    resources: [H100, cluster('eu', FOUR), spreading(3, { maxPerCluster: 2 })],
    want: ['eu: at most 2 replicas may be on one cluster (maxPerCluster)'],
  },
  'a limit for each domain names the domain': {
    resources: [H100, cluster('eu', FOUR, zone('z1')), spreading(3, { spreadBy: 'zone', maxPerDomain: 2 })],
    want: ['eu: at most 2 replicas may be in z1 (maxPerDomain)'],
  },
  'a replica that is kept for another domain says for how many': {
    resources: [
      H100,
      cluster('eu', FOUR, zone('z1')),
      cluster('us', { a: 'h100 x 0' }, zone('z2')),
      spreading(2, { spreadBy: 'zone', minDomains: 2 }),
    ],
    want: [
      'eu: 1 replica is in z1, and the others must be in other domains (minDomains: 2)',
      'us: needs 8 gpu on one node; the pool has no nodes',
    ],
  },
  'replicas that are kept for another domain say how many are in the one that is closed': {
    resources: [
      H100,
      cluster('eu', FOUR, zone('z1')),
      cluster('us', { a: 'h100 x 0' }, zone('z2')),
      spreading(3, { spreadBy: 'zone', minDomains: 2 }),
    ],
    want: [
      'eu: 2 replicas are in z1, and the others must be in other domains (minDomains: 2)',
      'us: needs 8 gpu on one node; the pool has no nodes',
    ],
  },
  'a cluster without the label names the label': {
    resources: [
      H100,
      cluster('eu', FOUR),
      cluster('us', { a: 'h100 x 1' }, zone('z1')),
      spreading(2, { spreadBy: 'zone' }),
    ],
    want: [
      'eu: the cluster does not have the label zone of spreadBy',
      'us: needs 8 gpu on one node; all its 8 devices are in use',
    ],
  },
  'a request that a device plugin cannot meet names the device that it may hand out': {
    resources: [
      nodeClass('mixed', device('ada', { ...COUNTED, architecture: 'Ada' }), device('hopper', COUNTED)),
      cluster('eu', { a: 'mixed x 1' }, { dra: false }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 1, HOPPER)])] }),
    ],
    want: [
      'eu: gpu: nvidia.com/gpu also includes device ada, which does not match, and a device plugin cannot select devices',
    ],
  },
  'what needs DRA says so': {
    resources: [
      nodeClass('h100', device('gpu', COUNTED)),
      cluster('eu', { a: 'h100 x 1' }, { dra: false }),
      cluster('us', { a: 'h100 x 0' }),
      constrained('matchAttribute'),
    ],
    want: [
      "eu: 'matchAttribute' of a constraint needs DRA, which the cluster does not use",
      'us: needs 1 gpu on one node; the pool has no nodes',
    ],
  },
  'what a version lacks names the version that has it': {
    resources: [
      H100,
      cluster('eu', FOUR, { version: '1.34' }),
      cluster('us', { a: 'h100 x 0' }, { version: '1.36' }),
      constrained('distinctAttribute'),
    ],
    want: [
      "eu: 'distinctAttribute' of a constraint needs Kubernetes 1.36 or later",
      'us: needs 1 gpu on one node; the pool has no nodes',
    ],
  },
  'room for a rollout is distinguished': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/q', { spec: { allowPartial: true, rollout: { surge: 1 } } }),
    ],
    want: [
      'eu: needs 2 pods of 8 gpu, 1 of them reserved for rollouts; its 1 node can guarantee 1; 0 of 8 devices are in use',
    ],
  },
  'idle devices that replicas reserve are distinguished from those in use': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { replicas: 3, spec: { allowPartial: true, rollout: { surge: 1 } } }),
    ],
    want: [
      'eu: needs 2 pods of 8 gpu, 1 of them reserved for rollouts; of its 16 devices 8 are in use and 8 reserved for rollouts',
      'us: needs 2 pods of 8 gpu, 1 of them reserved for rollouts; its 3 nodes can guarantee 1; 8 of 24 devices are in use and 8 reserved for rollouts',
    ],
  },
  'a pod with more CPU than a node shows both': {
    resources: [BOX, cluster('eu', { a: 'box x 1' }), requesting({ cpu: '4' })],
    want: ['eu: requests 4 of cpu, a node has 3.92'],
  },
  'a pool that is short of CPU says so, and what a pod takes': {
    resources: [BOX, cluster('eu', { a: 'box x 1' }), requesting({ cpu: '2' }, 2)],
    want: [
      'eu: needs 1 gpu + 2 of cpu on one node; 0 of 1 node can guarantee it; not enough cpu is free; 1 of 8 devices is in use',
    ],
  },
  'one that is short of memory too names both': {
    resources: [BOX, cluster('eu', { a: 'box x 1' }), requesting({ cpu: '2', memory: '1000Gi' }, 2)],
    want: [
      'eu: needs 1 gpu + 2 of cpu + 1000Gi of memory on one node; 0 of 1 node can guarantee it; not enough cpu is free; not enough memory is free; 1 of 8 devices is in use',
    ],
  },
  'one that is short of devices names these alone': {
    resources: [BOX, cluster('eu', { a: 'box x 0' }), requesting({ cpu: '2' })],
    want: ['eu: needs 1 gpu on one node; the pool has no nodes'],
  },
  'a pod that takes one device names the larger replica that needs the free ones': {
    resources: [
      nodeClass('eight', device('gpu', { ...COUNTED, count: 8 })),
      cluster('eu', { a: 'eight x 2' }),
      deployment('ml/large', { replicas: 2, spec: { priority: 2 }, engines: [engine('main', [ask('gpu', 4)])] }),
      deployment('ml/q', { replicas: 6, engines: [engine('main', [ask('gpu', 1)])] }),
    ],
    want: [
      'eu: needs 1 gpu on one node; 0 of 2 nodes can guarantee it; 13 of 16 devices are in use; 3 are free, but with this pod, the cluster may have no node with 4 gpu left for a pod of ml/large',
    ],
  },
  'a pod that takes several devices of a node may find too few on every node': {
    resources: [
      nodeClass('eight', device('gpu', { ...COUNTED, count: 8 })),
      cluster('eu', { a: 'eight x 2' }),
      deployment('ml/small', { replicas: 6, spec: { priority: 2 }, engines: [engine('main', [ask('gpu', 1)])] }),
      deployment('ml/q', { replicas: 2, engines: [engine('main', [ask('gpu', 4)])] }),
    ],
    want: [
      'eu: needs 4 gpu on one node; 0 of 2 nodes can guarantee it; 10 of 16 devices are in use; 6 are free, but the cluster chooses the nodes of pods, and may leave too few on every node',
    ],
  },
  'a pod with more memory than a node shows both': {
    resources: [BOX, cluster('eu', { a: 'box x 1' }), requesting({ memory: '2Ti' })],
    want: ['eu: requests 2048Gi of memory, a node has 1900Gi'],
  },
};

test.each(Object.entries(reasons))('%s', (_, { resources, want }) => {
  const [short] = run(resources).shortfalls;
  expect(short?.rejections.map(({ cluster, reason }) => `${cluster}: ${formatRejectionReason({ reason })}`)).toEqual(
    want,
  );
});

test('nodes that a snapshot shows as lost are named next to those that are left', () => {
  const fleet = fleetOf(H100, cluster('eu', { a: 'h100 x 3' }), deployment('ml/q', { replicas: 3 }));
  const model = compileFleet({ ...fleet, lost: [{ cluster: 'eu', pool: 'a', nodes: 1 }] }, () => '');
  const [short] = schedule(model).shortfalls;
  expect(short?.rejections.map(({ reason }) => formatRejectionReason({ reason }))).toEqual([
    'needs 8 gpu on one node; all its 16 devices are in use; a snapshot shows 1 more node as unavailable',
  ]);
  expect(short?.remedies.map((remedy) => formatRemedy(remedy))).toEqual([
    'repair the unavailable node in eu / a, or 1 more node in eu / a (8 GPUs); then record the snapshot again',
  ]);
});

test.each([
  [{ kind: 'deployment-gone' }, 'the deployment is removed'],
  [{ kind: 'cluster-gone' }, 'the cluster is removed; draining it first avoids downtime'],
  [{ kind: 'pool-gone', pool: 'a' }, 'pool a is removed'],
  [{ kind: 'shape' }, 'its engines changed'],
  [{ kind: 'shape', downtime: 'unknown' }, 'its engines changed, and their earlier declaration is unknown'],
  [
    { kind: 'shape', downtime: 'no-room' },
    'its engines changed, and there is no room to run the old and the new engines side by side',
  ],
  [
    {
      kind: 'shape',
      misfit: {
        cluster: 'eu',
        pool: 'a',
        reason: { filter: 'devices', engine: 'main', misfit: 'too-few', request: 'gpu', wanted: 16, has: 8 },
      },
    },
    'its engines changed, and the new ones do not fit on pool a: gpu: needs 16 devices on a node, 8 match',
  ],
  [
    {
      kind: 'rejected',
      rejection: {
        cluster: 'eu',
        pool: 'a',
        reason: { filter: 'devices', engine: 'main', misfit: 'too-few', request: 'gpu', wanted: 2, has: 1 },
      },
    },
    'pool a: gpu: needs 2 devices on a node, 1 matches',
  ],
  [{ kind: 'scaled-down' }, 'the deployment has fewer replicas'],
  [{ kind: 'rejected', rejection: { cluster: 'eu', reason: { filter: 'pools' } } }, 'the cluster declares no pool'],
  [
    { kind: 'rejected', rejection: { cluster: 'eu', pool: 'a', reason: { filter: 'paused' } } },
    'pool a: the cluster is paused',
  ],
] as const)('an eviction %j', (reason, want) => {
  expect(formatEvictionReason(reason)).toBe(want);
});

test('a remedy that changes a count names the request and the pool', () => {
  const at = { cluster: 'eu', pool: 'v6e', engine: 'main', request: 'tpu' };
  expect(formatRemedy({ kind: 'count', ...at, from: 2, to: 4 })).toBe(
    'request 4 devices instead of 2 in tpu, on eu / v6e',
  );
});

test.each([
  [{}, '2 more nodes in eu / a (16 GPUs)'],
  [{ unpriced: true as const }, '2 more nodes in eu / a (16 GPUs, price unknown)'],
  [{ newPool: true as const }, 'a new pool of 2 nodes like eu / a (16 GPUs)'],
])('nodes %j are for a pool, or are a pool', (more, want) => {
  expect(formatRemedy({ kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 2, gpus: 16, ...more })).toBe(want);
});

test.each([
  [
    ['SharedFilesystem' as const],
    'zone',
    'declare spec.storage.sharedFilesystem and the label zone of cluster us, if it has such storage',
  ],
  [[], 'zone', 'declare the label zone of cluster us'],
])('what a cluster does not declare is named by its fields', (storage, label, want) => {
  expect(formatRemedy({ kind: 'declare', cluster: 'us', storage, label })).toBe(want);
});
