import type { Doc } from '../../api/build';
import { aFront, anEdge, aRouting, routedOn, routingOn, specOf } from './build';

const gateway = (name: string): Doc => specOf(routedOn(aRouting()), 'Gateway', name);
const proxy = (name: string, routing = aRouting()): Doc => specOf(routedOn(routing), 'EnvoyProxy', name);
const clients = (name: string): Doc => specOf(routedOn(aRouting()), 'ClientTrafficPolicy', name);
const kubernetes = (spec: Doc): Doc => (spec['provider'] as { kubernetes: Doc }).kubernetes;

const service = (name: string, routing = aRouting()): unknown => kubernetes(proxy(name, routing))['envoyService'];

const ingress = (name: string): unknown => specOf(routedOn(aRouting()), 'NetworkPolicy', name).ingress;

const names = (routing = aRouting()): string[] =>
  routedOn(routing).flatMap(({ kind, metadata }) => (kind === 'Certificate' ? [metadata.name] : []));

describe('a Gateway', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'of a front ends TLS for its host name': {
      got: gateway('front-public').listeners,
      want: [
        {
          name: 'https',
          protocol: 'HTTPS',
          port: 443,
          tls: { mode: 'Terminate', certificateRefs: [{ group: '', kind: 'Secret', name: 'front-tls' }] },
          hostname: 'models.example.com',
          allowedRoutes: { namespaces: { from: 'All' } },
        },
      ],
    },
    'of a front without a certificate speaks HTTP': {
      got: specOf(routedOn(withoutTls()), 'Gateway', 'front-public').listeners,
      want: [{ name: 'http', protocol: 'HTTP', port: 80, allowedRoutes: { namespaces: { from: 'All' } } }],
    },
    'of an edge takes every Host: fronts send names that are in no DNS': {
      got: (gateway('fleetwright-edge').listeners as Doc[]).map(({ hostname }) => hostname),
      want: [undefined],
    },
    'has proxies of its own': {
      got: gateway('fleetwright-egress').infrastructure,
      want: {
        parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'fleetwright-egress' },
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

function withoutTls() {
  const { tls: _, hostname: __, ...plain } = aFront();
  return aRouting({ fronts: [plain] });
}

describe('proxies', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'of an egress are reached within the cluster only': {
      got: service('fleetwright-egress'),
      want: { name: 'fleetwright-egress', type: 'ClusterIP' },
    },
    'have a Service that fronts know by name': {
      got: service('fleetwright-edge'),
      want: { name: 'fleetwright-edge', type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' },
    },
    'of a private edge have an internal load balancer': {
      got: service('fleetwright-edge', aRouting({ edges: [anEdge({ reach: 'Private' })] })),
      want: {
        name: 'fleetwright-edge',
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Cluster',
        annotations: { 'networking.gke.io/load-balancer-type': 'Internal' },
      },
    },
    'on EKS have a load balancer that waits for slow answers': {
      got: (service('fleetwright-edge', aRouting({ edges: [anEdge({ source: 'EKS' })] })) as Doc).annotations,
      want: { 'service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout': '4000' },
    },
    'are two, of which one may leave': {
      got: [
        (kubernetes(proxy('fleetwright-edge'))['envoyDeployment'] as Doc).replicas,
        kubernetes(proxy('fleetwright-edge'))['envoyPDB'],
      ],
      want: [2, { minAvailable: 1 }],
    },
    'of a front show a certificate to members': {
      got: proxy('front-public')['backendTLS'],
      want: { clientCertificateRef: { kind: 'Secret', name: 'client-tls' } },
    },
    'of an edge show none to engines': { got: proxy('fleetwright-edge')['backendTLS'], want: undefined },
    'ask idle members as often as others': {
      got: proxy('front-public', aRouting({ fronts: [aFront({ idleCheckInterval: 2.5 })] }))['bootstrap'],
      want: {
        type: 'Merge',
        value:
          'layered_runtime:\n  layers:\n  - name: fleetwright\n    static_layer:\n      health_check: { max_interval: 2500 }\n',
      },
    },
    'of an egress ask no one': { got: proxy('fleetwright-egress')['bootstrap'], want: undefined },
    'end streams before they go': {
      got: proxy('fleetwright-edge')['shutdown'],
      want: { drainTimeout: '600s', minDrainDuration: '15s' },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('clients', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'of an edge show the certificate of a front': {
      got: clients('fleetwright-edge').tls,
      want: {
        minVersion: '1.2',
        clientValidation: {
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'fleetwright-ca' }],
          subjectAltNames: { dnsNames: [{ type: 'Exact', value: 'front.us.fleetwright.internal' }] },
        },
      },
    },
    'of an egress lose what proves who they are, before a credential is put on': {
      got: clients('fleetwright-egress').headers,
      want: {
        earlyRequestHeaders: {
          remove: ['api-key', 'authorization', 'cookie', 'x-api-key', 'x-goog-api-key'],
        },
      },
    },
    'of a front cannot write what gateways write': {
      got: clients('front-public').headers,
      want: { earlyRequestHeaders: { remove: ['x-fleetwright-client', 'x-fleetwright-model'] } },
    },
    'of a front have no certificate of ours': {
      got: clients('front-public').tls,
      want: { minVersion: '1.2' },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('the network', () => {
  const metrics = { ports: [{ protocol: 'TCP', port: 19_001 }] };
  const pods = {
    'gateway.envoyproxy.io/owning-gateway-name': 'front-public-1',
    'gateway.envoyproxy.io/owning-gateway-namespace': 'fleetwright-system',
  };
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'lets no one but fronts reach an egress': {
      got: ingress('fleetwright-egress'),
      want: [{ from: [{ podSelector: { matchLabels: pods } }], ports: [{ protocol: 'TCP', port: 10_443 }] }, metrics],
    },
    'lets all callers reach a front': {
      got: ingress('front-public'),
      want: [{ ports: [{ protocol: 'TCP', port: 10_443 }] }, metrics],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('certificates', () => {
  test('are made where an issuer is named', () => {
    expect(names()).toEqual(['client-tls', 'edge-tls', 'egress-tls', 'front-tls']);
  });

  test('are the users where none is', () => {
    const tls = { secret: 'own', dnsNames: ['edge.us.example.com'] };
    expect(names(aRouting({ edges: [anEdge({ tls })] }))).not.toContain('own');
  });

  test.each([
    ['client-tls', 'client auth', 'front.us.fleetwright.internal'],
    ['edge-tls', 'server auth', 'edge.us.example.com'],
  ])('%s is for %s under its name', (name, use, dnsName) => {
    expect(specOf(routedOn(aRouting()), 'Certificate', name)).toMatchObject({
      secretName: name,
      dnsNames: [dnsName],
      usages: ['digital signature', 'key encipherment', use],
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'fleet' },
    });
  });
});

test('a cluster that routes nothing has no Gateway, and no class of them', () => {
  expect(routingOn(aRouting(), 'other')).toEqual({ gateways: [], services: [] });
});

test('a cluster has one class for all its Gateways', () => {
  expect(routedOn(aRouting()).filter(({ kind }) => kind === 'GatewayClass')).toHaveLength(1);
});
