/** A service has at most 16 backends: clusters come in groups. */
const GROUP = 10;

/**
 * The manifests of a routed fleet, as one file: each deployment has a replica on every cluster of a group of ten, and a
 * service of its own in front of these; the ingress gateway is on the first two clusters.
 *
 * @param size `clusters`, `nodes` of each, `services` of all of them, and `models`, of which those beyond the services
 * have none
 */
export function routedFleet({ clusters, nodes = 32, services, models: count = services }) {
  const groups = Math.ceil(clusters / GROUP);
  const models = Array.from({ length: count }, (_, i) => ({ name: `model-${i}`, group: i % groups }));
  const sites = Array.from({ length: clusters }, (_, i) => `cluster-${String(i).padStart(3, '0')}`);
  const texts = [CLASS, ...sites.map((name, i) => site(name, i % groups, nodes)), door(sites.slice(0, 2))];
  models.forEach(({ name, group }, i) => texts.push(model(name, group), ...(i < services ? [service(name)] : [])));
  return texts.join('---\n');
}

const API = 'apiVersion: fleetwright.dev/v1alpha1';

const CLASS = `${API}
kind: InferenceClass
metadata: { name: l4 }
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      attributes: { architecture: { string: Ada Lovelace } }
      capacity: { memory: { value: 23034Mi } }
`;

function site(name, group, nodes) {
  return `${API}
kind: InferenceCluster
metadata: { name: ${name}, labels: { group: g${group} } }
spec:
  cluster: { source: Existing, existing: { context: ${name} } }
  namespaces: Managed
  nodePools: [{ name: l4, className: l4, nodeCount: ${nodes} }]
  gateway:
    hostname: ${name}.example.com
    tls: { issuer: { name: fleet }, caRef: { name: fleet-ca } }
`;
}

function door(clusters) {
  return `${API}
kind: InferenceGateway
metadata: { name: public }
spec:
  clusters: [${clusters.join(', ')}]
  hostname: models.example.com
  public: true
  tls: { issuer: { name: public } }
  auth: { apiKeys: [{ name: operator, secretRef: { name: keys } }] }
`;
}

function model(name, group) {
  return `${API}
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: ${GROUP}
  template:
    metadata: { labels: { model: ${name} } }
    spec:
      clusterSelector: { matchLabels: { group: g${group} } }
      engines:
        - name: main
          members:
            - nodeSelector:
                devices: [{ name: gpu, count: 8, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }]
              template:
                spec:
                  containers:
                    - { name: engine, image: 'vllm/vllm-openai:v0.23.0', args: [--model=Qwen/${name}] }
`;
}

function service(name) {
  return `${API}
kind: ModelService
metadata: { name: ${name}, namespace: ml }
spec:
  endpoints: [{ selector: { matchLabels: { model: ${name} } } }]
`;
}
