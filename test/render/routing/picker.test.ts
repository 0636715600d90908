import { parse } from 'yaml';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { assessPodSecurity } from '../../../src/render/pod/pod-security-standards';
import { renderClusterRouting } from '../../../src/render/routing/cluster-routing';
import type { EdgeBackend } from '../../../src/routing/gateway-types';
import { aCluster, type Doc } from '../../api/build';
import { anEdge, anEdgeBackend, aRouting, PICKER, routedOn } from './build';

const SYSTEM = 'fleetwright-system';

/** What stands at the edge for a backend with an endpoint picker. */
function picked(more: Partial<EdgeBackend> = {}): Manifest[] {
  const backends = [anEdgeBackend({ picker: PICKER, ...more })];
  return routedOn(aRouting({ edges: [anEdge({ backends })] }));
}

/** The only object of a kind that belongs to a picker. */
function its(kind: string, all = picked()): Manifest {
  const found = all.filter((one) => one.kind === kind && one.metadata.name.includes('-picker-'));
  expect(found).toHaveLength(1);
  return found[0]!;
}

function podOf(all = picked()): Doc {
  return ((its('Deployment', all).spec as Doc)['template'] as Doc)['spec'] as Doc;
}

function containerOf(all = picked()): Doc {
  return (podOf(all)['containers'] as Doc[])[0]!;
}

const SERVING = { 'fleetwright.dev/deployment': 'llama', 'fleetwright.dev/serving': 'true' };

const replica = {
  replica: 1,
  deployment: { namespace: 'team-b', name: 'llama' },
  target: { ...anEdgeBackend().target, selector: { ...SERVING, 'fleetwright.dev/replica-index': '1' } },
};

function digest(all: Manifest[]): unknown {
  return (((its('Deployment', all).spec as Doc)['template'] as Doc)['metadata'] as Doc)['annotations'];
}

describe('an endpoint picker', () => {
  const { name } = its('Deployment').metadata;
  const pods = { 'app.kubernetes.io/instance': name };
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'runs next to the gateways, with all that is its own': {
      got: ['ServiceAccount', 'ConfigMap', 'Deployment', 'Service', 'NetworkPolicy'].map(
        (kind) => its(kind).metadata.namespace,
      ),
      want: Array.from({ length: 5 }, () => SYSTEM),
    },
    'may read pods where the deployment is, and nothing else': {
      got: [its('Role', picked(replica)).metadata.namespace, its('Role')['rules']],
      want: ['team-b', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }]],
    },
    'is who may': {
      got: [its('RoleBinding')['subjects'], its('RoleBinding')['roleRef'], podOf()['serviceAccountName']],
      want: [
        [{ kind: 'ServiceAccount', name, namespace: SYSTEM }],
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        name,
      ],
    },
    'follows the pods of the deployment that serve': {
      got: (
        containerOf(picked({ target: { ...anEdgeBackend().target, selector: SERVING } }))['args'] as string[]
      ).slice(0, 3),
      want: [
        '--endpoint-selector=fleetwright.dev/deployment=llama,fleetwright.dev/serving=true',
        '--endpoint-target-ports=8000',
        '--pool-namespace=team-a',
      ],
    },
    'follows those of one replica where the service means that alone, wherever they are': {
      got: (containerOf(picked(replica))['args'] as string[]).slice(0, 3),
      want: [
        '--endpoint-selector=fleetwright.dev/deployment=llama,fleetwright.dev/serving=true,fleetwright.dev/replica-index=1',
        '--endpoint-target-ports=8000',
        '--pool-namespace=team-b',
      ],
    },
    'needs little, and is held to the strictest level': {
      got: [containerOf()['resources'], assessPodSecurity([its('Deployment')]).level],
      want: [{ requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '4Gi' } }, 'restricted'],
    },
    'is asked whether it is well': {
      got: ['readinessProbe', 'livenessProbe'].map((probe) => (containerOf()[probe] as Doc)['grpc']),
      want: Array.from({ length: 2 }, () => ({ port: 9003, service: 'inference-extension' })),
    },
    'is reached by the proxies of the edge alone, but for its metrics': {
      got: its('NetworkPolicy').spec,
      want: {
        podSelector: { matchLabels: pods },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [
              {
                podSelector: {
                  matchLabels: {
                    'gateway.envoyproxy.io/owning-gateway-name': 'fleetwright-edge',
                    'gateway.envoyproxy.io/owning-gateway-namespace': SYSTEM,
                  },
                },
              },
            ],
            ports: [{ protocol: 'TCP', port: 9002 }],
          },
          { ports: [{ protocol: 'TCP', port: 9090 }] },
        ],
      },
    },
    'has a Service of its own': {
      got: its('Service').spec,
      want: {
        type: 'ClusterIP',
        selector: pods,
        ports: [{ name: 'grpc', port: 9002, targetPort: 9002, appProtocol: 'kubernetes.io/h2c' }],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('no endpoint picker', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'has a budget, which would hold up drains for ever': {
      got: picked().filter(({ kind }) => kind === 'PodDisruptionBudget'),
      want: [],
    },
    'is there where a service asks for it alone': {
      got: routedOn(aRouting()).filter(({ metadata }) => metadata.name.includes('picker')),
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('what runs as an endpoint picker', () => {
  test('reads plugins of the block size and mode of the engines', () => {
    const all = picked({ picker: { kind: 'PrefixCache', mode: 'PrefillDecode', blockSize: 64 } });
    const text = (its('ConfigMap', all)['data'] as Record<string, string>)['picker.yaml'];
    expect(parse(text!)).toMatchObject({
      plugins: [{ parameters: { blockSizeTokens: 64 } }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
      schedulingProfiles: [{ name: 'prefill' }, { name: 'decode' }],
    });
    expect(podOf(all)['volumes']).toEqual([
      { name: 'config', configMap: { name: its('ConfigMap', all).metadata.name } },
    ]);
  });

  test('is replaced when its plugins change, and by nothing else', () => {
    expect(digest(picked({ picker: { ...PICKER, blockSize: 64 } as EdgeBackend['picker'] }))).not.toEqual(
      digest(picked()),
    );
    expect(digest(picked({ timeouts: { idle: 1, connect: 1 } }))).toEqual(digest(picked()));
  });

  test('is reported its ports, and to need no more rights than to read pods', () => {
    expect((containerOf()['args'] as string[]).slice(3)).toEqual([
      '--config-file=/etc/picker/picker.yaml',
      '--grpc-port=9002',
      '--grpc-health-port=9003',
      '--metrics-port=9090',
      '--secure-serving=false',
      '--metrics-endpoint-auth=false',
      '--tracing=false',
    ]);
    expect(containerOf()['volumeMounts']).toEqual([{ name: 'config', mountPath: '/etc/picker', readOnly: true }]);
    expect(containerOf()['env']).toEqual([
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ]);
    expect([its('ServiceAccount'), podOf()].map((one) => one['automountServiceAccountToken'])).toEqual([false, true]);
  });

  test('is one, whose successor is there before it goes, and leaves nodes of pools to engines', () => {
    expect(its('Deployment').spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
    expect(JSON.stringify(podOf()['affinity'])).toContain('DoesNotExist');
  });

  test('comes from the mirror of the cluster, and runs where it has no nodes but tainted ones', () => {
    const cluster = aCluster('us', {
      mirror: { images: 'registry.example.com/mirror' },
      pools: { gpu: { nodeCount: 1, taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } },
    });
    const routing = aRouting({ edges: [anEdge({ backends: [anEdgeBackend({ picker: PICKER })] })] });
    const { services } = renderClusterRouting(routing, { cluster, settings: undefined });
    const all = services.flatMap(({ manifests }) => manifests);
    expect(podOf(all)['tolerations']).toContainEqual(expect.objectContaining({ key: 'dedicated' }));
    expect(containerOf(all)['image']).toBe('registry.example.com/mirror/llm-d/llm-d-router-endpoint-picker:v0.9.0');
  });

  test('is another one for each deployment of a service, and for a replica that stands for itself', () => {
    const other = { deployment: { namespace: 'team-a', name: 'qwen' }, hostname: '0.qwen.chat.team-a.us.x' };
    const second = { replica: 1, hostname: '0.llama-1.chat.team-a.us.x' };
    const backends = [{}, other, second].map((more) => anEdgeBackend({ picker: PICKER, ...more }));
    const all = routedOn(aRouting({ edges: [anEdge({ backends })] }));
    const names = all.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(3);
  });
});
