import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { aGrant, anEndpoint, type Doc, parsed } from '../api/build';
import { aModel, anAdapter, aSite, aSplit, H100, to, withAdapters } from './build';

const NAMESPACES = ['team-a', 'team-b'];
const CLUSTERS = ['east', 'west', 'north'];

const model = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom('one', 'two', 'three'),
  replicas: fc.integer({ min: 1, max: 3 }),
  app: fc.constantFrom('a', 'b'),
  adapter: fc.boolean(),
  healthCheck: fc.constantFrom({}, { enabled: false }, { interval: '3s', unhealthyThreshold: 2 }),
});

const entry = fc
  .record({
    labels: fc.constantFrom({ app: 'a' }, { app: 'b' }, { app: 'rented' }, { 'fleetwright.dev/replica-index': '0' }),
    weight: fc.integer({ min: 1, max: 9 }),
    tier: fc.constantFrom(0, 0, 1),
    header: fc.constantFrom(undefined, undefined, 'yes'),
  })
  .map(({ labels, header, ...more }) =>
    to(labels as Record<string, string>, {
      ...more,
      ...(header && { match: { headers: { 'x-canary': header } } }),
    }),
  );

const KEYS = { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' } }] };
const TOKENS = { jwt: { issuer: 'https://id.example.com', jwksUri: 'https://id.example.com/keys' } };

const service = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom('chat', 'code'),
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
  spec: fc.constantFrom<Doc>(
    {},
    { auth: KEYS, rateLimits: [{ requests: 9, by: 'Key' }] },
    { auth: TOKENS, timeouts: { request: '90s', idle: '1m' } },
    { sessionAffinity: { header: 'x-session' }, rateLimits: [{ requests: 5, per: 'Second', by: 'Service' }] },
    { servedModelName: 'llama', webSocket: true },
  ),
});

const endpoint = fc.constantFrom<Doc>(
  { provider: 'OpenAI', credential: { secretRef: { name: 'openai' } }, model: { as: 'gpt-4o-mini' } },
  { url: 'https://gpu.example.com:8443/llm', tls: { caRef: { name: 'lan' } } },
  { url: 'http://gpu.example.com', rewritePath: '/' },
);

const gateway = fc.record({
  clusters: fc.uniqueArray(fc.constantFrom(...CLUSTERS), { minLength: 1, maxLength: 2 }),
  auth: fc.constantFrom<Doc>(KEYS, TOKENS),
});

/** Fleets of three clusters with services of two namespaces over whatever there is, each with a key or a token. */
export const routedFleet: fc.Arbitrary<Resource[]> = fc
  .record({
    models: fc.uniqueArray(model, {
      selector: ({ namespace, name }) => `${namespace}/${name}`,
      minLength: 1,
    }),
    services: fc.uniqueArray(service, {
      selector: ({ namespace, name }) => `${namespace}/${name}`,
      minLength: 1,
    }),
    endpoints: fc.array(endpoint, { maxLength: 2 }),
    gateways: fc.array(gateway, { minLength: 1, maxLength: 2 }),
    granted: fc.boolean(),
  })
  .map(({ models, services, endpoints, gateways, granted }) => [
    H100,
    ...CLUSTERS.map((name) => aSite(name, { namespaces: 'Managed' })),
    anAdapter('sql'),
    ...NAMESPACES.map((namespace) => ({
      ...anAdapter('sql'),
      metadata: { ...anAdapter('sql').metadata, namespace },
    })),
    ...models.map(({ namespace, name, replicas, app, adapter, healthCheck }) =>
      aModel(`${namespace}/${name}`, {
        replicas,
        replicaLabels: { app },
        healthCheck,
        ...(adapter && withAdapters('sql')),
      } as Doc),
    ),
    ...endpoints.map((spec, i) => anEndpoint(`team-b/e${i}`, { labels: { app: 'rented' }, ...spec })),
    ...(granted && models.some(({ namespace }) => namespace === 'team-b')
      ? [aGrant('team-b/models', 'team-a', { kind: 'ModelDeployment' })]
      : []),
    ...(granted && endpoints.length > 0 ? [aGrant('team-b/endpoints', 'team-a', { kind: 'ModelEndpoint' })] : []),
    ...services.map(({ namespace, name, entries, spec }) => aSplit(`${namespace}/${name}`, entries, spec)),
    ...gateways.map(({ clusters, auth }, i) =>
      parsed('InferenceGateway', `g${i}`, {
        clusters,
        hostname: `models${i}.example.com`,
        public: true,
        tls: { issuer: { name: 'public' } },
        auth,
      }),
    ),
  ]);
