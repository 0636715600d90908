import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { EdgeBackend, EgressBackend } from '../../../src/routing/gateway-types';
import type { Doc } from '../../api/build';
import { anEdge, anEdgeBackend, anEgress, anEgressBackend, aRouting, CHECK, routedOn, specOf } from './build';

/** What stands at the edge for a backend. */
function atEdge(more: Partial<EdgeBackend> = {}): Manifest[] {
  return routedOn(aRouting({ edges: [anEdge({ backends: [anEdgeBackend(more)] })] }));
}

/** What stands at the egress for an endpoint. */
function atEgress(more: Partial<EgressBackend> = {}): Manifest[] {
  return routedOn(aRouting({ egresses: [anEgress({ backends: [anEgressBackend(more)] })] }));
}

const edgeRoute = (more: Partial<EdgeBackend> = {}): Doc => specOf(atEdge(more), 'HTTPRoute', 'chat-0-llama');
const edgePolicy = (more: Partial<EdgeBackend> = {}): Doc =>
  specOf(atEdge(more), 'BackendTrafficPolicy', 'chat-0-llama');
const { enginePath: _path, health: _health, ...unasked } = anEdgeBackend();

const replica = {
  replica: 1,
  target: {
    service: 'llama-r1',
    port: 8000,
    containerPort: 8000,
    selector: { 'fleetwright.dev/replica-index': '1' },
  },
};

describe('an edge', () => {
  const toService = { group: '', kind: 'Service', name: 'llama-1', port: 8000 };
  const routeWithout = specOf(
    routedOn(aRouting({ edges: [anEdge({ backends: [unasked] })] })),
    'HTTPRoute',
    'chat-0-llama',
  );
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'has a route for the Host of each deployment, asked at its own path': {
      got: edgeRoute(),
      want: {
        parentRefs: [
          {
            group: 'gateway.networking.k8s.io',
            kind: 'Gateway',
            name: 'fleetwright-edge',
            namespace: 'fleetwright-system',
          },
        ],
        hostnames: ['0.llama.chat.team-a.us.fleetwright.internal'],
        rules: [
          {
            matches: [{ path: { type: 'Exact', value: '/team-a/chat/-/ready' } }],
            filters: [
              {
                type: 'URLRewrite',
                urlRewrite: { path: { type: 'ReplaceFullPath', replaceFullPath: '/health' } },
              },
            ],
            backendRefs: [toService],
          },
          {
            matches: [{ path: { type: 'PathPrefix', value: '/team-a/chat/' } }],
            filters: [
              {
                type: 'URLRewrite',
                urlRewrite: { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } },
              },
            ],
            backendRefs: [toService],
          },
        ],
      },
    },
    'names the namespace of a deployment elsewhere': {
      got: (edgeRoute({ deployment: { namespace: 'team-b', name: 'llama' } }).rules as Doc[])[1]!['backendRefs'],
      want: [{ ...toService, namespace: 'team-b' }],
    },
    'says itself that it is ready where no one can ask an engine': {
      got: JSON.stringify((routeWithout.rules as Doc[])[0]).includes('ExtensionRef'),
      want: true,
    },
    'asks engines as their deployment says': {
      got: (edgePolicy({ health: { ...CHECK, interval: 3, expectedStatuses: [200, 204] } }).healthCheck as Doc)[
        'active'
      ],
      want: {
        type: 'HTTP',
        interval: '3s',
        timeout: '5s',
        healthyThreshold: 1,
        unhealthyThreshold: 3,
        http: { path: '/health', expectedStatuses: [200, 204] },
      },
    },
    'asks at another port where health is there': {
      got: ((edgePolicy({ health: { ...CHECK, port: 9000 } }).healthCheck as Doc)['active'] as Doc)['overrides'],
      want: { port: 9000 },
    },
    'sends again only what reached no engine': {
      got: edgePolicy().retry,
      want: { numRetries: 1, retryOn: { triggers: ['connect-failure'] } },
    },
    'sends no pod more than it takes, however few are left': {
      got: edgePolicy().circuitBreaker,
      want: {
        maxConnections: 1_000_000,
        maxPendingRequests: 128,
        maxParallelRequests: 1_000_000,
        perEndpoint: { maxConnections: 128 },
        // What a thread of the proxy keeps idle would count against the others.
        maxRequestsPerConnection: 1,
      },
    },
    'refuses what is too much so that no front puts it out for that': {
      got: (edgePolicy().responseOverride as Doc[]).map(({ match, source, response }) => [
        match,
        source,
        (response as Doc)['statusCode'],
      ]),
      want: [[{ statusCodes: [{ type: 'Value', value: 503 }] }, 'Local', 429]],
    },
    'keeps sessions on their pod': {
      got: (edgePolicy({ picker: { kind: 'ConsistentHash', header: 'x-session' } }).loadBalancer as Doc)['type'],
      want: 'ConsistentHash',
    },
    'makes no Service for a whole deployment': {
      got: atEdge().filter(({ kind }) => kind === 'Service'),
      want: [],
    },
    'makes one for a single replica': {
      got: specOf(atEdge(replica), 'Service', 'llama-r1'),
      want: {
        type: 'ClusterIP',
        selector: { 'fleetwright.dev/replica-index': '1' },
        ports: [{ name: 'http', port: 8000, targetPort: 'http' }],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('an egress', () => {
  const call = (more: Partial<EgressBackend> = {}): Doc =>
    (specOf(atEgress(more), 'HTTPRoute', 'chat-1-openai').rules as Doc[])[1]!;
  const named = { namespace: 'team-b', name: 'key', key: 'credential' };
  const { model: _model, credential: _credential, ...bare } = anEgressBackend();
  const plain = routedOn(aRouting({ egresses: [anEgress({ backends: [bare] })] }));
  const plainCall = (specOf(plain, 'HTTPRoute', 'chat-1-openai').rules as Doc[])[1]!;
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'calls the provider only with what may name a model': {
      got: call().matches,
      want: [{ path: { type: 'PathPrefix', value: '/team-a/chat/v1' }, method: 'POST' }],
    },
    'calls it with anything where the name stays': {
      got: plainCall.matches,
      want: [{ path: { type: 'PathPrefix', value: '/team-a/chat/v1' } }],
    },
    'reports the provider nothing of the fleet, and never takes off what it put on': {
      got: (call().filters as { requestHeaderModifier?: Doc }[]).flatMap(
        (filter) => filter.requestHeaderModifier?.['remove'] ?? [],
      ),
      want: [
        'x-envoy-external-address',
        'x-fleetwright-client',
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
        'x-request-id',
      ],
    },
    'asks for the provider by its name, with a certificate of it': {
      got: specOf(atEgress(), 'BackendTLSPolicy', 'chat-1-openai-7').validation,
      want: { hostname: 'api.openai.com', wellKnownCACertificates: 'System' },
    },
    'trusts an authority of the endpoint': {
      got: specOf(atEgress({ tls: { serverName: 'gpu.lan', ca: 'lan' } }), 'BackendTLSPolicy', 'chat-1-openai-7')
        .validation,
      want: { hostname: 'gpu.lan', caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'lan' }] },
    },
    'puts the credential into its header': {
      got: specOf(
        atEgress({ credential: { header: 'x-api-key', secret: named } }),
        'HTTPRouteFilter',
        'chat-1-openai-7870b-key',
      ),
      want: {
        credentialInjection: {
          overwrite: true,
          header: 'x-api-key',
          credential: { valueRef: { group: '', kind: 'Secret', name: 'key', namespace: 'team-b' } },
        },
      },
    },
    'leaves the Host of an address as it is': {
      got: atEgress({ host: '192.0.2.1', isAddress: true }).filter(
        ({ spec }) => spec?.['urlRewrite'] && !isFront(spec),
      ),
      want: [],
    },
    'takes out some of the addresses of a provider, and never its only one': {
      got: specOf(atEgress(), 'BackendTrafficPolicy', 'chat-1-openai').healthCheck,
      want: {
        passive: {
          consecutive5XxErrors: 5,
          consecutiveGatewayErrors: 5,
          interval: '2s',
          baseEjectionTime: '10s',
          maxEjectionPercent: 50,
        },
      },
    },
    'holds bodies whole, so that a script sees them': {
      got: specOf(atEgress(), 'BackendTrafficPolicy', 'chat-1-openai').requestBuffer,
      want: { limit: '32Mi' },
    },
    'has the script write the name as JSON': {
      got: (specOf(atEgress({ model: 'a"b' }), 'EnvoyExtensionPolicy', 'chat-1-openai').lua as Doc[])[0]![
        'filterContext'
      ],
      want: { model: '"a\\"b"' },
    },
    'has no script where the name stays': {
      got: plain.filter(({ kind }) => kind === 'EnvoyExtensionPolicy' || kind === 'ConfigMap'),
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

/** Fronts send each member its Host, and keep that of the client. */
function isFront(spec: Doc): boolean {
  return (spec['urlRewrite'] as Doc)['appendXForwardedHost'] === undefined;
}
