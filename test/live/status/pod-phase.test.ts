import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { judgePod } from '../../../src/live/status/pod-phase';

const running = (name: string, more: object = {}) => ({
  name,
  state: { running: {} },
  ready: false,
  ...more,
});
const waiting = (name: string, reason: string, more: object = {}) => ({
  name,
  state: { waiting: { reason } },
  ready: false,
  ...more,
});
const done = { name: 'before', state: { terminated: { exitCode: 0 } } };

interface Row {
  status?: object;
  node?: string;
  gates?: string[];
  want: object;
}

const cases: Record<string, Row> = {
  'a pod without a node says what the scheduler said': {
    node: '',
    status: { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes' }] },
    want: { phase: 'no-node', why: '0/3 nodes' },
  },
  'a pod that the scheduler has not seen': {
    node: '',
    want: { phase: 'no-node', why: 'the scheduler has not seen it yet' },
  },
  'a pod that Kueue holds waits for quota': {
    node: '',
    gates: ['kueue.x-k8s.io/admission'],
    status: { conditions: [{ type: 'PodScheduled', status: 'False', message: 'non-empty scheduling gates' }] },
    want: { phase: 'no-node', why: 'Kueue holds it until its queue has quota' },
  },
  'a pod that its kubelet has not seen waits for its images': { want: { phase: 'image' } },
  'images that are pulled': {
    status: { containerStatuses: [waiting('engine', 'ContainerCreating')] },
    want: { phase: 'image' },
  },
  'an image that is not there fails': {
    status: {
      containerStatuses: [
        waiting('engine', 'ImagePullBackOff', {
          state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } },
        }),
      ],
    },
    want: { phase: 'failed', why: 'engine: ImagePullBackOff, not found' },
  },
  'a crash loop says how it ended last time': {
    status: {
      containerStatuses: [
        waiting('engine', 'CrashLoopBackOff', {
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        }),
      ],
    },
    want: { phase: 'failed', why: 'engine: CrashLoopBackOff, it ended with 137 (OOMKilled)' },
  },
  'a container that ended': {
    status: {
      containerStatuses: [{ name: 'engine', ready: false, state: { terminated: { exitCode: 1, reason: 'Error' } } }],
    },
    want: { phase: 'failed', why: 'engine ended with 1' },
  },
  'a pod that was evicted': {
    status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' },
    want: { phase: 'failed', why: 'low on memory' },
  },
  'a pod that waits for its cache': {
    status: {
      initContainerStatuses: [running('wait-for-cache')],
      containerStatuses: [waiting('engine', 'PodInitializing')],
    },
    want: { phase: 'cache' },
  },
  'a step of the user before the engine': {
    status: {
      initContainerStatuses: [done, running('convert')],
      containerStatuses: [waiting('engine', 'PodInitializing')],
    },
    want: { phase: 'loading' },
  },
  'a sidecar that has started is none to wait for': {
    status: {
      initContainerStatuses: [done, running('proxy', { started: true, ready: true })],
      containerStatuses: [running('engine')],
    },
    want: { phase: 'loading' },
  },
  'an engine that loads': {
    status: { containerStatuses: [running('helper', { ready: true }), running('engine')] },
    want: { phase: 'loading' },
  },
  'it serves next to a sidecar that goes on': {
    status: {
      initContainerStatuses: [running('proxy', { started: true, ready: true })],
      containerStatuses: [running('engine', { ready: true })],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    want: { phase: 'serving' },
  },
  'all containers are ready, and so is the pod': {
    status: {
      initContainerStatuses: [done],
      containerStatuses: [running('engine', { ready: true })],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    want: { phase: 'serving' },
  },
};

test.each(Object.entries(cases))('%s', (_, { status = {}, node = 'n0', gates = [], want }) => {
  const spec = { nodeName: node, schedulingGates: gates.map((name) => ({ name })) };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec, status };
  expect(judgePod(pod as unknown as LiveObject)).toEqual(want);
});
