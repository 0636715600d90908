import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, type Doc, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const SITE = { pools: { h100: { nodeCount: 4 } } };
const base = [aClass('h100'), aSite('us', SITE), aDoor(['us'])];
const stable = aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } });
const services = ['ml/a', 'ml/b'].map((id) => aSplit(id, [to({ track: 'stable' })]));
const limitedBy = (by: 'Service' | 'Key') => [
  ...base.slice(0, 2),
  aDoor(['us'], { rateLimits: [{ requests: 60, per: 'Minute', by }] }),
];
const pair = (options: Doc = {}) => [
  aClass('h100'),
  ...['us', 'eu'].map((name) => aSite(name, SITE)),
  aDoor(['us', 'eu'], options),
];
const withKeys = ['ml/a', 'ml/b'].map((id) =>
  aSplit(id, [to({ track: 'stable' })], { auth: { apiKeys: [{ name: 'web', secretRef: { name: 'keys' } }] } }),
);
const named = (name: string, clusters: string[], spec: Doc = {}) => {
  const door = aDoor(clusters, spec);
  return { ...door, metadata: { ...door.metadata, name } };
};
const PARTNER = {
  hostname: 'partner.example.com',
  auth: { apiKeys: [{ name: 'acme', secretRef: { name: 'partner-keys' } }] },
};
const limited = (requests?: number) =>
  aSplit('ml/chat', [to({ track: 'stable' })], {
    rateLimits: requests === undefined ? [] : [{ requests, per: 'Minute', by: 'Service' }],
  });
const keyed = (secret: string, clients: readonly string[] = ['a'], limit?: object) =>
  aSplit('ml/chat', [to({ track: 'stable' })], {
    auth: { apiKeys: clients.map((name) => ({ name, secretRef: { name: secret } })) },
    ...(limit && { rateLimits: [{ per: 'Minute', ...limit }] }),
  });

function headline(before: Resource[], after: Resource[]): string | undefined {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context).split('\n')[2];
}

const ON_GKE = {
  cluster: { source: 'GKE', gke: { region: 'us-central1' } },
  pools: { h100: { nodeCount: 4, zones: ['us-central1-a'] } },
};
const open = (isOpen: boolean, spec: object = {}, site: Doc = ON_GKE) => [
  aClass('h100', { provisioning: MACHINES.GKE }),
  aSite('us', site),
  aDoor(['us'], {
    hostname: 'a.example.com',
    tls: { issuer: { name: 'x' } },
    ...(isOpen && { public: 'insecure' }),
    ...spec,
  }),
];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string | RegExp }> = {
  'says first that services lose TLS, and not that each has another host': {
    before: [
      ...base.slice(0, 2),
      aDoor(['us'], { hostname: 'a.example.com', tls: { issuer: { name: 'x' } } }),
      stable,
      ...services,
    ],
    after: [...base.slice(0, 2), aDoor(['us'], { hostname: 'a.example.com', public: 'insecure' }), stable, ...services],
    want: /removes TLS from both services: requests and keys travel \*\*without encryption\*\*, and clients of `https:\/\/a\.example\.com` get no answer\./i,
  },
  'says that clients of the former host get no answer': {
    before: [...base, stable, services[0] as Resource],
    after: [...base.slice(0, 2), aDoor(['us'], { hostname: 'other.example.com' }), stable, services[0] as Resource],
    want: 'to `other.example.com`: clients of `',
  },
  'says which host is no longer reachable from the internet, before what else changes': {
    before: [...open(true), stable, limited(300)],
    after: [...open(false), stable, limited(200)],
    want: '`a.example.com` is **no longer reachable from the internet**. Lowers a rate limit of `ml/chat` from 300 to 200',
  },
  'says which host is now reachable from the internet, although no replica changes': {
    before: [...open(false), stable, limited(300)],
    after: [...open(true), stable, limited(300)],
    want: /^`a.example.com` becomes \*\*reachable from the internet\*\*. Cost unchanged at \$258,391 a month\.$/,
  },
  'says who decides whether the internet reaches a host of an existing cluster': {
    before: [...open(false, {}, SITE), stable, limited(300)],
    after: [...open(true, {}, SITE), stable, limited(300)],
    want: /^`a.example.com` is declared \*\*reachable from the internet\*\*, and the load balancer of us decides. Cost unchanged\.$/,
  },
  'says nothing of the internet where an existing cluster is no longer declared public': {
    before: [...open(true, {}, SITE), stable, limited(300)],
    after: [...open(false, {}, SITE), stable, limited(200)],
    want: /^Lowers a rate limit of `ml\/chat` from 300 to 200/,
  },
  'says nothing of the internet where it reached only a former host': {
    before: [...open(true), stable, limited(300)],
    after: [...open(false, { hostname: 'b.example.com' }), stable, limited(300)],
    want: /^Changes the host of `ml\/chat` from `a.example.com` to `b.example.com`/,
  },
  'says that a rate limit goes': {
    before: [...base, stable, limited(300)],
    after: [...base, stable, limited()],
    want: 'emoves a rate limit of `ml/chat`. Cost unchanged.',
  },
  'says that all clients together have the limit that each had': {
    before: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Key' })],
    after: [...base, stable, keyed('a', ['a'], { requests: 10, by: 'Service' })],
    want: 'Limits `ml/chat` to 10 requests a minute of **all clients together** instead of 300 of each. Cost unchanged.',
  },
  'says that each client has the limit that all had together': {
    before: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Service' })],
    after: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Key' })],
    want: 'Limits `ml/chat` to 300 requests a minute of each client instead of 300 of all together. Cost unchanged.',
  },
  'says that a rate limit rises': {
    before: [...base, stable, limited(300)],
    after: [...base, stable, limited(600)],
    want: 'aises a rate limit of `ml/chat` from 300 to 600 requests a minute. ',
  },
  'says that keys are read from another Secret': {
    before: [...base, stable, keyed('old')],
    after: [...base, stable, keyed('new')],
    want: 'eads the keys of clients of `ml/chat` from Secret `new` instead of `old`. ',
  },
  'says which clients are new': {
    before: [...base, stable, keyed('a', ['bob'])],
    after: [...base, stable, keyed('a', ['bob', 'carol'])],
    want: 'Lets a new client, `carol`, use `ml/chat`. ',
  },
  'says that a key that is no longer listed still works, because its Secret is still accepted': {
    before: [...base, stable, keyed('a', ['a', 'bob'])],
    after: [...base, stable, keyed('a')],
    want: 'No longer lists the key of `bob` for `ml/chat`, which **still works**. ',
  },
  'counts the services of which the access changes in the same way, and says what the limit is': {
    before: [...base, stable, ...services],
    after: [...limitedBy('Service'), stable, ...services],
    want: 'Limits both services to 60 requests a minute each, of all clients together, at each of 2 gateway proxies. ',
  },
  'says how many requests each client of a service has at the two proxies of a gateway': {
    before: [...base, stable, keyed('a')],
    after: [...limitedBy('Key'), stable, keyed('a')],
    want: 'Limits each client of `ml/chat` to 60 requests a minute, at each of 2 gateway proxies. ',
  },
  'says that a limit is for each service, and counts the proxies of all clusters of a gateway': {
    before: [...pair(), stable, ...withKeys],
    after: [...pair({ rateLimits: [{ requests: 60, per: 'Minute', by: 'Key' }] }), stable, ...withKeys],
    want: 'Limits each client of both services to 60 requests a minute for each service, at each of 4 gateway proxies. ',
  },
  'says that a gateway ends requests, and to how many services': {
    before: [...base, stable, ...services],
    after: [...base.slice(0, 2), aDoor(['us'], { timeouts: { request: '30s' } }), stable, ...services],
    want: 'Ends requests to both services after 30 s (no limit before). ',
  },
  'says after which time requests ended before': {
    before: [...base.slice(0, 2), aDoor(['us'], { timeouts: { request: '2m' } }), stable, services[0] as Resource],
    after: [...base.slice(0, 2), aDoor(['us'], { timeouts: { request: '30s' } }), stable, services[0] as Resource],
    want: 'Ends requests to `ml/a` after 30 s (2 min before). ',
  },
  'says which services a new ingress gateway has, at which host, and whose keys it takes': {
    before: [...base, stable, ...services],
    after: [...base, named('partner', ['us'], PARTNER), stable, ...services],
    want: 'Adds the ingress gateway `partner` on `us`: both services at `partner.example.com`, with keys of `acme`. ',
  },
  'says which model a service announces to clients': {
    before: [...base, stable, aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'a' })],
    after: [...base, stable, aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'b' })],
    want: 'Announces `b` instead of `a` as the model of `ml/chat`. ',
  },
};

test('names no host that a service had before: the gateway that leaves it has another name or cluster', () => {
  const sites = [aClass('h100'), ...['us', 'eu'].map((name) => aSite(name, SITE))];
  const [before, after] = [
    named('old', ['us'], { hostname: 'x.example.com' }),
    named('new', ['eu'], { hostname: 'x.example.com' }),
  ];
  expect(headline([...sites, before, stable, ...services], [...sites, after, stable, ...services])).not.toContain(
    'Adds the ingress gateway',
  );
});

describe('the first sentence', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(headline(before, after)).toEqual(
      typeof want === 'string' ? expect.stringContaining(want) : expect.stringMatching(want),
    );
  });
});

test.each<[string, Doc, RegExp]>([
  [
    'by a public gateway says so once',
    { public: 'insecure' },
    /^Adds the public ingress gateway `default` on `eu`, and adds the cluster `eu`(?!.*ingress gateway)/,
  ],
  ['by none names the gateway', {}, /^Adds the cluster `eu`, and adds the ingress gateway `default` on `eu`/],
])('a new cluster that the internet reaches %s', (_, door, want) => {
  const near = [aClass('h100'), aSite('us', SITE), stable, ...services];
  const far = [...near, aSite('eu', SITE), aDoor(['us', 'eu'], door)];
  expect(headline([...near, aDoor(['us'], door)], far)).toMatch(want);
});

test.each<[string, string[], RegExp]>([
  [
    'one',
    ['eu'],
    /(A|, a)dds a cluster gateway with a public address on `eu`, which admits only ingress gateways \(client/,
  ],
  [
    'two',
    ['ap', 'eu'],
    /(A|, a)dds 2 cluster gateways with public addresses on `ap` and `eu`, which admit only ingress gateways/,
  ],
])('a cluster gateway with a public address admits no clients: %s', (_, clusters, want) => {
  const added = clusters.flatMap((name) => [
    aSite(name, SITE),
    aModel(`ml/${name}`, { on: [name], replicaLabels: { track: 'stable' } }),
  ]);
  const before = [...base, stable, ...services];
  expect(headline(before, [...before, ...added])).toMatch(want);
});
