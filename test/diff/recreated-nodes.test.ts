import type { Resource } from '../../src/api/kinds';
import { aDeployment, type Doc } from '../api/build';
import { aDoor, aSplit, to } from '../routing/build';
import { judge, made, q, site } from './lost-nodes-build';

const gateway = {
  gateway: { hostname: 'edge.us.example.com', tls: { issuer: { name: 'fleet' }, caRef: { name: 'ca' } } },
};
const other = aDeployment('ml/other', { replicas: 2, replicaLabels: { app: 'other' } });

/** The only replica of `ml/q` on nodes with a disk, and a service. */
const fleet = (disk: Doc, entries: readonly string[], options: Doc = {}): Resource[] => [
  made('GKE', disk),
  site('GKE', {}, gateway),
  aDoor(['us']),
  aSplit(
    'ml/chat',
    entries.map((app) => to({ app })),
  ),
  other,
  q({ replicas: 1, replicaLabels: { app: 'q' }, ...options }),
];

const cases: Record<string, { entries: string[]; options?: Doc; want: object }> = {
  'requests without another target fail': {
    entries: ['q'],
    want: { refused: [expect.stringContaining('. All requests for the service ml/chat fail. ')] },
  },
  'requests go to the other targets of the service': {
    entries: ['q', 'other'],
    want: {
      refused: [
        expect.stringContaining(
          '. During the rollout, other targets get its 50 % of the requests for the service ml/chat: ml/other on us (2 replicas, of which 1 restarts at a time), 2 times what it gets today, and what it cannot take gets 429. ',
        ),
      ],
    },
  },
  'what no service selects takes nothing from clients of gateways': {
    entries: ['other'],
    want: { refused: [expect.stringContaining('. No service selects ml/q, and no client can reach it. ')] },
  },
  'what no service selects, and other pods may reach, can only be missed there': {
    entries: ['other'],
    options: { networkPolicy: { from: [{ namespaceSelector: {} }] } },
    want: {
      refused: [expect.stringContaining('. No service selects ml/q, so only clients in its clusters can notice. ')],
    },
  },
  'downtime that Recreate accepts is downtime': {
    entries: ['q'],
    options: { rollout: { strategy: 'Recreate' } },
    want: {
      sentence: expect.stringContaining('`ml/q` with **downtime**'),
      verdict: expect.stringContaining("the gate passes, because 'rollout: Recreate' accepts downtime"),
    },
  },
};

test.each([
  [
    'and other pods may reach, can only be missed there',
    { networkPolicy: { from: [{ namespaceSelector: {} }] } },
    'so only clients in its clusters can notice',
  ],
  ['has no client to miss it', {}, 'and no client can reach it'],
])('what no service selects before the change %s', (_, options, want) => {
  const [before, after] = [fleet({}, ['other'], options), fleet({ diskSizeGb: 500 }, ['q'], options)];
  expect(judge(before, after).refused.join('\n')).toContain(`. No service selects ml/q before this change, ${want}. `);
});

test('a deployment that a service selected before is not one that no client can reach', () => {
  const [before, after] = [fleet({}, ['q']), fleet({ diskSizeGb: 500 }, ['other'])];
  expect(judge(before, after).refused.join('\n')).not.toContain('No service selects');
});

test.each(Object.entries(cases))('while nodes are recreated: %s', (_, { entries, options, want }) => {
  expect(judge(fleet({}, entries, options), fleet({ diskSizeGb: 500 }, entries, options))).toMatchObject(want);
});
