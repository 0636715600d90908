// `node write-regional-fleet.mjs FOLDER CLUSTERS [change]`: clusters in regions, with prices, services, names that look
// alike, and prefill and decode; `change` writes what a pull request makes of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, size, change] = process.argv.slice(2);
const isChange = change === 'change';
const REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-northeast-1', 'ap-south-1'];
const CLASSES = [
  { name: 'h100', perHour: 55.04, count: 8, architecture: 'Hopper', memory: '81559Mi' },
  { name: 'h200', perHour: 63.3, count: 8, architecture: 'Hopper', memory: '143771Mi' },
  { name: 'l40s', perHour: 7.44, count: 4, architecture: 'Ada Lovelace', memory: '46068Mi' },
];
const NAMES = ['llama-70b-chat', 'llama-70b-chat-next', 'llama-70b-batch', 'llama-8b-chat', 'qwen3-coder', 'qwen3-8b'];

const classes = CLASSES.map(
  ({ name, perHour, count, architecture, memory }) => `kind: InferenceClass
metadata: { name: ${name} }
spec:
  price: { perHour: ${perHour}, asOf: 2026-10-31 }
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: ${count}
      attributes:
        architecture: { string: ${architecture} }
      capacity:
        memory: { value: ${memory} }
`,
);

const clusters = Array.from({ length: Number(size) }, (_, i) => {
  const region = REGIONS[i % REGIONS.length];
  const nodes = 2 + ((i * 7) % 5);
  return `kind: InferenceCluster
metadata:
  name: prod-${region}-${String(Math.floor(i / REGIONS.length)).padStart(2, '0')}
  labels: { topology.kubernetes.io/region: ${region} }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: kubeconfig } } }
  nodePools:
    - { name: ${i % 3 === 0 ? 'h200' : 'h100'}, className: ${i % 3 === 0 ? 'h200' : 'h100'}, nodeCount: ${nodes} }
    - { name: l40s, className: l40s, minNodeCount: 1, maxNodeCount: 4 }
  gateway:
    hostname: edge-${i}.example.com
    dns: { zone: example.com }
    tls: { issuer: { name: fleet }, caRef: { name: fleet-ca } }
`;
});

const engine = (name, gpus, version, more = '') => `
        - name: ${name}
          members:
            - nodeSelector:
                devices:
                  - { name: gpu, count: ${gpus}, where: { architecture: ${gpus === 1 ? 'Ada Lovelace' : 'Hopper'} } }
              template:
                spec:
                  containers:
                    - name: engine
                      image: vllm/vllm-openai:${version}
                      args: [Qwen/Qwen3-8B, --served-model-name=chat, --tensor-parallel-size=${gpus}]${more}`;

const deployments = NAMES.map((name, i) => {
  const grown = isChange && i === 0 ? 2 : 0;
  const version = isChange && i === 4 ? 'v0.24.0' : 'v0.23.0';
  const gpus = name === 'qwen3-8b' ? 1 : [8, 8, 4, 2, 4, 1][i];
  return `kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: ${Math.ceil(Number(size) / 5) + i + grown}
  placement: { policy: Spread }
  template:
    metadata: { labels: { serves: ${name} } }
    spec:
      engines:${engine('vllm', gpus, version)}
`;
});

const split = `kind: ModelDeployment
metadata: { name: deepseek-split, namespace: ml }
spec:
  replicas: ${Math.ceil(Number(size) / 10)}
  template:
    metadata: { labels: { serves: split } }
    spec:
      serving: { mode: PrefillDecode }
      engines:${engine('prefill', 2, 'v0.23.0').replace('name: prefill', 'name: prefill\n          phase: Prefill\n          copies: 2')}${engine('decode', 4, 'v0.23.0').replace('name: decode', 'name: decode\n          phase: Decode')}
`;

const routing = `kind: InferenceGateway
metadata: { name: public }
spec:
  clusters: [prod-us-east-1-00, prod-eu-west-1-00]
  hostname: models.example.com
  public: true
  tls: { issuer: { name: letsencrypt } }
  auth: { apiKeys: [{ name: app, secretRef: { name: app-keys } }] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec:
  endpoints:
    - { weight: ${isChange ? 7 : 9}, selector: { matchLabels: { serves: llama-70b-chat } } }
    - { weight: ${isChange ? 3 : 1}, selector: { matchLabels: { serves: llama-70b-chat-next } } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: coder, namespace: ml }
spec:
  endpoints:
    - { weight: 1, selector: { matchLabels: { serves: qwen3-coder } } }
    - { tier: 1, selector: { matchLabels: { serves: rented } } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelEndpoint
metadata: { name: rented, namespace: ml, labels: { serves: rented } }
spec:
  provider: Together
  models: [Qwen/Qwen3-8B]
  credential: { secretRef: { name: together } }
  model: { as: Qwen/Qwen3-8B }
`;

mkdirSync(folder, { recursive: true });
const documents = [...classes, ...clusters, ...deployments, split, routing];
writeFileSync(
  join(folder, 'fleet.yaml'),
  documents.map((text) => `apiVersion: fleetwright.dev/v1alpha1\n${text}`).join('---\n'),
);
