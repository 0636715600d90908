import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, type Doc, parsed } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel, aSite, aSplit, to } from '../../routing/build';

const base = [
  aClass('h100'),
  aSite('us', { pools: { h100: { nodeCount: 4 } } }),
  aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } }),
];
const KEYS = { apiKeys: [{ name: 'web', secretRef: { name: 'web-keys' } }] };
const door = (name: string, more: Doc = {}): Resource =>
  parsed('InferenceGateway', name, { clusters: ['us'], hostname: `${name}.corp.example`, ...more });
const service = (id: string, auth?: Doc): Resource => aSplit(id, [to({ track: 'stable' })], auth && { auth });

test.each<[string, Resource[], Resource[], string]>([
  [
    'the first service of a host is open since the change',
    [door('in')],
    [door('in'), service('ml/a')],
    'Routes requests for `ml/a` at `http://in.corp.example/ml/a/`, **without authentication**. ',
  ],
  [
    'a further service of a host is open as those that were there',
    [door('in'), service('ml/a')],
    [door('in'), service('ml/a'), service('ml/b')],
    'Routes requests for `ml/b` at `http://in.corp.example/ml/b/`, without authentication as other services there. ',
  ],
  [
    'a further service is not open as those that lose their authentication',
    [door('in'), service('ml/a', KEYS)],
    [door('in'), service('ml/a'), service('ml/b')],
    'Opens `ml/a` to clients **without authentication**, and routes requests for `ml/b` at `http://in.corp.example/ml/b/`, **without authentication**. ',
  ],
  [
    'a further service is not open as one that is as new',
    [door('in'), service('ml/a', KEYS)],
    [door('in'), service('ml/a', KEYS), service('ml/b'), service('ml/c')],
    'Routes requests for `ml/b` and `ml/c` at `http://in.corp.example`, **without authentication**. ',
  ],
  [
    'a further service is not open as those at other hosts',
    [door('in'), service('ml/a')],
    [door('in'), door('out'), service('ml/a'), service('ml/b')],
    'at `http://out.corp.example/ml/b/`, **without authentication**. ',
  ],
  [
    'a service with keys at one host is open since the change at another',
    [door('in', { auth: KEYS }), service('ml/a')],
    [door('in', { auth: KEYS }), door('out'), service('ml/a')],
    'Adds the ingress gateway `out` on `us`: `ml/a` at `out.corp.example`, **without authentication**. ',
  ],
  [
    'a service that is open at one host is open at another as before',
    [door('in'), service('ml/a')],
    [door('in'), door('out'), service('ml/a')],
    'Adds the ingress gateway `out` on `us`: `ml/a` at `out.corp.example`, without authentication as at its other hosts. ',
  ],
  [
    'a service with keys is open since the change at the host that takes the place of its only one',
    [door('in', { auth: KEYS }), service('ml/a')],
    [door('out'), service('ml/a')],
    '`ml/a` at `out.corp.example`, **without authentication**',
  ],
])('%s', (_, before, after, want) => {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const [was, is] = [
    [...base, ...before],
    [...base, ...after],
  ];
  expect(formatPullRequestComment(diff(was, is), state('here', is).decision.plan, context).split('\n')[2]).toContain(
    want,
  );
});
