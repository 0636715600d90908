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

const aiGateway = { install: true };

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: string[] }> = {
  'the AI gateway is to be asked, and Envoy Gateway of somebody else does not': {
    of: { declared: { cluster: { servingStack: { aiGateway } } } },
    want: [
      'failure gateway-controller: Envoy Gateway does not ask the AI gateway. Set config.envoyGateway.extensionManager of its chart, with the service ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local: AIGatewayRoutes do nothing without it',
    ],
  },
  'the AI gateway is asked': {
    of: { declared: { cluster: { servingStack: { aiGateway } } }, lists: { gatewayConfig: ASKING } },
    want: [],
  },
  'its kinds are left to somebody else, who did not install them': {
    of: {
      declared: { cluster: { servingStack: { aiGateway, aiGatewayCrds: { install: false } } } },
      lists: { gatewayConfig: ASKING },
      unserved: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'],
    },
    want: [
      'failure ai-gateway-api: aigateway.envoyproxy.io/v1beta1 is not served. Install the chart ai-gateway-crds-helm of oci://docker.io/envoyproxy (v1.1.0 was tried)',
    ],
  },
  'nobody misses its kinds where it is not installed': {
    of: { unserved: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'] },
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});
