import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { ModelDeployment } from '../../src/api/model-deployment';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { aCluster, aDeployment, aMember, anEngine, type Doc } from '../api/build';
import { manifestsOf, ofKind, pods } from './build';

const on = (type: string): InferenceCluster =>
  aCluster('gke', { source: 'GKE', pools: { h100: 4 }, scheduler: { type, queue: 'inference' } });

const POD = aDeployment('ml/qwen3', { engines: [anEngine('main')] });
const GANG = aDeployment('ml/qwen3', { engines: [anEngine('main', { workers: 1 })] });

function workloadOf(deployment: ModelDeployment, cluster: InferenceCluster): Manifest {
  const manifests = manifestsOf(deployment, { cluster, small: true });
  return [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'LeaderWorkerSet')][0]!;
}

/** The keys that name the queue, by the object that has them, and how pods are scheduled. */
function queueingOf(deployment: ModelDeployment, cluster: InferenceCluster): Doc {
  const { labels, annotations } = workloadOf(deployment, cluster).metadata;
  const templates = Object.values(pods(deployment, { cluster, small: true }));
  return {
    labels: keysOfQueue(labels),
    annotations: keysOfQueue(annotations),
    pods: templates.map(({ metadata }) => keysOfQueue({ ...metadata.labels, ...metadata.annotations })),
    schedulers: [...new Set(templates.map(({ spec }) => spec['schedulerName']))],
    hints: templates.some(({ spec }) => spec['affinity'] !== undefined),
  };
}

function keysOfQueue(values: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(values).flatMap(([key, value]) => (value === 'inference' ? [key] : []));
}

const NAMED = aMember({
  template: { spec: { containers: [{ name: 'engine', image: 'vllm' }], schedulerName: 'house' } },
});

const KUEUE = 'kueue.x-k8s.io/queue-name';
const VOLCANO = 'scheduling.volcano.sh/queue-name';
const plain = { labels: [], annotations: [], pods: [[]], schedulers: [undefined], hints: true };

const cases: Record<string, { deployment?: ModelDeployment; cluster: InferenceCluster; want: Doc }> = {
  'kube-scheduler has no queue and gets hints to pack': {
    cluster: aCluster('gke', { source: 'GKE', pools: { h100: 4 } }),
    want: plain,
  },
  'Kueue reads the queue from the label of a Deployment, and kube-scheduler places the pods': {
    cluster: on('Kueue'),
    want: { ...plain, labels: [KUEUE] },
  },
  'Kueue reads it from the label of a gang too': {
    deployment: GANG,
    cluster: on('Kueue'),
    want: { ...plain, labels: [KUEUE], pods: [[], []] },
  },
  'KAI places pods itself, and packs them without hints': {
    cluster: on('KAI'),
    want: { ...plain, labels: ['kai.scheduler/queue'], schedulers: ['kai-scheduler'], hints: false },
  },
  'KAI reads the queue of a gang from its label': {
    deployment: GANG,
    cluster: on('KAI'),
    want: {
      ...plain,
      labels: ['kai.scheduler/queue'],
      pods: [[], []],
      schedulers: ['kai-scheduler'],
      hints: false,
    },
  },
  'Volcano reads the queue from an annotation of the workload or of its pods': {
    deployment: GANG,
    cluster: on('Volcano'),
    want: { ...plain, annotations: [VOLCANO], pods: [[VOLCANO], [VOLCANO]], schedulers: ['volcano'] },
  },
  'a scheduler that the pods name themselves stays': {
    deployment: aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [NAMED] }] }),
    cluster: on('KAI'),
    want: { ...plain, labels: ['kai.scheduler/queue'], schedulers: ['house'], hints: false },
  },
};

test.each(Object.entries(cases))('%s', (_, { deployment = POD, cluster, want }) => {
  expect(queueingOf(deployment, cluster)).toEqual(want);
});

const LONG = aDeployment('ml/a-model-with-a-name-that-leaves-no-room-for-anything-else', {
  engines: [anEngine('main', { workers: 1 })],
});

test.each([
  ['Kueue derives names from that of a gang, which has at most 39 characters', LONG, 'Kueue', 39],
  ['other schedulers leave it as long as its controller takes it', LONG, 'KAI', 49],
])('%s', (_, deployment, type, longest) => {
  expect(workloadOf(deployment, on(type)).metadata.name).toHaveLength(longest);
});
