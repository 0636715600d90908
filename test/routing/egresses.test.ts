import type { Resource } from '../../src/api/kinds';
import type { Egress, EgressBackend } from '../../src/routing/gateway-types';
import { anEndpoint } from '../api/build';
import { aDoor, aSite, aSplit, routed, TLS, to } from './build';

const east = aSite('east');
const west = aSite('west');

describe('an egress', () => {
  const cases: Record<string, { endpoint: object; want: Partial<EgressBackend> }> = {
    'knows the address of a provider, and how it takes credentials': {
      endpoint: { url: undefined, provider: 'Anthropic', credential: { secretRef: { name: 'key' } } },
      want: {
        hostname: '0.saas.chat.ml.egress.fleetwright.internal',
        host: 'api.anthropic.com',
        isAddress: false,
        port: 443,
        tls: { serverName: 'api.anthropic.com' },
        rewrite: { from: '/ml/chat/v1', to: '/v1' },
        credential: { header: 'x-api-key', secret: { namespace: 'ml', name: 'key', key: 'credential' } },
      },
    },
    'sends a bearer token by default': {
      endpoint: { credential: { secretRef: { name: 'key' } } },
      want: {
        credential: {
          header: 'authorization',
          scheme: 'Bearer',
          secret: { namespace: 'ml', name: 'key', key: 'credential' },
        },
      },
    },
    'sends a credential in a header of its own without a scheme': {
      endpoint: { provider: 'OpenAI', credential: { secretRef: { name: 'key' }, header: 'Api-Key' } },
      want: {
        credential: { header: 'api-key', secret: { namespace: 'ml', name: 'key', key: 'credential' } },
      },
    },
    'puts the path of an address in the place of v1': {
      endpoint: { url: 'https://api.example.com:8443/openai/v1/' },
      want: { port: 8443, rewrite: { from: '/ml/chat/v1', to: '/openai/v1' } },
    },
    'takes off the path of the service where an address has none': {
      endpoint: { url: 'http://10.0.0.1', private: true },
      want: { host: '10.0.0.1', isAddress: true, private: true, port: 80, rewrite: { from: '/ml/chat', to: '/' } },
    },
    'rewrites the whole path where the endpoint says so, under the alias without a slash too': {
      endpoint: { url: 'https://api.example.com/v1', rewritePath: 'openai/', group: 'modelplane.ai' },
      want: { rewrite: { from: '/ml/chat', to: '/openai' } },
    },
    'takes an IPv6 address': {
      endpoint: { url: 'https://[fd00::1]:443/', private: true, tls: { caRef: { name: 'house' } } },
      want: { host: 'fd00::1', isAddress: true, port: 443, tls: { serverName: 'fd00::1', ca: 'house' } },
    },
    'knows the Service of a service of KServe on its cluster': {
      endpoint: { url: undefined, inside: { cluster: 'east', llmInferenceService: 'chat' } },
      want: {
        host: 'chat-kserve-workload-svc.ml.svc.cluster.local',
        isAddress: false,
        private: true,
        port: 8000,
        rewrite: { from: '/ml/chat/v1', to: '/v1' },
      },
    },
    'replaces the name of the model': { endpoint: { model: { as: 'gpt-5' } }, want: { model: 'gpt-5' } },
    'waits as the endpoint says, then as the service': {
      endpoint: { timeouts: { request: '1m' } },
      want: { timeouts: { request: 60, idle: 1800, connect: 5 } },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { endpoint, want }) => {
    const saas = anEndpoint('ml/saas', { labels: { app: 'saas' }, ...endpoint });
    const service = aSplit('ml/chat', [to({ app: 'saas' })], { timeouts: { idle: '30m' } });
    const { egresses } = routed(east, saas, service, aDoor(['east']));
    expect(egresses[0]?.backends).toEqual([expect.objectContaining(want)]);
  });

  test('is next to each front, and lets only that one in', () => {
    const saas = anEndpoint('ml/saas', { labels: { app: 'saas' } });
    const resources: Resource[] = [east, west, saas, aSplit('ml/chat', [to({ app: 'saas' })])];
    const { egresses, edges } = routed(...resources, aDoor(['east', 'west']));
    expect(egresses).toEqual([expect.objectContaining(egressOn('east')), expect.objectContaining(egressOn('west'))]);
    expect(edges).toEqual([]);
  });
});

function egressOn(name: string): Partial<Egress> {
  return {
    cluster: name,
    serverName: 'fleetwright-egress.fleetwright-system.svc.cluster.local',
    clientNames: [`front.${name}.fleetwright.internal`],
    tls: {
      secret: 'fleetwright-egress-tls',
      dnsNames: ['fleetwright-egress.fleetwright-system.svc.cluster.local'],
      issuer: { name: TLS.issuer.name, kind: 'ClusterIssuer' },
    },
  };
}
