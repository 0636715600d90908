import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { judgeReplicas } from '../../../src/live/status/replica-status';
import { aDeployment, anEngine } from '../../api/build';
import { aReplica } from '../../render/build';

const replica = aReplica(
  aDeployment('ml/q', {
    engines: [anEngine('main', { copies: { min: 2, max: 4 }, scaling: { on: [{ queue: 4 }] } })],
  }),
);

function pod(index: number): LiveObject {
  const labels = { 'fleetwright.dev/deployment': 'q', 'fleetwright.dev/replica-index': '0' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `q-${index}`, namespace: 'ml', labels },
    spec: { nodeName: 'n0' },
    status: { phase: 'Running', conditions: ['PodScheduled', 'Ready'].map((type) => ({ type, status: 'True' })) },
  };
}

test.each([
  ['has too few pods below the lower bound of its copies', 1, { phase: 'missing', why: '1 pod missing' }],
  ['serves with the fewest copies', 2, { phase: 'serving' }],
  ['serves with the most copies', 4, { phase: 'serving' }],
])('a replica of an engine with bounds %s', (_, pods, want) => {
  const observed = {
    pods: Array.from({ length: pods }, (_, index) => pod(index)),
    poolOf: new Map(),
    images: new Map(),
    explainMissing: () => [],
  } as unknown as Parameters<typeof judgeReplicas>[1];
  expect(judgeReplicas([replica], observed)).toEqual([expect.objectContaining(want)]);
});
