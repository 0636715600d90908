import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { toSentences } from '../../../src/report/pull-request/clauses';
import { nameOutside } from '../../../src/report/pull-request/traffic-clauses';
import { aClass, anEndpoint, type Doc, parsed } from '../../api/build';
import { NAMED, RENAMED } from '../../diff/gate-fleet';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const base = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 4 } } }), aDoor(['us'])];
const renamed = ({ metadata, spec }: typeof stable, names: object): Resource =>
  aModel(`ml/${metadata.name}`, { replicas: spec.replicas, replicaLabels: spec.template.metadata.labels, ...names });
const stable = aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } });
const next = aModel('ml/next', { replicaLabels: { track: 'next' } });
const split = aSplit('ml/chat', [to({ track: 'stable' }, { weight: 19 }), to({ track: 'next' }, { weight: 1 })]);

function comment(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

test('says of a service with another name which address its clients have to use', () => {
  const other: Resource = { ...split, metadata: { ...split.metadata, name: 'talk' } };
  const text = comment([...base, stable, next, split], [...base, stable, next, other]);
  expect(text).toContain('\nRenames the service `ml/chat` to `ml/talk`: clients of `http://front-default-');
  expect(text).not.toContain('emoves the routes of');
});

test('says which part of the other requests goes to the target of a condition', () => {
  const shared = aSplit('ml/chat', [
    to({ track: 'stable' }, { weight: 90 }),
    to({ track: 'next' }, { weight: 10 }),
    to({ track: 'next' }, { match: { headers: { 'x-track': 'next' } } }),
  ]);
  const text = comment(
    [...base, stable, aSplit('ml/chat', [to({ track: 'stable' })])],
    [...base, stable, next, shared],
  );
  expect(text).toContain('with `x-track: next` to `ml/next`, and 10 % of its other requests');
});

test('says that requests of a new condition were divided like all others', () => {
  const match = { headers: { 'x-a': 'b' } };
  const plain = [to({ track: 'stable' }, { weight: 9 }), to({ track: 'next' }, { weight: 1 })];
  const [two, one] = [to({ track: 'next' }, { weight: 2, match }), to({ track: 'stable' }, { weight: 1, match })];
  const text = comment(
    [...base, stable, next, aSplit('ml/chat', plain)],
    [...base, stable, next, aSplit('ml/chat', [...plain, two, one])],
  );
  expect(text).toContain(
    'Sends 67 % of the requests for the service `ml/chat` with `x-a: b` to `ml/next` (before: like its other requests).',
  );
});

test('begins with the part of the requests for a model that fails', () => {
  const text = comment(
    [...base, renamed(stable, NAMED), renamed(next, NAMED), split],
    [...base, renamed(stable, RENAMED), renamed(next, NAMED), split],
  );
  expect(text).toContain('\nFails 95 % of the requests for the model `chat` of the service `ml/chat`, and restarts ');
});

test('says that requests leave the fleet, and where they go while nothing serves', () => {
  const outside = anEndpoint('ml/saas', {
    url: undefined,
    provider: 'DeepInfra',
    labels: { app: 'saas' },
    credential: { secretRef: { name: 'key' } },
  });
  const own = to({ track: 'stable' });
  const routed = (...entries: Doc[]): Resource[] => [
    ...base,
    stable,
    outside,
    aSplit('ml/chat', [own, ...entries.map((entry) => to({ app: 'saas' }, entry))]),
  ];
  const said = (after: Resource[], before = routed()): string => {
    const { plan } = state('here', after).decision;
    const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [], endpoints: [outside] };
    return formatPullRequestComment(diff(before, after), plan, context).split('\n')[2] ?? '';
  };
  const who = '`ml/saas` (DeepInfra, api.deepinfra.com) outside the fleet';
  expect(said(routed({ weight: 1 }))).toContain(` to ${who}, whose price is not counted. `);
  expect(said(routed({ tier: 1 }))).toContain(`hile nothing serves \`ml/chat\`, its requests go to ${who}`);
  expect(said(routed(), routed({ tier: 1 }))).toContain(
    `If no replica serves \`ml/chat\`, its requests fail instead of going to ${who}. `,
  );
  const promoted = said(routed({ weight: 1 }), routed({ tier: 1 }));
  expect(promoted).toMatch(/^Sends 50 % of the requests for .* \(before: only while nothing else served\)\. /);
  expect(promoted).not.toContain('no longer');
});

test.each<[does: string, endpoint: Doc, want: string]>([
  ['the model that requests are rewritten to', { models: ['a', 'b'], model: { as: 'b' } }, 'b at api.example.com'],
  ['the only model of an endpoint', { provider: 'OpenAI', models: ['a'] }, 'a at OpenAI, api.example.com'],
  ['no model where clients choose one', { provider: 'OpenAI', models: ['a', 'b'] }, 'OpenAI, api.example.com'],
  ['no model where none is listed', {}, 'api.example.com'],
])('names %s', (_, endpoint, want) => {
  expect([...nameOutside([anEndpoint('ml/saas', endpoint)])]).toEqual([['ml/saas', want]]);
});

test('leaves out shares that a deployment has under another name', () => {
  const other = { ...next, metadata: { ...next.metadata, name: 'later' } };
  const text = comment([...base, stable, next, split], [...base, stable, other, split]);
  expect(text).toContain('enames `ml/next` to `ml/later`');
  expect(text).not.toContain('| service | requests to |');
});

const headline = (before: Resource[], after: Resource[]): string | undefined => comment(before, after).split('\n')[2];

test('says nothing of requests that follow from replicas which it names', () => {
  const more = aModel('ml/chat', { replicas: 3, replicaLabels: { track: 'stable' } });
  const pair = [...base.slice(0, 2), aSite('eu', { pools: { h100: { nodeCount: 4 } } }), aDoor(['us', 'eu'])];
  expect(headline([...pair, stable, next, split], [...pair, more, next, split])).toBe(
    'Adds 1 replica of `ml/chat`. Cost unchanged: 1 idle GPU is used.',
  );
});

test('says that a deployment loses its requests, also where its label is why', () => {
  const misspelt = aModel('ml/next', { replicaLabels: { track: 'nxet' } });
  expect(headline([...base, stable, next, split], [...base, stable, misspelt, split])).toContain(
    ', and sends all requests for the service `ml/chat` to `ml/chat` (95 % before). ',
  );
});

test('has no rows for small shifts that only follow from where replicas are', () => {
  const sites = [...base, aSite('eu', { pools: { h100: { nodeCount: 30 } } })];
  const [few, more] = [20, 21].map((replicas) => aModel('ml/chat', { replicas, replicaLabels: { track: 'stable' } }));
  const one = aSplit('ml/chat', [to({ track: 'stable' })]);
  const text = comment([...sites, ...(few ? [few] : []), one], [...sites, ...(more ? [more] : []), one]);
  expect(text).toContain('Adds 1 replica of `ml/chat`');
  expect(text).not.toContain('| service | requests to |');
});

test('has a row for each cluster of a deployment whose share is divided among others, also of small shares', () => {
  const eu = aSite('eu', { pools: { h100: { nodeCount: 4 } } });
  const pair = [...base.slice(0, 2), eu, aDoor(['us', 'eu'])];
  const [one, two] = [1, 2].map((replicas) => aModel('ml/next', { replicas, replicaLabels: { track: 'next' } }));
  const text = comment([...pair, stable, one as Resource, split], [...pair, stable, two as Resource, split]);
  const rows = text.split('\n').filter((line) => line.startsWith('| `ml/chat` | `ml/next` on '));
  expect(rows).toEqual([expect.stringContaining(' | 5.0 % | 2.5 % |'), expect.stringContaining(' | 0.0 % | 2.5 % |')]);
  // The shares of a service add up.
  expect(text).toContain('\n| `ml/chat` | others | 95.0 % | 95.0 % |\n');
});

test('says when a new target gets requests', () => {
  const [one, two] = [split, aSplit('ml/chat', [to({ track: 'stable' })])];
  const note = 'A new target gets requests once it serves; until then the others get them.';
  expect(comment([...base, stable, two], [...base, stable, next, one])).toContain(note);
  expect(comment([...base, stable, next, one], [...base, stable, two])).not.toContain(note);
});

test('says where all other requests go where a condition takes the part of a deployment from them', () => {
  const onHeader = to({ track: 'next' }, { match: { headers: { 'x-canary': '1' } } });
  const canary = aSplit('ml/chat', [to({ track: 'stable' }), onHeader]);
  expect(headline([...base, stable, next, split], [...base, stable, next, canary])).toContain(
    'with `x-canary: 1` to `ml/next`, and all others to `ml/chat` (95 % before). ',
  );
});

const keys = (name: string): Doc => ({ apiKeys: [{ name, secretRef: { name: `${name}-keys` } }] });
const withAuth = (auth: Doc): Resource => aSplit('ml/a', [to({ track: 'stable' })], { auth });

describe('says of services with first routes where clients find them, and who is let in', () => {
  const tls = { issuer: { name: 'acme' } };
  const jwt = { issuer: 'https://sso.example.com', jwksUri: 'https://sso.example.com/keys' };
  const open = aDoor(['us'], { hostname: 'models.example.com', public: true, tls, auth: keys('web') });
  const inner: Resource = parsed('InferenceGateway', 'inner', { clusters: ['us'], hostname: 'models.corp.example' });
  const services = ['ml/a', 'ml/b', 'ml/c'].map((name) => aSplit(name, [to({ track: 'stable' })]));
  const PUBLIC = 'at `https://models.example.com/ml/a/` **on the internet**, with';
  const rows: Record<string, { doors: Resource[]; added: Resource[]; want: string }> = {
    'at one address on the internet': {
      doors: [open],
      added: services.slice(0, 1),
      want: `Routes requests for \`ml/a\` ${PUBLIC} keys of \`web\`. `,
    },
    'on the internet first, then where everyone is let in': {
      doors: [inner, open],
      added: services.slice(0, 1),
      want: `Routes requests for \`ml/a\` ${PUBLIC} keys of \`web\`, and at \`http://models.corp.example/ml/a/\`, **without authentication**. `,
    },
    'with keys of its own': {
      doors: [open],
      added: [withAuth(keys('own'))],
      want: `Routes requests for \`ml/a\` ${PUBLIC} keys of \`own\`. `,
    },
    'with tokens': {
      doors: [open],
      added: [withAuth({ jwt })],
      want: `Routes requests for \`ml/a\` ${PUBLIC} tokens of \`https://sso.example.com\`. `,
    },
    'without authentication before others': {
      doors: [inner],
      added: [withAuth(keys('own')), ...services.slice(1, 2)],
      want: 'Routes requests for `ml/b` at `http://models.corp.example/ml/b/`, **without authentication**, and routes requests for `ml/a` at `http://models.corp.example/ml/a/`, with keys of `own`. ',
    },
    'with the first addresses of many': {
      doors: ['a', 'b', 'c', 'd'].map((name) => {
        return parsed('InferenceGateway', name, { clusters: ['us'], hostname: `${name}.corp.example` });
      }),
      added: services.slice(0, 1),
      want: '`http://c.corp.example/ml/a/`, **without authentication**, and at 1 more. ',
    },
    'how many requests each client may send': {
      doors: [open],
      added: [aSplit('ml/a', [to({ track: 'stable' })], { rateLimits: [{ requests: 300, per: 'Minute' }] })],
      want: `Routes requests for \`ml/a\` ${PUBLIC} keys of \`web\`, and limits each client of \`ml/a\` to 300 requests a minute, at each of 2 gateway proxies. `,
    },
    'several with the host that they share': {
      doors: [open],
      added: services,
      want: 'Routes requests for `ml/a`, `ml/b` and `ml/c` at `https://models.example.com` **on the internet**, with keys of `web`. ',
    },
  };
  test.each(Object.entries(rows))('%s', (_, { doors, added, want }) => {
    const fleet = [...base.slice(0, 2), ...doors, stable];
    expect(headline(fleet, [...fleet, ...added])).toContain(want);
  });

  test('however much else changes', () => {
    const one = { rank: 'entrances', text: 'routes requests for `ml/a`' } as const;
    const others = [...'abcdefgh'].map((name) => ({ rank: 'model', text: `serves ${name}` }) as const);
    expect(toSentences([...others, one]).join('. ')).toContain(one.text);
  });
});
