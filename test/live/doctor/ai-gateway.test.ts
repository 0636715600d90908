import { amiss, ENVOY_ON, listing } from './build';

const ASKING = listing({
  ...ENVOY_ON,
  data: {
    'envoy-gateway.yaml': `${ENVOY_ON.data['envoy-gateway.yaml']}extensionManager:
  service:
    fqdn: { hostname: ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local, port: 1063 }
`,
  },
});

const TAKING = listing({
  ...ENVOY_ON,
  data: {
    'envoy-gateway.yaml': `${ENVOY_ON.data['envoy-gateway.yaml']}extensionManager:
  backendResources: [{ group: inference.networking.k8s.io, kind: InferencePool, version: v1 }]
  service:
    fqdn: { hostname: ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local, port: 1063 }
`,
  },
});

const aiGateway = { install: true };
const inferenceCrds = { install: true };

const GATEWAY = {
  hostname: 'a.example.com',
  tls: { certificateRef: { name: 'edge' }, clientCertificateRef: { name: 'front' }, caRef: { name: 'ca' } },
};

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: string[] }> = {
  'the AI gateway is to be asked, and Envoy Gateway of another owner does not': {
    of: { declared: { cluster: { servingStack: { aiGateway } } } },
    want: [
      'failure gateway-controller: Envoy Gateway does not ask the AI gateway. Set config.envoyGateway.extensionManager of its chart, with the service ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local: AIGatewayRoutes do nothing without it',
    ],
  },
  'the AI gateway is asked': {
    of: { declared: { cluster: { servingStack: { aiGateway } } }, lists: { gatewayConfig: ASKING } },
    want: [],
  },
  'its kinds are left to another owner, who did not install them': {
    of: {
      declared: { cluster: { servingStack: { aiGateway, aiGatewayCrds: { install: false } } } },
      lists: { gatewayConfig: ASKING },
      unserved: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'],
    },
    want: [
      'failure ai-gateway-api: aigateway.envoyproxy.io/v1beta1 is not served. Install the chart ai-gateway-crds-helm of oci://docker.io/envoyproxy (tested version: v1.1.0)',
    ],
  },
  'pools are to be routed to, and Envoy Gateway of another owner takes no routes to them': {
    of: {
      declared: { cluster: { servingStack: { aiGateway, inferenceCrds } } },
      lists: { gatewayConfig: ASKING },
    },
    want: [
      'failure gateway-controller: Envoy Gateway takes no routes to InferencePools. Add { group: inference.networking.k8s.io, kind: InferencePool, version: v1 } to config.envoyGateway.extensionManager.backendResources of its chart: routes to pools answer 500',
    ],
  },
  'routes to pools are taken': {
    of: {
      declared: { cluster: { servingStack: { aiGateway, inferenceCrds } } },
      lists: { gatewayConfig: TAKING },
    },
    want: [],
  },
  'the kind of pools is installed next to Envoy Gateway, for another gateway than the AI gateway': {
    of: { declared: { cluster: { gateway: GATEWAY, servingStack: { inferenceCrds } } } },
    want: [],
  },
  'the kind of pools is not there yet': {
    of: { declared: { cluster: { servingStack: { inferenceCrds } } }, unserved: ['InferencePool'] },
    want: [
      'failure inference-api: inference.networking.k8s.io/v1 is not served. Apply its definition, which is not in a chart. A Pulumi program of the fleet does that',
    ],
  },
  'the kind of pools comes with the stack that asks': {
    of: {
      declared: { cluster: { servingStack: { inferenceCrds } } },
      unserved: ['InferencePool'],
      coming: ['inferenceCrds'],
    },
    want: [],
  },
  'no one misses the kind of pools where it is not installed': {
    of: { unserved: ['InferencePool'] },
    want: [],
  },
  'no one misses its kinds where it is not installed': {
    of: { unserved: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'] },
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});
