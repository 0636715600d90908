import type { Front } from '../../src/routing/gateway-types';
import type { ServiceListener } from '../../src/routing/routing';
import { aDoor, aModel, aSite, aSplit, routed, to } from './build';

const east = aSite('east');
const west = aSite('west');
const model = aModel('ml/llama', { replicaLabels: { app: 'chat' } });
const chat = aSplit('ml/chat', [to({ app: 'chat' })]);

describe('a front', () => {
  const cases: Record<string, { door: object; want: Partial<Front> }> = {
    'is public where the gateway says so': {
      door: { hostname: 'models.example.com', public: 'insecure', maxRequestBody: '1Mi' },
      want: { reach: 'Public', address: 'models.example.com', maxRequestBody: 1_048_576, gateway: 'default' },
    },
    'with a host name is there for joined networks': {
      door: { hostname: 'models.example.com' },
      want: { reach: 'Private', hostname: 'models.example.com' },
    },
    'without a host name is there for its cluster': {
      door: {},
      want: { reach: 'Cluster', address: 'front-default-7b3a0.fleetwright-system.svc.cluster.local' },
    },
    'shows edges a certificate that the issuer of its cluster makes': {
      door: {},
      want: {
        client: {
          secret: 'fleetwright-front-client',
          dnsNames: ['front.east.fleetwright.internal'],
          issuer: { name: 'fleet', kind: 'ClusterIssuer' },
        },
        ca: 'fleet-ca',
      },
    },
    'has the certificate that its gateway names': {
      door: { hostname: 'models.example.com', tls: { certificateRef: { name: 'models' } } },
      want: { tls: { secret: 'models', dnsNames: ['models.example.com'] } },
    },
    'asks its issuer for a certificate': {
      door: { hostname: 'models.example.com', tls: { issuer: { name: 'public', kind: 'Issuer' } } },
      want: {
        tls: {
          secret: 'front-default-7b3a0-tls',
          dnsNames: ['models.example.com'],
          issuer: { name: 'public', kind: 'Issuer' },
        },
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { door, want }) => {
    const { fronts } = routed(east, model, chat, aDoor(['east'], door as never));
    expect(fronts).toEqual([expect.objectContaining(want)]);
  });

  test('is on the only cluster where its gateway names none', () => {
    expect(routed(east, model, chat, aDoor([])).fronts.map(({ cluster }) => cluster)).toEqual(['east']);
  });

  test('is on each cluster that its gateway names, with the same routes', () => {
    const { fronts, services } = routed(east, west, model, chat, aDoor(['west', 'east']));
    expect(fronts.map(({ cluster }) => cluster)).toEqual(['east', 'west']);
    expect(services[0]?.gateways.map(({ cluster }) => cluster)).toEqual(['east', 'west']);
  });
});

describe('a service on a front', () => {
  const keys = { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' } }] };
  const jwt = { issuer: 'house', jwksUri: 'https://house.example.com/keys' };
  const cases: Record<string, { door?: object; service?: object; want: Partial<ServiceListener> }> = {
    'has an address of its own': {
      door: { hostname: 'models.example.com' },
      want: { url: 'http://models.example.com/ml/chat/' },
    },
    'has an address with TLS where the gateway has it': {
      door: { hostname: 'models.example.com', tls: { certificateRef: { name: 'models' } } },
      want: { url: 'https://models.example.com/ml/chat/' },
    },
    'asks for nothing by default': { want: { auth: { kind: 'None' }, rateLimits: [] } },
    'asks for the keys of the gateway': {
      door: { auth: keys },
      want: {
        auth: {
          kind: 'ApiKeys',
          keys: [{ name: 'alice', secret: { namespace: 'fleetwright-system', name: 'keys', key: 'alice' } }],
        },
      },
    },
    'asks for its own keys instead of those of the gateway': {
      door: { auth: { jwt } },
      service: { auth: keys },
      want: {
        auth: {
          kind: 'ApiKeys',
          keys: [{ name: 'alice', secret: { namespace: 'ml', name: 'keys', key: 'alice' } }],
        },
      },
    },
    'asks for nothing where it says None': {
      door: { auth: keys },
      service: { auth: 'None' },
      want: { auth: { kind: 'None' } },
    },
    'asks for tokens': {
      door: { auth: { jwt } },
      want: { auth: { kind: 'Jwt', ...jwt, audiences: [], clientClaim: 'sub' } },
    },
    'has the limits of the gateway': {
      door: { auth: keys, rateLimits: [{ requests: 5 }] },
      want: { rateLimits: [{ requests: 5, per: 'Minute', by: 'Key' }] },
    },
    'has its own limits instead': {
      door: { auth: keys, rateLimits: [{ requests: 5 }] },
      service: { rateLimits: [] },
      want: { rateLimits: [] },
    },
    'counts all callers together where no one is distinguished': {
      service: { rateLimits: [{ requests: 5, per: 'Hour', by: 'Key' }] },
      want: { rateLimits: [{ requests: 5, per: 'Hour', by: 'Service' }] },
    },
    'takes times field by field, its own first': {
      door: { timeouts: { idle: '10m', request: '2h' } },
      service: { timeouts: { idle: '20m' } },
      want: { timeouts: { idle: 1200, request: 7200, connect: 5 } },
    },
    'waits for long answers by default': { want: { timeouts: { idle: 3600, connect: 5 } } },
  };
  test.each(Object.entries(cases))('%s', (_, { door = {}, service = {}, want }) => {
    const resources = [east, model, aSplit('ml/chat', [to({ app: 'chat' })], service as never)];
    const [only] = routed(...resources, aDoor(['east'], door as never)).services;
    expect(only?.gateways[0]).toMatchObject(want);
    expect(Object.keys(only?.gateways[0]?.timeouts ?? {})).toEqual(
      expect.arrayContaining(Object.keys(want.timeouts ?? {})),
    );
  });
});
