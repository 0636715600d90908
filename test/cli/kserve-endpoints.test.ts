import { Workspace } from './cli';

const FLEET = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: cpu }
spec: { devices: [{ name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8 }] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: us }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: us } } }
  gateway: { tls: { issuer: { name: private }, caRef: { name: ca } } }
  nodePools: [{ name: a, className: cpu, nodeCount: 1 }]
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceGateway
metadata: { name: main }
spec: { clusters: [us] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec: { endpoints: [{ weight: 1, selector: { matchLabels: { app: chat } } }] }
---
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: { name: chat, namespace: ml }
spec: { model: { uri: 'hf://Qwen/Qwen3-8B', name: Qwen/Qwen3-8B }, replicas: 2 }
`;
const endpoint = (spec: string) => `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelEndpoint
metadata: { name: chat, namespace: ml, labels: { app: chat } }
spec: { ${spec} }
`;

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

function run(command: string, spec: string) {
  work.write({ 'fleet/fleet.yaml': `${FLEET}${endpoint(spec)}` });
  return work.run(command);
}

test('a service routes to an LLMInferenceService in the folder, by the Service that KServe makes', () => {
  expect(run('lock ./fleet', 'inside: { cluster: us, llmInferenceService: chat }')).toMatchObject({ code: 0, err: '' });
  expect(work.run('synth ./fleet --out ./out').code).toBe(0);
  const routes = Object.entries(work.files()).filter(([path]) => path.startsWith('out/us/'));
  const text = routes.map(([, one]) => one).join('\n');
  expect(text).toContain('hostname: chat-kserve-workload-svc.ml.svc.cluster.local\n        port: 8000');
});

test('a misspelt name is a warning with the name that the folder has', () => {
  const { code, out } = run('plan ./fleet', 'inside: { cluster: us, llmInferenceService: chatt }');
  expect(code).toBe(0);
  expect(out).toContain(
    "the fleet has no manifest of an LLMInferenceService 'chatt' in namespace 'ml'. Did you mean 'chat'?",
  );
});

const bad: Record<string, [spec: string, want: string]> = {
  'another cluster': [
    'inside: { cluster: usa, llmInferenceService: chat }',
    "there is no InferenceCluster 'usa'. Use 'us'.",
  ],
  'an address as well': [
    'url: https://api.example.com, inside: { cluster: us, llmInferenceService: chat }',
    "'inside' sets the address and the access of the server, so it excludes 'url'. Remove one of the two.",
  ],
  'a name whose Service KServe would name by a hash': [
    `inside: { cluster: us, llmInferenceService: ${'x'.repeat(44)} }`,
    'a text of 44 characters is greater than the maximum of 43',
  ],
  'no address at all': ['models: [a]', "Or set 'provider' to a known provider, or 'inside' to a service of a cluster"],
};

test.each(Object.entries(bad))('%s is refused', (_, [spec, want]) => {
  const { code, err } = run('plan ./fleet', spec);
  expect(code).toBe(1);
  expect(err).toMatch(/^fleet\/fleet\.yaml:\d+:\d+: /);
  expect(err).toContain(want);
});
