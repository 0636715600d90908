import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, type Doc } from '../../api/build';
import { diff, state } from '../../diff/build';
import { jwt, keys } from '../../diff/gate-fleet';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const base = (door: Doc = {}): Resource[] => [
  aClass('h100'),
  aSite('us', { pools: { h100: { nodeCount: 4 } } }),
  aDoor(['us'], door),
  aModel('ml/chat', { replicaLabels: { track: 'stable' } }),
  aModel('ml/next', { replicaLabels: { track: 'next' } }),
];
const service = (spec: Doc = {}, weights: readonly number[] = [1]): Resource =>
  aSplit(
    'ml/chat',
    weights.map((weight, i) => to({ track: i === 0 ? 'stable' : 'next' }, { weight })),
    spec,
  );
const limit = (requests: number) => ({ rateLimits: [{ requests, per: 'Minute', by: 'Service' }] });

function commentLines(before: Resource[], after: Resource[]): string[] {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context).split('\n');
}

const headlines: Record<string, { before: Resource; after: Resource; want: string }> = {
  'says which tokens are accepted in place of keys, and of which audience': {
    before: service({ auth: keys('old', 'alice') }),
    after: service({ auth: jwt('https://a.example.com', 'chat') }),
    want: 'Refuses the keys of `alice` at `ml/chat` (accepts tokens of `https://a.example.com` for the audience `chat` instead). ',
  },
  'says whose tokens are refused, and which keys are accepted in place of them': {
    before: service({ auth: jwt('https://a.example.com') }),
    after: service({ auth: keys('new', 'alice') }),
    want: 'Refuses tokens of `https://a.example.com` at `ml/chat` (accepts keys of `alice` instead). ',
  },
  'says that another issuer takes the place of one': {
    before: service({ auth: jwt('https://a.example.com') }),
    after: service({ auth: jwt('https://b.example.com') }),
    want: 'Refuses tokens of `https://a.example.com` at `ml/chat` (accepts tokens of `https://b.example.com` instead). ',
  },
  'says which new clients are let in where others are refused, but not in whose place': {
    before: service({ auth: keys('old', 'alice') }),
    after: service({ auth: keys('new', 'bob') }),
    want: 'Refuses the keys of `alice` at `ml/chat`, and accepts keys of `bob`. ',
  },
  'says that credentials are asked for, without former ones': {
    before: service({ auth: 'None' }),
    after: service({ auth: jwt('https://a.example.com') }),
    want: 'Changes the clients that may use `ml/chat`. ',
  },
  'says tokens of which audience are admitted too': {
    before: service({ auth: jwt('https://a.example.com', 'chat') }),
    after: service({ auth: jwt('https://a.example.com', 'chat', 'batch') }),
    want: 'Also admits tokens of audience `batch` to `ml/chat` (before: `chat` only). ',
  },
  'says tokens of which audiences are no longer admitted': {
    before: service({ auth: jwt('https://a.example.com', 'chat', 'batch', 'test') }),
    after: service({ auth: jwt('https://a.example.com', 'chat') }),
    want: 'No longer admits tokens of audiences `batch` and `test` to `ml/chat` (still: `chat`). ',
  },
  'says which audience takes the place of another': {
    before: service({ auth: jwt('https://a.example.com', 'chat') }),
    after: service({ auth: jwt('https://a.example.com', 'batch') }),
    want: 'Admits tokens of audience `batch` instead of `chat` to `ml/chat`. ',
  },
  'says that only one audience is admitted': {
    before: service({ auth: jwt('https://a.example.com') }),
    after: service({ auth: jwt('https://a.example.com', 'chat') }),
    want: 'Admits only tokens of audience `chat` to `ml/chat` (before: of any audience). ',
  },
  'says that any audience is admitted': {
    before: service({ auth: jwt('https://a.example.com', 'chat') }),
    after: service({ auth: jwt('https://a.example.com') }),
    want: 'Admits tokens of **any audience** to `ml/chat` (before: `chat` only). ',
  },
  'says both times after which requests end': {
    before: service(),
    after: service({ timeouts: { request: '10m', idle: '5m' } }),
    want: 'Ends requests to `ml/chat` after 10 min (no limit before) and after 5 min without a byte (1 h before). ',
  },
  'says that a time goes, next to one that changes': {
    before: service({ timeouts: { request: '90s' } }),
    after: service({ timeouts: { idle: '2h' } }),
    want: 'No longer ends requests to `ml/chat` after 90 s, and ends requests to `ml/chat` after 2 h without a byte (1 h before). ',
  },
  'says how long a gateway waits for connections': {
    before: service({ timeouts: { connect: '10s' } }),
    after: service({ timeouts: { connect: '5s' } }),
    want: 'Waits 5 s for connections of `ml/chat` (10 s before). ',
  },
  'says where requests go before their limits': {
    before: service({}, [9, 1]),
    after: service({ timeouts: { idle: '5m' } }, [1, 9]),
    want: 'Sends 90 % instead of 10 % of the requests for the service `ml/chat` to `ml/next`, and ends ',
  },
};

test.each(Object.entries(headlines))('the first sentence %s', (_, { before, after, want }) => {
  expect(commentLines([...base(), before], [...base(), after])[2]).toContain(want);
});

const edits: Record<string, { before: Resource; after: Resource; door?: Doc; want: string }> = {
  'has the default before a new timeout': {
    before: service(),
    after: service({ timeouts: { idle: '5m' } }),
    want: '`timeouts.idle: 5m, new` (before, from the gateway or by default: 1 h) (',
  },
  'has the timeout of the gateway behind one that goes': {
    before: service({ timeouts: { request: '30s' } }),
    after: service(),
    door: { timeouts: { request: '2m' } },
    want: '`timeouts.request: was 30s, removed` (then, from the gateway or by default: 2 min) (',
  },
  'has no time before where there was no limit': {
    before: service(),
    after: service({ timeouts: { request: '30s' } }),
    want: '`timeouts.request: 30s, new` (`',
  },
  'has the limit of the gateway before that of a service': {
    before: service(),
    after: service(limit(60)),
    door: limit(600),
    want: ', new` (before, from the gateway: 600 requests a minute) (',
  },
  'has nothing behind a time that a service had': {
    before: service({ timeouts: { idle: '5m' } }),
    after: service({ timeouts: { idle: '6m' } }),
    want: '`timeouts.idle: 5m -> 6m` (`',
  },
};

test.each(Object.entries(edits))('an edit %s', (_, { before, after, door, want }) => {
  const lines = commentLines([...base(door), before], [...base(door), after]);
  expect(lines.filter((line) => line.startsWith('1. '))).toEqual([expect.stringContaining(want)]);
});

test.each([
  [
    'that evicts by its name does not evict',
    'NoExecute',
    ', new` (replicas move by the plan, and no pod is evicted) (',
  ],
  ['that does not is clear', 'NoSchedule', ', new` ('],
])('an edit of a taint of a cluster %s', (_, effect, want) => {
  const pools = { h100: { nodeCount: 4 } };
  const [before, after] = [[], [{ key: 'drain', effect }]].map((taints) => [
    aClass('h100'),
    aSite('us', { pools, taints }),
  ]);
  const lines = commentLines(before ?? [], after ?? []);
  expect(lines.filter((line) => line.startsWith('1. '))).toEqual([expect.stringContaining(want)]);
});
