import { arrangeSteps, sayBeforeMerging } from '../../../src/report/pull-request/step-list';

const APPLY = 'First, before manifests are applied: a Secret.';
const NODES = `First, before manifests are applied: the pool. Last, when manifests are applied: the old pool.`;
const STACK = 'Next, when the stack has created the cluster: a Secret.';
const RECORD = 'Next, when the gateway has its address: create the DNS record.';
const FINALIZE = 'Next, when the new replicas serve: finalize.';
const LOWERS = 'Lowers the Pod Security level of a namespace.';
const TABLE = ['| table |', ''];

interface Row {
  first?: string[];
  records?: string[];
  next?: string[];
  want: string[];
}

const spaced = (lines: string[] = []): string[] => lines.flatMap((line) => [line, '']);

const rows: Record<string, Row> = {
  'few steps are around the tables': {
    first: [APPLY],
    next: [FINALIZE],
    want: [APPLY, '', ...TABLE, FINALIZE, ''],
  },
  'what is done first and last without more is one line': { first: [NODES], want: [NODES, '', ...TABLE] },
  'nodes that wait for no manifests are there before what waits for them': {
    first: [APPLY, STACK, 'To do: the new cluster.'],
    want: [
      '1. Before manifests are applied: a Secret.',
      '2. The new cluster.',
      '3. When the stack has created the cluster: a Secret.',
      '',
      ...TABLE,
    ],
  },
  'three are a list in their order, and what is no step follows': {
    first: [NODES, LOWERS],
    records: [RECORD],
    next: [FINALIZE],
    want: [
      '1. Before manifests are applied: the pool.',
      '2. When the gateway has its address: create the DNS record.',
      '3. When manifests are applied: the old pool.',
      '4. When the new replicas serve: finalize.',
      '',
      LOWERS,
      '',
      ...TABLE,
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, { first, records, next, want }) => {
  const lines = { first: spaced(first), records: spaced(records), next: spaced(next) };
  expect(arrangeSteps(lines, TABLE)).toEqual(want);
});

test('what comes before merging is said once, where merging applies manifests', () => {
  expect(sayBeforeMerging([LOWERS, APPLY, APPLY], 'perCluster')).toEqual([
    LOWERS,
    'First, before manifests are applied (with Argo CD: before merging, from the branch): a Secret.',
    APPLY,
  ]);
  expect(sayBeforeMerging([APPLY], 'withWaves')).toEqual([APPLY]);
});
