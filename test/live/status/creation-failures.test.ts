import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { createFailureFinder } from '../../../src/live/status/creation-failures';
import { condition, failure, live } from './live-objects';

const DEPLOYMENT = live('Deployment', 'q-0-main-6a105');
const QUOTA = 'Error creating: pods is forbidden: exceeded quota';

const failures: Record<string, { owner?: LiveObject; events?: LiveObject[]; want: string | undefined }> = {
  'nothing is reported': { want: undefined },
  'the condition of a Deployment': {
    owner: withConditions(condition('ReplicaFailure', 'True', { reason: 'FailedCreate', message: QUOTA })),
    events: [failure('FailedCreate', ['ReplicaSet', 'q-0-main-6a105-7d9f'], 'older')],
    want: `FailedCreate: ${QUOTA}`,
  },
  'a condition that is over': {
    owner: withConditions(condition('ReplicaFailure', 'False', { message: QUOTA })),
    want: undefined,
  },
  'an event of the ReplicaSet, the newest of several': {
    events: [
      failure('FailedCreate', ['ReplicaSet', 'q-0-main-6a105-7d9f'], 'violates PodSecurity', '2026-11-02T10:00:00Z'),
      failure('FailedCreate', ['ReplicaSet', 'q-0-main-6a105-7d9f'], 'exceeded quota', '2026-11-02T09:00:00Z'),
    ],
    want: 'FailedCreate: violates PodSecurity (at 2026-11-02T10:00:00Z)',
  },
  'an event of the StatefulSet of a gang': {
    owner: live('LeaderWorkerSet', 'q-0-main-6a105'),
    events: [failure('FailedCreate', ['StatefulSet', 'q-0-main-6a105-1'], 'admission webhook denied the request')],
    want: 'FailedCreate: admission webhook denied the request',
  },
  'an event of the pods of a component of Dynamo': {
    owner: live('DynamoGraphDeployment', 'q-0-26a94'),
    events: [failure('FailedCreate', ['ReplicaSet', 'q-0-26a94-decode-1b2c3d4e-7d9f'], 'exceeded quota')],
    want: 'FailedCreate: exceeded quota',
  },
  'an event of a gang of Dynamo': {
    owner: live('DynamoGraphDeployment', 'q-0-26a94'),
    events: [failure('FailedCreate', ['PodClique', 'q-0-26a94-0-decode-ldr'], 'exceeded quota')],
    want: 'FailedCreate: exceeded quota',
  },
  'an event of a graph of Dynamo whose name begins alike': {
    owner: live('DynamoGraphDeployment', 'q-0-26a94'),
    events: [failure('FailedCreate', ['ReplicaSet', 'q-0-26a945-decode-7d9f'], 'exceeded quota')],
    want: undefined,
  },
  'a component of Dynamo that does not get ready': {
    owner: live('DynamoGraphDeployment', 'q-0-26a94', {
      status: {
        conditions: [condition('DynamoComponentReady', 'False', { reason: 'ComponentNotReady', message: 'decode' })],
      },
    }),
    want: 'ComponentNotReady: decode',
  },
  'an event of an object whose name begins alike': {
    events: [failure('FailedCreate', ['ReplicaSet', 'q-0-main-6a105-extra-7d9f'], QUOTA)],
    want: undefined,
  },
  'an event with another reason': {
    events: [failure('ScalingReplicaSet', ['Deployment', 'q-0-main-6a105'], 'Scaled up')],
    want: undefined,
  },
  'a rollout that does not go on': {
    owner: withConditions(
      condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded', message: 'timed out' }),
    ),
    want: 'ProgressDeadlineExceeded: timed out',
  },
};

function withConditions(...conditions: object[]): LiveObject {
  return { ...DEPLOYMENT, status: { conditions } } as unknown as LiveObject;
}

test.each(Object.entries(failures))('why pods are not created: %s', (_, { owner = DEPLOYMENT, events = [], want }) => {
  expect(createFailureFinder(events)(owner)).toBe(want);
  expect(createFailureFinder(events.toReversed())(owner)).toBe(want);
});
