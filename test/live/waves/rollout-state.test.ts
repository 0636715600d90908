import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { isUpdateUnderWay, judgeRollout, type ObservedWorkloads } from '../../../src/live/waves/rollout-state';

const LABEL = 'leaderworkerset.sigs.k8s.io/';
const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const LOADING = { status: { containerStatuses: [{ name: 'engine', ready: false, state: { running: {} } }] } };
const PULL = {
  status: {
    containerStatuses: [{ name: 'engine', state: { waiting: { reason: 'ImagePullBackOff', message: 'gone' } } }],
  },
};

function object(kind: string, name: string, more: object = {}): LiveObject {
  const { metadata = {}, ...rest } = more as { metadata?: object };
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'ml', uid: `${kind} ${name}`, ...metadata }, ...rest };
}

function template(image: string, hash?: string) {
  return { metadata: { labels: { app: 'q', ...(hash && { 'pod-template-hash': hash }) } }, spec: { image } };
}

/** A Deployment of one pod with the image `new`, which its controller has seen unless `seen` says another generation. */
function deployment(status: object, seen = 2): LiveObject {
  const spec = { replicas: 1, template: template('new') };
  return object('Deployment', 'q', {
    metadata: { generation: 2 },
    spec,
    status: { observedGeneration: seen, ...status },
  });
}

function set(name: string, image: string): LiveObject {
  const metadata = { ownerReferences: [{ uid: 'Deployment q' }] };
  return object('ReplicaSet', name, { metadata, spec: { template: template(image, name) } });
}

function pod(name: string, of: string, more: object, metadata: object = {}): LiveObject {
  const ownerReferences = [{ uid: `ReplicaSet ${of}` }];
  return object('Pod', name, { metadata: { ownerReferences, ...metadata }, spec: { nodeName: 'n0' }, ...more });
}

const DONE = { updatedReplicas: 1, availableReplicas: 1, replicas: 1 };
const SETS = [set('old', 'old'), set('new', 'new')];

/** A gang of two pods in one group. */
function gang(status: object): LiveObject {
  const spec = { replicas: 1, leaderWorkerTemplate: { size: 2, workerTemplate: template('new') } };
  return object('LeaderWorkerSet', 'g', { metadata: { generation: 2 }, spec, status });
}

const GANG = { updatedReplicas: 1, readyReplicas: 1, replicas: 1 };

function leaders(image: string): LiveObject {
  const labels = { [`${LABEL}name`]: 'g', [`${LABEL}template-revision-hash`]: 'r2' };
  return object('StatefulSet', 'g', { metadata: { labels }, spec: { template: template(image) } });
}

function member(name: string, revision: string, more: object = READY): LiveObject {
  const labels = { [`${LABEL}name`]: 'g', [`${LABEL}template-revision-hash`]: revision };
  return object('Pod', name, { metadata: { labels }, spec: { nodeName: 'n0' }, ...more });
}

/** A service of KServe with prefill and decode. */
function service(status: object): LiveObject {
  return object('LLMInferenceService', 's', { metadata: { generation: 2 }, spec: { prefill: {} }, status });
}

/** A Deployment that KServe makes of it. */
function made(name: string, status: object = {}): LiveObject {
  const metadata = { generation: 1, ownerReferences: [{ uid: 'LLMInferenceService s' }] };
  return object('Deployment', name, {
    metadata,
    spec: { replicas: 1 },
    status: { observedGeneration: 1, ...DONE, ...status },
  });
}

/** A graph of Dynamo of one component on two nodes. */
function graph(status: object): LiveObject {
  const spec = { components: [{ name: 'worker', replicas: 1, multinode: { nodeCount: 2 } }] };
  return object('DynamoGraphDeployment', 'd', { metadata: { generation: 2 }, spec, status });
}

function part(name: string, more: object = READY): LiveObject {
  return pod(name, 'any', more, { labels: { 'nvidia.com/dynamo-graph-deployment-name': 'd' } });
}

interface Row {
  of?: LiveObject;
  observed?: Partial<ObservedWorkloads>;
  want: ReturnType<typeof judgeRollout>;
}

const rows: Record<string, Row> = {
  'is ready where its pod of the current template is, whatever revision an annotation has': {
    of: deployment(DONE),
    observed: { sets: SETS, pods: [pod('a', 'new', READY)] },
    want: { state: 'ready', text: '1 of 1 pod ready' },
  },
  'is not ready by the old pod, while its controller has not seen the change': {
    of: deployment(DONE, 1),
    observed: { sets: [set('old', 'old')], pods: [pod('a', 'old', READY)] },
    want: { state: 'rolling', text: '0 of 1 pod ready; its controller has not seen the last change' },
  },
  'is not ready by the old pod, although the status counts it as updated': {
    of: deployment(DONE),
    observed: { sets: SETS, pods: [pod('a', 'old', READY)] },
    want: { state: 'rolling', text: '0 of 1 pod ready' },
  },
  'is not ready while the old pod is still there': {
    of: deployment(DONE),
    observed: { sets: SETS, pods: [pod('a', 'old', READY), pod('b', 'new', READY)] },
    want: { state: 'rolling', text: '1 of 1 pod ready' },
  },
  'does not wait for the end of the old pod': {
    of: deployment(DONE),
    observed: {
      sets: SETS,
      pods: [pod('a', 'old', READY, { deletionTimestamp: 'now' }), pod('b', 'new', READY)],
    },
    want: { state: 'ready', text: '1 of 1 pod ready' },
  },
  'is not ready while its status counts fewer': {
    of: deployment({ ...DONE, availableReplicas: 0 }),
    observed: { sets: SETS, pods: [pod('b', 'new', READY)] },
    want: { state: 'rolling', text: '1 of 1 pod ready' },
  },
  'is ready by its status where pods may not be listed': {
    of: deployment(DONE),
    want: { state: 'ready', text: '1 of 1 pod ready' },
  },
  'says why its pod does not start': {
    of: deployment({ ...DONE, availableReplicas: 0 }),
    observed: { sets: SETS, pods: [pod('b', 'new', PULL)] },
    want: { state: 'failed', text: '0 of 1 pod ready; pod b: engine: ImagePullBackOff, gone' },
  },
  'says that its pod loads, not that a probe fails': {
    of: deployment({ ...DONE, availableReplicas: 0 }),
    observed: { sets: SETS, pods: [pod('b', 'new', LOADING)], events: [event('b', 'Unhealthy', 'probe failed')] },
    want: { state: 'rolling', text: '0 of 1 pod ready; pod b: it loads its model' },
  },
  'says the latest event of a pod that has no reason': {
    of: deployment({ ...DONE, availableReplicas: 0 }),
    observed: { sets: SETS, pods: [pod('b', 'new', {})], events: [event('b', 'FailedMount', 'no volume')] },
    want: { state: 'rolling', text: '0 of 1 pod ready; pod b: FailedMount: no volume' },
  },
  'says why its pod is not created': {
    of: deployment({
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' }],
    }),
    observed: { sets: SETS, pods: [] },
    want: { state: 'rolling', text: '0 of 1 pod ready; FailedCreate: quota' },
  },
  'is abandoned once its controller gave up': {
    of: deployment({
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }],
    }),
    want: { state: 'abandoned', text: '0 of 1 pod ready; timed out' },
  },
  'is ready where it is a service of KServe whose Deployments are': {
    of: service({ observedGeneration: 2 }),
    observed: { workloads: [made('a'), made('b')] },
    want: { state: 'ready', text: '2 of 2 pods ready' },
  },
  'is not ready where one of them replaces its pod, although the service says that it is ready': {
    of: service({ observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] }),
    observed: { workloads: [made('a'), made('b', { updatedReplicas: 0 })] },
    want: { state: 'rolling', text: '1 of 2 pods ready' },
  },
  'is not ready before KServe has made them': {
    of: service({ observedGeneration: 1 }),
    observed: { workloads: [made('a')] },
    want: { state: 'rolling', text: '1 of 1 pod ready; its controller has not seen the last change' },
  },
  'is abandoned where KServe does not find a preset': {
    of: service({
      conditions: [{ type: 'PresetsCombined', status: 'False', reason: 'ConfigNotFound', message: 'gone' }],
    }),
    want: { state: 'abandoned', text: '0 of 0 pods ready; its controller has not seen the last change; gone' },
  },
  'is ready where it is a graph of Dynamo of which its operator says so, and its pods are': {
    of: graph({ observedGeneration: 2, state: 'successful' }),
    observed: { pods: [part('a'), part('b'), pod('other', 'any', LOADING)] },
    want: { state: 'ready', text: '2 of 2 pods ready' },
  },
  'is not ready while Dynamo replaces its workers': {
    of: graph({ observedGeneration: 2, state: 'successful', rollingUpdate: { phase: 'InProgress' } }),
    observed: { pods: [part('a'), part('b')] },
    want: { state: 'rolling', text: '2 of 2 pods ready' },
  },
  'is not ready where a pod of a graph loads its model': {
    of: graph({ observedGeneration: 2, state: 'pending' }),
    observed: { pods: [part('a'), part('b', LOADING)] },
    want: { state: 'rolling', text: '1 of 2 pods ready; pod b: it loads its model' },
  },
  'is not ready where its operator has not seen the last change of a graph': {
    of: graph({ observedGeneration: 1, state: 'successful' }),
    observed: { pods: [part('a'), part('b')] },
    want: { state: 'rolling', text: '2 of 2 pods ready; its controller has not seen the last change' },
  },
  'is missing where it does not exist': { want: { state: 'missing', text: 'it does not exist' } },
  'is ready where it is a gang whose pods all have the revision of its leaders': {
    of: gang({ ...GANG, observedGeneration: 2 }),
    observed: { sets: [leaders('new')], pods: [member('g-0', 'r2'), member('g-0-1', 'r2')] },
    want: { state: 'ready', text: '2 of 2 pods ready' },
  },
  'is not ready where it is a gang with a worker of the old revision': {
    of: gang({ ...GANG, observedGeneration: 2 }),
    observed: { sets: [leaders('new')], pods: [member('g-0', 'r2'), member('g-0-1', 'r1')] },
    want: { state: 'rolling', text: '1 of 2 pods ready' },
  },
  'is not ready where it is a gang whose controller has not seen the change': {
    of: gang({ ...GANG, observedGeneration: 1 }),
    observed: { sets: [leaders('new')], pods: [member('g-0', 'r2'), member('g-0-1', 'r2')] },
    want: { state: 'rolling', text: '2 of 2 pods ready; its controller has not seen the last change' },
  },
  'is judged by the template of its leaders where a controller of gangs reports no generation': {
    of: gang(GANG),
    observed: { sets: [leaders('old')], pods: [member('g-0', 'r2'), member('g-0-1', 'r2')] },
    want: { state: 'rolling', text: '2 of 2 pods ready; its controller has not seen the last change' },
  },
};

function event(name: string, reason: string, message: string): LiveObject {
  return object('Event', `${name}.1`, { involvedObject: { kind: 'Pod', name }, reason, message });
}

test.each(Object.entries(rows))('a workload %s', (_, { of, observed, want }) => {
  const workloads = of ? [of] : [];
  expect(judgeRollout(of, { workloads, events: [], ...observed })).toEqual(want);
});

/** A Deployment of a revision whose controller gives a reason for its progress. */
function progress(revision: string | undefined, reason: string, seen = 2): LiveObject {
  const conditions = [
    { type: 'Available', reason: 'other' },
    { type: 'Progressing', reason },
  ];
  const one = deployment({ conditions }, seen);
  const annotations = revision === undefined ? {} : { 'deployment.kubernetes.io/revision': revision };
  return { ...one, metadata: { ...one.metadata, annotations } };
}

function at(second: number): string {
  return `2026-01-01T00:00:0${second}Z`;
}

/** A gang whose conditions changed at some seconds. */
function conditions(updated: number | undefined, available: [string, number] | undefined): LiveObject {
  return gang({
    conditions: [
      ...(updated === undefined ? [] : [{ type: 'UpdateInProgress', lastTransitionTime: at(updated) }]),
      ...(available ? [{ type: 'Available', status: available[0], lastTransitionTime: at(available[1]) }] : []),
    ],
  });
}

test.each<[string, LiveObject, boolean]>([
  ['an update whose pods are not ready', progress('2', 'ReplicaSetUpdated'), true],
  ['an update that its controller gave up', progress('2', 'ProgressDeadlineExceeded'), true],
  ['an update that its controller has not seen', progress('1', 'NewReplicaSetAvailable', 1), true],
  ['a complete update, also where pods fail later', progress('2', 'NewReplicaSetAvailable'), false],
  ['a first rollout', progress('1', 'ReplicaSetUpdated'), false],
  ['a first rollout that its controller has not seen', progress(undefined, '', 1), false],
  ['an update of groups', conditions(2, ['False', 2]), true],
  ['an update of groups that were never ready', conditions(2, undefined), true],
  ['a complete update of groups', conditions(2, ['True', 3]), false],
  ['groups that fail after an update', conditions(2, ['False', 4]), false],
  ['a first rollout of groups', conditions(undefined, undefined), false],
  ['another object', object('Service', 'q'), false],
])('tells whether an update is under way for %s', (_, one, want) => {
  expect(isUpdateUnderWay(one)).toBe(want);
});
