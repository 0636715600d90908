import { assemble } from '../../src/fleet/fleet';
import type { RecordedQueue } from '../../src/fleet/recorded-queues';
import { compileFleet } from '../../src/plan/compile-fleet';
import { terminalLines } from '../../src/report/document/write-terminal';
import { formatShortfall } from '../../src/report/plan/shortfall-text';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { schedule } from '../../src/scheduler/schedule';
import { ask, cluster, deployment, engine, nodeClass } from '../scheduler/build';
import { documents, type Json, judged, list, node, pod } from './build';

const LABELS = { 'fleetwright.dev/deployment': 'chat' };

const clusterQueue = (reserved: string): Json => ({
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  kind: 'ClusterQueue',
  metadata: { name: 'gpus' },
  spec: {
    resourceGroups: [
      {
        coveredResources: ['cpu', 'gpu.nvidia.com'],
        flavors: ['a', 'b'].map((name) => ({
          name,
          resources: [
            { name: 'cpu', nominalQuota: 9 },
            { name: 'gpu.nvidia.com', nominalQuota: '8' },
          ],
        })),
      },
    ],
  },
  status: {
    flavorsReservation: [{ name: 'a', resources: [{ name: 'gpu.nvidia.com', total: reserved, borrowed: '0' }] }],
  },
});

const localQueue = (namespace: string, behind = 'gpus'): Json => ({
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  kind: 'LocalQueue',
  metadata: { name: 'q', namespace },
  spec: { clusterQueue: behind },
});

const workload = (name: string, labels: Json, gpus: number, behind = 'gpus'): Json => ({
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  kind: 'Workload',
  metadata: { name, namespace: 'ml' },
  spec: { queueName: 'q', podSets: [{ name: 'main', template: { metadata: { labels }, spec: {} } }] },
  status: {
    admission: {
      clusterQueue: behind,
      podSetAssignments: [{ name: 'main', resourceUsage: { 'gpu.nvidia.com': gpus } }],
    },
  },
});

const kaiQueue = (quota: number, used: string): Json => ({
  apiVersion: 'scheduling.run.ai/v2',
  kind: 'Queue',
  metadata: { name: 'q' },
  spec: { resources: { gpu: { quota, limit: -1 } } },
  status: { allocatedNonPreemptible: { 'nvidia.com/gpu': used, cpu: '4' } },
});

const podGroup = (name: string, gpus: string): Json => ({
  apiVersion: 'scheduling.run.ai/v2alpha2',
  kind: 'PodGroup',
  metadata: { name, namespace: 'other' },
  spec: { queue: 'q' },
  status: { resourcesStatus: { allocatedNonPreemptible: { 'nvidia.com/gpu': gpus } } },
});

const grouped = (name: string, group: string, labels: Json): Json => {
  const one = pod(name, 'n1', { labels });
  return { ...one, metadata: { ...(one['metadata'] as Json), annotations: { 'pod-group-name': group } } };
};

const KUEUE = { cluster: { scheduler: { type: 'Kueue', queue: 'q' } } };
const KAI = { cluster: { scheduler: { type: 'KAI', queue: 'q' } } };
const OF_KUEUE = { cluster: 'us', queue: 'q' };

const read: Record<string, { objects: Json[]; options: Parameters<typeof judged>[1]; want: RecordedQueue[] }> = {
  'the quotas of all flavors add up, and what is reserved is of others': {
    objects: [clusterQueue('5'), localQueue('ml')],
    options: KUEUE,
    want: [
      { ...OF_KUEUE, quotas: [{ resource: 'gpu.nvidia.com', claimedAs: 'gpu.nvidia.com', quota: 16, others: 5 }] },
    ],
  },
  'workloads of replicas are not of others': {
    objects: [clusterQueue('5'), localQueue('ml'), workload('a', LABELS, 3), workload('b', {}, 2)],
    options: KUEUE,
    want: [
      { ...OF_KUEUE, quotas: [{ resource: 'gpu.nvidia.com', claimedAs: 'gpu.nvidia.com', quota: 16, others: 2 }] },
    ],
  },
  'workloads of replicas in another queue do not count': {
    objects: [clusterQueue('5'), localQueue('ml'), workload('a', LABELS, 3, 'other')],
    options: KUEUE,
    want: [
      { ...OF_KUEUE, quotas: [{ resource: 'gpu.nvidia.com', claimedAs: 'gpu.nvidia.com', quota: 16, others: 5 }] },
    ],
  },
  'two queues behind local queues of one name are not compared': {
    objects: [clusterQueue('5'), localQueue('ml'), localQueue('web', 'other')],
    options: KUEUE,
    want: [],
  },
  'queues are not read where the cluster declares none': {
    objects: [clusterQueue('5'), localQueue('ml')],
    options: {},
    want: [],
  },
  'what pods of others take of a queue of KAI counts, by the groups of pods': {
    objects: [
      kaiQueue(16, '12'),
      podGroup('pg-a', '8'),
      podGroup('pg-b', '4'),
      grouped('a', 'pg-a', LABELS),
      grouped('b', 'pg-b', {}),
    ],
    options: KAI,
    want: [{ cluster: 'us', queue: 'q', quotas: [{ resource: 'gpu', quota: 16, others: 4 }] }],
  },
  'a queue of KAI without a limit has no quota to count': {
    objects: [kaiQueue(-1, '12')],
    options: KAI,
    want: [],
  },
};

test.each(Object.entries(read))('%s', (_, { objects, options, want }) => {
  const found = judged({ 'us.yaml': list(node('n1'), node('n2'), ...objects) }, options);
  expect(found.problems).toEqual([]);
  expect(found.queues).toEqual(want);
});

test('the notes of a plan state the quota', () => {
  const { notes } = judged({ 'us.yaml': documents(clusterQueue('5'), localQueue('ml')) }, KUEUE);
  expect(notes).toContain("quota of queue 'q' of us in the snapshot: 16 of gpu.nvidia.com, of which others use 5");
});

/** A cluster of four nodes with eight GPUs, whose queue has a quota. Replicas take a node each. */
function fleet(quota: number, others: number, replicas: Record<string, number>) {
  const deployments = Object.entries(replicas).map(([name, count]) => deployment(`ml/${name}`, { replicas: count }));
  const declared = assemble([nodeClass('h100'), cluster('us', { p: 'h100 x 4' }), ...deployments]);
  const queues = [{ cluster: 'us', queue: 'q', quotas: [{ resource: 'gpu', quota, others }] }];
  return compileFleet({ ...declared, queues }, () => '');
}

test('a replica whose queue has no quota left is not placed, and the reason says so', () => {
  const { placements, shortfalls } = schedule(fleet(32, 10, { a: 4 }));
  expect(placements).toHaveLength(2);
  expect(shortfalls[0]?.rejections.map(({ reason }) => formatRejectionReason({ reason }))).toEqual([
    "queue 'q' has quota for 32 of gpu: others use 10 and replicas 16, and this replica needs 8. Raise the quota, and record the snapshot again",
  ]);
});

test('a plan counts clusters whose queue has no quota left, and says what to raise', () => {
  const [shortfall] = schedule(fleet(32, 10, { a: 4 })).shortfalls;
  expect(terminalLines([formatShortfall({ ...shortfall!, accepted: false })]).map((line) => line.trim())).toEqual([
    '! 2 replicas do not fit (0 of 1 cluster fits: 1 without quota)',
    "us / p   quota   queue 'q' has quota for 32 of gpu: others use 10 and replicas 16, and this replica needs 8. Raise the quota, and record the snapshot again",
  ]);
});

test('the devices of all engines of a replica count together', () => {
  const engines = [engine('prefill', [ask('gpu', 8)]), engine('decode', [ask('gpu', 8)])];
  const declared = assemble([nodeClass('h100'), cluster('us', { p: 'h100 x 4' }), deployment('ml/a', { engines })]);
  const queues = [{ cluster: 'us', queue: 'q', quotas: [{ resource: 'gpu', quota: 12, others: 0 }] }];
  const { placements, shortfalls } = schedule(compileFleet({ ...declared, queues }, () => ''));
  expect(placements).toEqual([]);
  expect(shortfalls[0]?.rejections).toMatchObject([{ cluster: 'us', reason: { filter: 'quota', wanted: 16 } }]);
});

test('a replica that is placed stays when its queue has less quota', () => {
  const full = schedule(fleet(32, 0, { a: 4 })).placements;
  expect(full).toHaveLength(4);
  const { placements, evictions } = schedule(fleet(8, 8, { a: 4 }), full);
  expect([placements, evictions]).toEqual([full, []]);
});

test('quota of a removed replica is free for another deployment', () => {
  const full = schedule(fleet(16, 0, { a: 2 })).placements;
  const { placements } = schedule(fleet(16, 0, { a: 1, b: 2 }), full);
  expect(placements.map(({ deployment: id }) => id)).toEqual(['ml/a', 'ml/b']);
});
