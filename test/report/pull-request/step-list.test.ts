import {
  type ChangeStep,
  formatNumberedStep,
  formatStep,
  sayBeforeMerging,
} from '../../../src/report/diff/change-steps';
import { arrangeSteps } from '../../../src/report/pull-request/step-list';

const APPLY: ChangeStep = { time: 'before', what: 'a Secret.' };
const POOL: ChangeStep = { time: 'before', what: 'the pool.', isByStack: true };
const OLD: ChangeStep = { time: 'last', what: 'the old pool.' };
const STACK: ChangeStep = { time: 'created', when: 'when the stack has created the cluster', what: 'a Secret.' };
const RECORD: ChangeStep = { time: 'ready', when: 'when the gateway has its address', what: 'create the DNS record.' };
const FINALIZE: ChangeStep = { time: 'later', when: 'when the new replicas serve', what: 'finalize.' };
const LOWERS = 'Lowers the Pod Security level of a namespace.';
const TABLE = ['| table |', ''];
const GONE = 'when manifests are applied and the pods that they stop are gone';

interface Row {
  steps: ChangeStep[];
  notes?: string[];
  want: string[];
}

const rows: Record<string, Row> = {
  'few steps are around the tables': {
    steps: [FINALIZE, APPLY],
    want: ['Before manifests are applied: a Secret.', '', ...TABLE, 'Next, when the new replicas serve: finalize.', ''],
  },
  'what a stack has created and what comes last are above the tables': {
    steps: [OLD, STACK],
    notes: [LOWERS],
    want: [
      'Next, when the stack has created the cluster: a Secret.',
      '',
      `Last, ${GONE}: the old pool.`,
      '',
      LOWERS,
      '',
      ...TABLE,
    ],
  },
  'nodes that wait for no manifests are there before what waits for them': {
    steps: [APPLY, STACK, { time: 'anytime', what: 'the new cluster.' }],
    want: [
      '1. Before manifests are applied: a Secret.',
      '2. The new cluster.',
      '3. When the stack has created the cluster: a Secret.',
      '',
      ...TABLE,
    ],
  },
  'three are a list in their order, and what is no step follows': {
    steps: [POOL, OLD, RECORD, FINALIZE],
    notes: [LOWERS],
    want: [
      '1. Before manifests are applied: the pool.',
      '2. When the gateway has its address: create the DNS record.',
      `3. When manifests are applied and the pods that they stop are gone: the old pool.`,
      '4. When the new replicas serve: finalize.',
      '',
      LOWERS,
      '',
      ...TABLE,
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, { steps, notes = [], want }) => {
  expect(arrangeSteps(steps, notes, TABLE)).toEqual(want);
});

test.each<[string, ChangeStep, string]>([
  [
    'from its branch where a stack takes it',
    POOL,
    ', from the branch (Argo CD applies manifests as soon as the change is merged): the pool.',
  ],
  [
    'whatever the branch where people take it',
    APPLY,
    ' (Argo CD applies manifests as soon as the change is merged): a Secret.',
  ],
])('what comes before merging is said once, where merging applies manifests, and %s', (_, first, want) => {
  expect(sayBeforeMerging([OLD, first, APPLY], 'perCluster').map(formatStep)).toEqual([
    `Last, ${GONE}: the old pool.`,
    `Before merging${want}`,
    'Then: a Secret.',
  ]);
  expect(sayBeforeMerging([APPLY], 'withWaves')).toEqual([APPLY]);
});

test('it is said of the cluster that manifests need, and what follows comes then, from the branch where a stack takes it', () => {
  const cluster: ChangeStep = { time: 'earlier', what: 'create the cluster us.', isBeforeManifests: true };
  const volume: ChangeStep = { time: 'earlier', when: 'before eu is deleted', what: 'delete the claim.' };
  expect(sayBeforeMerging([volume, cluster, POOL, APPLY], 'perCluster').map(formatNumberedStep)).toEqual([
    '1. Before eu is deleted: delete the claim.',
    '2. Before merging (Argo CD applies manifests as soon as the change is merged): create the cluster us.',
    '3. Then, from the branch: the pool.',
    '4. Then: a Secret.',
  ]);
});
