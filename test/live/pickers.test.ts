import { judgePicker } from '../../src/live/picker-health';
import type { LiveObject } from '../../src/manifest/kubernetes/live-object';
import { amiss, examined, FORBIDDEN, type Json, listing } from './doctor/build';

const SERVICE = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec: { picker: PrefixCache, endpoints: [{ selector: { matchLabels: { app: chat } } }] }
`;

const metadata = { name: 'chat-0-llama-picker', namespace: 'fleetwright-system' };
const instance = { 'app.kubernetes.io/instance': 'p' };
const picker = (status: Json): Json => ({ metadata, spec: { selector: { matchLabels: instance } }, status });
const pod = (status: Json): Json => ({ metadata: { ...metadata, labels: instance }, status });

const crashing = pod({ containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] });
const unscheduled = pod({
  conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
});
const LOST =
  "requests bypass it, so cached prefixes are not used, and prefill engines get no requests. Check its pods with 'kubectl describe'";

describe('an endpoint picker', () => {
  const cases: Record<string, { picker: Json; pods?: Json[]; want: object }> = {
    'answers with an available pod': { picker: picker({ availableReplicas: 1 }), want: { state: 'ready' } },
    'is down where its pod fails': {
      picker: picker({}),
      pods: [crashing],
      want: { state: 'down', why: 'CrashLoopBackOff' },
    },
    'is down where no node takes its pod': {
      picker: picker({ replicas: 1 }),
      pods: [unscheduled],
      want: { state: 'down', why: '0/3 nodes are available' },
    },
    'is down where no pod is created': {
      picker: picker({ conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] }),
      want: { state: 'down', why: 'exceeded quota' },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { picker: deployment, pods = [], want }) => {
    expect(judgePicker(deployment as unknown as LiveObject, pods as unknown as LiveObject[])).toEqual(want);
  });
});

describe('doctor', () => {
  test('reports a picker that does not answer, because requests bypass it', () => {
    expect(amiss({ more: SERVICE, lists: { pickers: listing(picker({})) } })).toContain(
      `failure endpoint-pickers: endpoint picker fleetwright-system/chat-0-llama-picker does not answer: ${LOST}`,
    );
  });

  test('says so where all answer', () => {
    expect(examined({ more: SERVICE, lists: { pickers: listing(picker({ availableReplicas: 1 })) } })).toContain(
      'ok endpoint-pickers: all endpoint pickers answer',
    );
  });

  test('does not know where they may not be listed, and asks only where pickers can be', () => {
    const lists = { pickers: FORBIDDEN };
    expect(amiss({ more: SERVICE, lists }).join()).toContain('unknown endpoint-pickers');
    expect(amiss({ lists }).join()).not.toContain('endpoint-pickers');
  });
});
