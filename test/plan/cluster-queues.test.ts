import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { terminalLines } from '../../src/report/document/write-terminal';
import { formatRequiredObjects } from '../../src/report/plan/required-objects-text';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import {
  aClass,
  aCluster,
  aDeployment,
  anEngine,
  byPath,
  type Doc,
  listProblems,
  MACHINES,
  request,
} from '../api/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE } });

const clusterOf = (name: string, scheduler?: Doc): Resource =>
  aCluster(name, { source: 'GKE', pools: { h100: 4 }, ...(scheduler && { scheduler }) });

const QUEUED = clusterOf('a-queued', { type: 'Kueue', queue: 'inference' });

const one = (engine: Doc = {}, options: Doc = {}): Resource =>
  aDeployment('ml/qwen3', { engines: [anEngine('main', engine)], ...options });

const CAPACITY = { ...request('gpu', 1), capacity: { requests: { memory: '4Gi' } } };
const FLEXIBLE = { name: 'gpu', firstAvailable: [{ name: 'a', selectors: [{ cel: 'true' }] }] };

const planOf = (...resources: Resource[]) => decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK).plan;

const chosen: Record<string, { device: Doc; want: string }> = {
  'a number of devices can wait in a queue': { device: request('gpu', 1), want: 'a-queued' },
  'alternatives go where pods start without a queue': { device: FLEXIBLE, want: 'b-plain' },
};

test.each(Object.entries(chosen))('a fleet with clusters of both kinds: %s', (_, { device, want }) => {
  const fleet = assemble([H100, QUEUED, clusterOf('b-plain'), one({ devices: [device] })]);
  expect(decide(fleet, byPath, EMPTY_LOCK).replicas.map(({ cluster }) => cluster.metadata.name)).toEqual([want]);
});

const refused: Record<string, { type: string; device: Doc; want: string }> = {
  'Kueue does not count alternatives': {
    type: 'Kueue',
    device: FLEXIBLE,
    want: "'firstAvailable' of a device request needs Kubernetes 1.34 or later, with the scheduler Default: queued has Kueue",
  },
  'KAI does not count them either': {
    type: 'KAI',
    device: FLEXIBLE,
    want: "'firstAvailable' of a device request needs Kubernetes 1.34 or later, with the scheduler Default: queued has KAI",
  },
  'Kueue does not count parts of a device': {
    type: 'Kueue',
    device: CAPACITY,
    want: "'capacity' of a device request needs Kubernetes 1.36 or later, with the scheduler Default: queued has Kueue",
  },
};

test.each(Object.entries(refused))('a deployment that can only run in a queue is refused: %s', (_, row) => {
  const cluster = clusterOf('queued', { type: row.type, queue: 'inference' });
  expect(problemsOf(cluster, one({ devices: [row.device] }))).toEqual([expect.stringContaining(row.want)]);
});

function problemsOf(...resources: Resource[]): string[] {
  return listProblems(() => planOf(...resources));
}

const needs: Record<string, { scheduler: Doc; servingStack?: Doc; want: string[] }> = {
  'Kueue needs a queue in the namespace, and a mapping for each class that pods claim': {
    scheduler: { type: 'Kueue', queue: 'inference' },
    want: [
      '    Helm release kueue, for InferenceCluster gke',
      '    Kueue device class mapping gpu.nvidia.com, for ModelDeployment ml/qwen3',
      '    LocalQueue ml/inference, for ModelDeployment ml/qwen3',
    ],
  },
  'a queue that Fleetwright manages is in the manifests': {
    scheduler: { type: 'Kueue', queue: 'inference', manage: true },
    servingStack: { kueue: { install: true } },
    want: [],
  },
  'KAI needs a queue of the cluster': {
    scheduler: { type: 'KAI', queue: 'inference' },
    want: [
      '    Helm release kai-scheduler, for InferenceCluster gke',
      '    Queue inference, for ModelDeployment ml/qwen3',
    ],
  },
  'a Kueue that a stack installs has the mappings': {
    scheduler: { type: 'Kueue', queue: 'inference' },
    servingStack: { kueue: { install: true } },
    want: ['    LocalQueue ml/inference, for ModelDeployment ml/qwen3'],
  },
  'kube-scheduler needs no queue': { scheduler: { type: 'Default' }, want: [] },
};

test.each(Object.entries(needs))('what must exist: %s', (_, { want, ...declared }) => {
  const { mustExist } = planOf(aCluster('gke', { source: 'GKE', pools: { h100: 4 }, ...declared }), one());
  expect(terminalLines(formatRequiredObjects(mustExist)).slice(2)).toEqual(want);
});

const KAI = { type: 'KAI', queue: 'inference' };

const pod = (name: string, gpus: number, replicas: number): Resource =>
  aDeployment(`ml/${name}`, { engines: [anEngine('main', { gpus })], replicas });

const packed: Record<string, { pool?: Doc; deployments: Resource[]; scheduler?: Doc; want: unknown }> = {
  'pods of one shape leave no gaps': {
    deployments: [pod('a', 4, 3), pod('b', 4, 5)],
    want: [{ cluster: 'gke', pool: 'h100', shapes: 1, countedAs: 'BinPack' }],
  },
  'shapes that mix count at the worst arrangement, whatever the pool declares': {
    pool: { packing: 'BinPack' },
    deployments: [pod('a', 1, 3), pod('b', 8, 1)],
    want: [{ cluster: 'gke', pool: 'h100', shapes: 2, countedAs: 'WorstCase' }],
  },
  'a pool with a node for each pod needs no packing': {
    pool: { packing: 'Exclusive' },
    deployments: [pod('a', 1, 1)],
    want: undefined,
  },
  'a pool without pods is not counted': { deployments: [], want: undefined },
  'kube-scheduler does not pack': { scheduler: { type: 'Default' }, deployments: [pod('a', 1, 1)], want: undefined },
};

test.each(Object.entries(packed))('how a plan counts the pools of KAI: %s', (_, row) => {
  const { pool, deployments, scheduler = KAI, want } = row;
  const cluster = aCluster('gke', { source: 'GKE', pools: { h100: { nodeCount: 4, ...pool } }, scheduler });
  const { packedPools, notes } = planOf(cluster, ...deployments);
  expect(packedPools).toEqual(want);
  const counted = notes.filter((note) => note.startsWith('gke/h100 is counted'));
  expect(counted).toHaveLength(want === undefined ? 0 : 1);
});

test('on KAI, a pool that packs does not promise places that only moves would free', () => {
  const pools = { h100: { nodeCount: 2, packing: 'BinPack' } };
  const placed = (scheduler?: Doc) =>
    planOf(
      aCluster('gke', { source: 'GKE', pools, ...(scheduler && { scheduler }) }),
      ...[pod('a', 1, 2), pod('b', 8, 1)].map(
        (one) => ({ ...one, spec: { ...one.spec, allowPartial: true } }) as Resource,
      ),
    ).totals.place;
  expect([placed(), placed(KAI)]).toEqual([3, 2]);
});

test('the plan says that it does not count the domains that KAI requires', () => {
  const topology = { levels: ['example.com/rack'], required: 'example.com/rack' };
  const cluster = aCluster('gke', { source: 'GKE', pools: { h100: { nodeCount: 4, topology } }, scheduler: KAI });
  const about = (deployment: Resource) => planOf(cluster, deployment).notes.filter((note) => note.includes('domain'));
  expect(about(one({ workers: 1 }))).toEqual([
    'Gangs on gke/h100 start within one domain of example.com/rack. The plan counts the nodes of the pool, not of each domain, so a gang can wait although the pool has room.',
  ]);
  expect(about(one())).toEqual([]);
});

const gangs: Record<string, { cluster: Doc; want: string[] }> = {
  'Kubernetes 1.36 has them': { cluster: { kubernetesVersion: '1.36.3' }, want: [] },
  'Kubernetes 1.35 has none that a LeaderWorkerSet can name': {
    cluster: { kubernetesVersion: '1.35.4' },
    want: [
      'InferenceCluster own spec.scheduler.gangs: Kubernetes 1.35.4 has no gangs that LeaderWorkerSets can name. Use 1.36 or 1.37, or remove it. KAI starts gangs whole on others too.',
    ],
  },
  'a version that is not declared may have another API': {
    cluster: {},
    want: [
      'InferenceCluster own spec.scheduler.gangs: the API of gangs differs by version, and the version of Kubernetes is not declared. Set spec.cluster.existing.kubernetesVersion to 1.36 or 1.37, or remove it.',
    ],
  },
};

test.each(Object.entries(gangs))('gangs of kube-scheduler: %s', (_, { cluster, want }) => {
  const existing = { secretRef: { name: 'kubeconfig' }, ...cluster };
  const own = aCluster('own', {
    cluster: { source: 'Existing', existing },
    pools: { h100: 4 },
    scheduler: { gangs: true },
  });
  expect(problemsOf(own, one())).toEqual(want);
});

test('a cloud serves no gangs of kube-scheduler', () => {
  expect(problemsOf(clusterOf('gke', { gangs: true }), one())).toEqual([
    'InferenceCluster gke spec.scheduler.gangs: the API of gangs is off by default, and clusters that are created on GKE do not serve it. Remove it, or use KAI: it starts gangs whole.',
  ]);
});

const quotas: Record<string, { quota: Doc; replicas?: number; engine?: Doc; want: string[] }> = {
  'a quota for all devices is silent': { quota: { 'gpu.nvidia.com': 2 }, replicas: 2, want: [] },
  'one device too few is a warning with both numbers': {
    quota: { 'gpu.nvidia.com': 1 },
    replicas: 2,
    want: ["queue 'inference' has quota for 1 of gpu.nvidia.com, and its replicas take 2 devices"],
  },
  'the most copies count, because an autoscaler starts them': {
    quota: { 'gpu.nvidia.com': 3 },
    engine: { copies: { min: 1, max: 4 }, scaling: { on: [{ queue: 4 }] } },
    want: ["queue 'inference' has quota for 3 of gpu.nvidia.com, and its replicas take 4 devices"],
  },
  'every node of a gang counts': {
    quota: { 'gpu.nvidia.com': 1 },
    engine: { workers: 1 },
    want: ["queue 'inference' has quota for 1 of gpu.nvidia.com, and its replicas take 2 devices"],
  },
  'a class without quota has none': {
    quota: { 'mig.nvidia.com': 8 },
    want: ["queue 'inference' has quota for 0 of gpu.nvidia.com, and its replicas take 1 device"],
  },
  'no quota is not checked': { quota: {}, replicas: 4, want: [] },
};

test.each(Object.entries(quotas))('the quota of a queue: %s', (_, { quota, replicas = 1, engine, want }) => {
  const scheduler = { type: 'KAI', queue: 'inference', quota };
  const cluster = aCluster('gke', { source: 'GKE', pools: { h100: 4 }, scheduler, monitoring: {} });
  const { warnings } = planOf(cluster, one(engine, { replicas }));
  expect(warnings.flatMap(({ code, message }) => (code === 'over-quota' ? [message] : []))).toEqual(want);
});
