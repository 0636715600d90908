import { releasesOf } from '../../../src/provision/releases/cluster-releases';
import type { Release } from '../../../src/provision/releases/release';
import { aCluster, type Doc } from '../../api/build';

const servingStack = { aiGateway: { install: true } };

/** The releases of a cluster without pools. */
function releases(spec: Doc): Release[] {
  const lab = aCluster('lab', spec);
  return releasesOf(lab, { classes: [], clusters: [lab], gateways: [] });
}

function release(name: string, spec: Doc): Release | undefined {
  return releases(spec).find((one) => one.name === name);
}

const installed: Record<string, { spec: Doc; want: string[] }> = {
  'the AI gateway brings its kinds, what it extends and what makes its certificates, also without ours': {
    spec: { gateway: { enabled: false }, servingStack: { aiGateway: { install: true } } },
    want: ['cert-manager', 'envoy-gateway', 'ai-gateway-crds', 'ai-gateway'],
  },
  'what others have installed of that is left out': {
    spec: {
      servingStack: {
        aiGateway: { install: true },
        aiGatewayCrds: { install: false },
        certManager: { install: false },
      },
    },
    want: ['envoy-gateway', 'ai-gateway'],
  },
  'a version of the AI gateway installs none': {
    spec: { servingStack: { aiGateway: { version: 'v1.1.1' } } },
    want: [],
  },
  'its kinds can stay without it': {
    spec: { servingStack: { aiGatewayCrds: { install: true } } },
    want: ['ai-gateway-crds'],
  },
  'the kind of pools is no release': {
    spec: { servingStack: { inferenceCrds: { install: true } } },
    want: [],
  },
};

const INFERENCE_POOL = { group: 'inference.networking.k8s.io', kind: 'InferencePool', version: 'v1' };

describe('the releases of the AI gateway', () => {
  test.each(Object.entries(installed))('%s', (_, { spec, want }) => {
    expect(releases(spec).map(({ name }) => name)).toEqual(want);
  });

  test('come after what its controller watches kinds of', () => {
    expect(release('ai-gateway', { servingStack })).toMatchObject({
      namespace: 'envoy-ai-gateway-system',
      chart: 'oci://docker.io/envoyproxy/ai-gateway-helm',
      version: 'v1.1.0',
      needs: ['cert-manager', 'envoy-gateway', 'ai-gateway-crds'],
    });
    expect(release('ai-gateway-crds', { servingStack })).toMatchObject({
      namespace: 'envoy-ai-gateway-system',
      chart: 'oci://docker.io/envoyproxy/ai-gateway-crds-helm',
      version: 'v1.1.0',
      values: {},
      needs: [],
    });
  });

  test('make Envoy Gateway ask it, about no kind that is not installed', () => {
    const all = { includeAll: true };
    expect(release('envoy-gateway', { servingStack })?.values).toEqual({
      config: {
        envoyGateway: {
          extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
          extensionManager: {
            hooks: {
              xdsTranslator: {
                translation: { listener: all, route: all, cluster: all, secret: all },
                post: ['Translation', 'Cluster', 'Route'],
              },
            },
            service: {
              fqdn: {
                hostname: 'ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local',
                port: 1063,
              },
            },
            maxMessageSize: '64Mi',
          },
        },
      },
    });
  });

  test('let users name that kind, next to what makes Envoy Gateway ask', () => {
    const extensionManager = { backendResources: [INFERENCE_POOL] };
    const values = { config: { envoyGateway: { extensionManager } } };
    const own = { ...servingStack, envoyGateway: { values } };
    expect(release('envoy-gateway', { servingStack: own })?.values).toMatchObject({
      config: {
        envoyGateway: {
          extensionManager: {
            backendResources: [INFERENCE_POOL],
            service: { fqdn: { port: 1063 } },
            maxMessageSize: '64Mi',
          },
        },
      },
    });
  });

  test('answer while one pod is away, and hold up none of our proxies', () => {
    expect(release('ai-gateway', { servingStack })?.values).toEqual({
      controller: {
        replicaCount: 2,
        maxRecvMsgSize: '67108864',
        mutatingWebhook: {
          certManager: { enable: true },
          objectSelector: {
            matchLabels: { 'app.kubernetes.io/managed-by': 'envoy-gateway' },
            matchExpressions: [
              {
                key: 'gateway.envoyproxy.io/owning-gateway-namespace',
                operator: 'NotIn',
                values: ['fleetwright-system'],
              },
            ],
          },
        },
      },
      envoyGateway: { namespace: 'fleetwright-system' },
    });
  });

  test('come from mirrors with both images, that of the controller and that of what it adds to proxies', () => {
    const mirror = { images: 'registry.example.com/mirror', charts: 'oci://registry.example.com/charts' };
    const own = releases({ servingStack, mirror }).filter(({ name }) => name.startsWith('ai-gateway'));
    expect(own.map(({ chart }) => chart)).toEqual([
      'oci://registry.example.com/charts/ai-gateway-crds-helm',
      'oci://registry.example.com/charts/ai-gateway-helm',
    ]);
    expect(own.map(({ values }) => values)).toEqual([
      {},
      expect.objectContaining({
        controller: expect.objectContaining({
          replicaCount: 2,
          image: { repository: 'registry.example.com/mirror/envoyproxy/ai-gateway-controller' },
        }),
        extProc: { image: { repository: 'registry.example.com/mirror/envoyproxy/ai-gateway-extproc' } },
      }),
    ]);
  });
});

describe('with the kind of pools, the releases of the AI gateway', () => {
  const withPools = { ...servingStack, inferenceCrds: { install: true } };

  test('come after it and what lets them read it, and take routes to pools', () => {
    const gateway = release('envoy-gateway', { servingStack: withPools });
    expect(gateway?.values).toMatchObject({
      config: { envoyGateway: { extensionManager: { backendResources: [INFERENCE_POOL] } } },
    });
    const objects = [
      'CustomResourceDefinition.inferencepools.inference.networking.k8s.io',
      'ClusterRole.fleetwright-inference-pools',
      'ClusterRoleBinding.fleetwright-inference-pools',
    ];
    expect(gateway?.needs).toHaveLength(objects.length);
    expect(gateway?.needs).toEqual(expect.arrayContaining(objects));
    const controller = release('ai-gateway', { servingStack: withPools });
    expect(controller?.needs).toEqual(expect.arrayContaining([...objects, 'envoy-gateway']));
  });

  test('look for it again once it is there', () => {
    const annotations = { 'fleetwright.dev/started-with': 'inferencepools' };
    expect(release('ai-gateway', { servingStack: withPools })?.values).toMatchObject({
      controller: { replicaCount: 2, podAnnotations: annotations },
    });
    expect(release('ai-gateway', { servingStack })?.values).not.toHaveProperty('controller.podAnnotations');
  });

  test('change nothing of Envoy Gateway where they are not installed', () => {
    const own = { envoyGateway: { install: true }, inferenceCrds: { install: true } };
    expect(release('envoy-gateway', { servingStack: own })?.values).toEqual({
      config: {
        envoyGateway: {
          extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
        },
      },
    });
  });
});
