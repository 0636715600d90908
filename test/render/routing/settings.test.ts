import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { renderClusterRouting } from '../../../src/render/routing/cluster-routing';
import { aCluster, type Doc } from '../../api/build';
import { anEdge, anEdgeBackend, anEgress, anEgressBackend, aRouting, routedOn, specOf } from './build';

const ours = routedOn(aRouting());
const TIMES = { request: 90, idle: 60, connect: 1 };
const TIMEOUT = { tcp: { connectTimeout: '1s' }, http: { requestTimeout: '1m30s', streamIdleTimeout: '1m' } };

/** What the policies of edge and egress say of times. */
function timeoutOf(name: string): unknown {
  const all = routedOn(
    aRouting({
      edges: [anEdge({ backends: [anEdgeBackend({ timeouts: TIMES })] })],
      egresses: [anEgress({ backends: [anEgressBackend({ timeouts: TIMES })] })],
    }),
  );
  return specOf(all, 'BackendTrafficPolicy', name).timeout;
}

/** The Deployment of the proxies of an edge, on a cluster with a tainted pool. */
function proxies(): Doc {
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  const cluster = aCluster('us', { pools: { h100: { nodeCount: 1, taints } } });
  const { gateways } = renderClusterRouting(aRouting(), { cluster, settings: undefined });
  const provider = specOf(gateways as Manifest[], 'EnvoyProxy', 'fleetwright-edge').provider as Doc;
  return (provider['kubernetes'] as Doc)['envoyDeployment'] as Doc;
}

const podOf = (): Doc => proxies()['pod'] as Doc;
const labelSelector = {
  matchLabels: {
    'gateway.envoyproxy.io/owning-gateway-name': 'fleetwright-edge',
    'gateway.envoyproxy.io/owning-gateway-namespace': 'fleetwright-system',
  },
};

/** What a rule of the load balancer of an edge says on a cloud. */
function balancerOn(source: 'AKS' | 'EKS'): unknown {
  const all = routedOn(aRouting({ edges: [anEdge({ source, reach: 'Private' })] }));
  const provider = specOf(all, 'EnvoyProxy', 'fleetwright-edge').provider as { kubernetes: Doc };
  return (provider.kubernetes['envoyService'] as Doc)['annotations'];
}

const cases: Record<string, { got: unknown; want: unknown }> = {
  'clients get ten seconds for their headers': {
    got: specOf(ours, 'ClientTrafficPolicy', 'front-public').timeout,
    want: { http: { requestHeadersReceivedTimeout: '10s' } },
  },
  'a renewed certificate has a new key': {
    got: specOf(ours, 'Certificate', 'edge-tls').privateKey,
    want: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
  },
  'proxies prefer nodes of no pool': {
    got: podOf()['affinity'],
    want: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: { matchExpressions: [{ key: 'fleetwright.dev/pool', operator: 'DoesNotExist' }] },
          },
        ],
      },
    },
  },
  'proxies start where there are pools alone': {
    got: podOf()['tolerations'],
    want: [
      { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
    ],
  },
  'proxies have room for the bodies that they hold': {
    got: proxies()['container'],
    want: { resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '4Gi' } } },
  },
  'proxies stand apart': {
    got: podOf()['topologySpreadConstraints'],
    want: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => {
      return { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector };
    }),
  },
  'a private edge is not on the internet: AKS': {
    got: balancerOn('AKS'),
    want: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
  },
  'a private edge is not on the internet: EKS': {
    got: balancerOn('EKS'),
    want: {
      'service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout': '4000',
      'service.beta.kubernetes.io/aws-load-balancer-internal': 'true',
    },
  },
  'an edge is as patient as its backend says': { got: timeoutOf('chat-0-llama'), want: TIMEOUT },
  'an egress is as patient as its endpoint says': { got: timeoutOf('chat-1-openai'), want: TIMEOUT },
  'a provider does not learn the host of the fleet': {
    got: specOf(ours, 'HTTPRouteFilter', 'chat-1-openai-7870b-host'),
    want: { urlRewrite: { appendXForwardedHost: false, hostname: { type: 'Backend' } } },
  },
  'the bounds that Envoy has by itself hold neither at a front nor at an egress': {
    got: ['chat-public', 'chat-1-openai'].map((name) => specOf(ours, 'BackendTrafficPolicy', name).circuitBreaker),
    want: Array.from({ length: 2 }, () => ({
      maxConnections: 1_000_000,
      maxPendingRequests: 1_000_000,
      maxParallelRequests: 1_000_000,
    })),
  },
  'routes come behind what guards them': {
    got: new Set(
      ours
        .filter(({ kind }) => kind === 'HTTPRoute')
        .map(({ metadata }) => metadata.annotations?.['argocd.argoproj.io/sync-wave']),
    ),
    want: new Set(['10000']),
  },
  'objects of another namespace are granted': {
    got: routedOn(
      aRouting({
        edges: [anEdge({ backends: [anEdgeBackend({ deployment: { namespace: 'team-b', name: 'llama' } })] })],
      }),
    )
      .filter(({ kind }) => kind === 'ReferenceGrant')
      .map(({ metadata, spec }) => [metadata.namespace, spec]),
    want: [
      [
        'team-b',
        {
          from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'team-a' }],
          to: [{ group: '', kind: 'Service', name: 'llama-1' }],
        },
      ],
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
