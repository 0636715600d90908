import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const base = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 4 } } }), aDoor(['us'])];
const stable = aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } });
const services = ['ml/a', 'ml/b'].map((id) => aSplit(id, [to({ track: 'stable' })]));
const limitedBy = (by: 'Service' | 'Key') => [
  ...base.slice(0, 2),
  aDoor(['us'], { rateLimits: [{ requests: 60, per: 'Minute', by }] }),
];
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

const open = (isOpen: boolean, spec: object = {}) => [
  ...base.slice(0, 2),
  aDoor(['us'], {
    hostname: 'a.example.com',
    tls: { issuer: { name: 'x' } },
    ...(isOpen && { public: 'insecure' }),
    ...spec,
  }),
];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string | RegExp }> = {
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
    want: /^`a.example.com` becomes \*\*reachable from the internet\*\*; cost unchanged\.$/,
  },
  'says nothing of the internet where it reached only a former host': {
    before: [...open(true), stable, limited(300)],
    after: [...open(false, { hostname: 'b.example.com' }), stable, limited(300)],
    want: /^Changes the host of `ml\/chat` from `a.example.com` to `b.example.com`/,
  },
  'says that a rate limit goes': {
    before: [...base, stable, limited(300)],
    after: [...base, stable, limited()],
    want: 'emoves a rate limit of `ml/chat`; cost unchanged.',
  },
  'says that all clients together have the limit that each had': {
    before: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Key' })],
    after: [...base, stable, keyed('a', ['a'], { requests: 10, by: 'Service' })],
    want: 'Limits `ml/chat` to 10 requests a minute of **all clients together** instead of 300 of each; cost unchanged.',
  },
  'says that each client has the limit that all had together': {
    before: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Service' })],
    after: [...base, stable, keyed('a', ['a'], { requests: 300, by: 'Key' })],
    want: 'Limits `ml/chat` to 300 requests a minute of each client instead of 300 of all together; cost unchanged.',
  },
  'says that a rate limit rises': {
    before: [...base, stable, limited(300)],
    after: [...base, stable, limited(600)],
    want: 'aises a rate limit of `ml/chat` from 300 to 600 requests a minute; ',
  },
  'says that keys are read from another Secret': {
    before: [...base, stable, keyed('old')],
    after: [...base, stable, keyed('new')],
    want: 'eads the keys of clients of `ml/chat` from Secret `new` instead of `old`; ',
  },
  'says that a key that is no longer listed still works, because its Secret is still accepted': {
    before: [...base, stable, keyed('a', ['a', 'bob'])],
    after: [...base, stable, keyed('a')],
    want: 'No longer lists the key of bob for `ml/chat`, which **still works**; ',
  },
  'counts the services of which the access changes in the same way, and says what the limit is': {
    before: [...base, stable, ...services],
    after: [...limitedBy('Service'), stable, ...services],
    want: 'Limits both services to 60 requests a minute each, of all clients together; ',
  },
  'says how many requests each client of a service has': {
    before: [...base, stable, keyed('a')],
    after: [...limitedBy('Key'), stable, keyed('a')],
    want: 'Limits each client of `ml/chat` to 60 requests a minute; ',
  },
};

describe('the first sentence', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(headline(before, after)).toEqual(
      typeof want === 'string' ? expect.stringContaining(want) : expect.stringMatching(want),
    );
  });
});
