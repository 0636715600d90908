import type { ClusterStatus } from '../../src/live/status/cluster-status';
import { terminalLines } from '../../src/report/document/write-terminal';
import { formatStatus } from '../../src/report/status-text';

const NOTHING = {
  replicas: [],
  caches: [],
  routes: [],
  pickers: [],
  nodes: [],
  stockouts: [],
  drift: [],
  leftovers: [],
  unseen: [],
  totals: { ok: 0, warning: 0, failure: 0, unknown: 0 },
};
const replica = { level: 'ok', deployment: 'ml/q', index: 0, phase: 'serving', pods: { serving: 1 } } as const;
const us: ClusterStatus = { ...NOTHING, cluster: 'us', locked: 1, replicas: [replica] };
const eu: ClusterStatus = { ...us, cluster: 'eu', locked: 2 };

const cases: Record<string, { clusters: ClusterStatus[]; want: string[] }> = {
  'a cluster without an answer is counted, and its replicas are unknown': {
    clusters: [us, { ...NOTHING, cluster: 'eu', locked: 2, unreachable: 'no answer' }],
    want: [
      'us   1 of 1 replica serving',
      '',
      'eu   not reached: no answer.',
      '',
      '1 of 3 replicas serving, 2 unknown; 1 of 2 clusters not reached.',
    ],
  },
  'one that is declared lost is not waited for, and its replicas do not count': {
    clusters: [us, { ...NOTHING, cluster: 'eu', locked: 2, lost: true, unreachable: 'no answer' }],
    want: [
      'us   1 of 1 replica serving',
      '',
      'eu   not reached, declared lost: no answer.',
      '',
      '1 of 1 replica serving; without 1 lost cluster.',
    ],
  },
  'nor do they count once it answers, when its line says what runs there': {
    clusters: [us, { ...eu, lost: true }],
    want: [
      'us   1 of 1 replica serving',
      '',
      'eu   1 of 2 replicas serving, 1 unknown, declared lost',
      '',
      '1 of 1 replica serving; without 1 lost cluster.',
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { clusters, want }) => {
  expect(terminalLines(formatStatus(clusters))).toEqual(want);
});
