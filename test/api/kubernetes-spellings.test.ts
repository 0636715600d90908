import { parseResource, type Resource } from '../../src/api/kinds';
import { aMember, type Doc } from './build';

const device = { name: 'gpu', where: { architecture: 'Hopper' } };
const deployment = (spec: Doc, template: Doc = {}, engine: Doc = {}): Doc => ({
  template: { spec: { engines: [{ name: 'main', members: [aMember()], ...engine }], ...template } },
  ...spec,
});
const member = (fields: Doc): Doc => deployment({}, {}, { members: [aMember(fields)] });
const request = (fields: Doc): Doc => member({ devices: [{ ...device, ...fields }] });

const pool = { name: 'a', className: 'h100', nodeCount: 1 };
const cluster = (fields: Doc): Doc => ({
  cluster: { source: 'GKE', gke: { region: 'us-central1' } },
  nodePools: [pool],
  ...fields,
});
const entry = { selector: { matchLabels: { app: 'q' } } };
const cache = { source: 'HuggingFace', huggingFace: { repo: 'Qwen/Qwen3-8B' }, sizeGiB: 30 };

const cases: Record<string, { kind: Resource['kind']; spec: Doc; want: RegExp }> = {
  'the class of requested devices': {
    kind: 'ModelDeployment',
    spec: request({ deviceClassName: 'gpu.nvidia.com' }),
    want: /'deviceClassName' is not allowed here\. Remove it: .*'where: \{ driver: gpu\.nvidia\.com \}'/,
  },
  'the block of an exact request': {
    kind: 'ModelDeployment',
    spec: request({ exactly: { count: 2 } }),
    want: /'exactly' is not allowed here\. Write its fields one level up/,
  },
  'resources of a container in place of devices': {
    kind: 'ModelDeployment',
    spec: request({ resources: { limits: { 'nvidia.com/gpu': 1 } } }),
    want: /Use 'count'/,
  },
  'labels without matchLabels': {
    kind: 'ModelDeployment',
    spec: deployment({}, { clusterSelector: { region: 'us' } }),
    want: /'region' is not allowed here\. Move it into matchLabels, as in 'matchLabels: \{ topology\.kubernetes\.io\/region: us-east-1 \}'/,
  },
  'the name of a cluster where labels are': {
    kind: 'ModelDeployment',
    spec: deployment({}, { clusterSelector: { name: 'onprem' } }),
    want: /'name' is not allowed here\. Select by the label of the name, as in 'matchLabels: \{ fleetwright\.dev\/cluster: NAME \}'/,
  },
  'names of clusters where a selector is': {
    kind: 'ModelDeployment',
    spec: deployment({}, { clusterSelector: ['onprem'] }),
    want: /expected a map, got a list\. Select clusters by labels, .*key: fleetwright\.dev\/cluster, operator: In, values: \[A, B\]/,
  },
  'clusters of a deployment': {
    kind: 'ModelDeployment',
    spec: deployment({ clusters: ['onprem'] }),
    want: /'clusters' is not allowed here\. Use spec\.template\.spec\.clusterSelector\. Select clusters by labels/,
  },
  'clusters of a replica': {
    kind: 'ModelDeployment',
    spec: deployment({}, { clusters: ['onprem'] }),
    want: /'clusters' is not allowed here\. Use spec\.template\.spec\.clusterSelector/,
  },
  'the clusters of a cache': {
    kind: 'ModelCache',
    spec: { ...cache, clusterSelector: { name: 'onprem' } },
    want: /'name' is not allowed here\. Select by the label of the name/,
  },
  'the share of a canary of KServe': {
    kind: 'ModelService',
    spec: { endpoints: [entry], canaryTrafficPercent: 10 },
    want: /'canaryTrafficPercent' is not allowed here\. Declare the new version as a ModelDeployment of its own/,
  },
  'bounds of a HorizontalPodAutoscaler': {
    kind: 'ModelDeployment',
    spec: deployment({}, {}, { copies: { min: 1, max: 2 }, scaling: { minReplicas: 1 } }),
    want: /'minReplicas' is not allowed here\. Use 'copies: \{ min: 1, max: 3 \}' of the engine, next to 'scaling'/,
  },
  'metrics of a HorizontalPodAutoscaler': {
    kind: 'ModelDeployment',
    spec: deployment({}, {}, { copies: { min: 1, max: 2 }, scaling: { metrics: [] } }),
    want: /'metrics' is not allowed here\. Use 'on', a list/,
  },
  'its windows': {
    kind: 'ModelDeployment',
    spec: deployment({}, {}, { copies: { min: 1, max: 2 }, scaling: { behavior: {} } }),
    want: /'behavior' is not allowed here\. Use 'up' and 'down'/,
  },
  'the size of a group of a LeaderWorkerSet': {
    kind: 'ModelDeployment',
    spec: member({ role: 'Worker', worker: { size: 2 } }),
    want: /'size' is not allowed here\. Use 'nodes', the worker pods next to the leader: 1 less/,
  },
  'the replicas of workers': {
    kind: 'ModelDeployment',
    spec: member({ role: 'Worker', worker: { replicas: 1 } }),
    want: /'replicas' is not allowed here\. Use 'nodes', the worker pods next to the leader$/,
  },
  'the request of a probe': {
    kind: 'ModelDeployment',
    spec: deployment({}, { healthCheck: { httpGet: { path: '/health', port: 8000 } } }),
    want: /'httpGet' is not allowed here\. Write 'path' and 'port' one level up/,
  },
  'the period of a probe': {
    kind: 'ModelDeployment',
    spec: deployment({}, { healthCheck: { periodSeconds: 5 } }),
    want: /'periodSeconds' is not allowed here\. Use 'interval'/,
  },
  'a boolean in quotes, where a text is a choice too': {
    kind: 'InferenceGateway',
    spec: { public: 'true' },
    want: /^expected true, got text\. Remove the quotes/,
  },
  'spot capacity of a pool': {
    kind: 'InferenceCluster',
    spec: cluster({ nodePools: [{ ...pool, spot: true }] }),
    want: /'spot' is not allowed here\. Set it in the InferenceClass that className names, as in 'provisioning: \{ provider: EKS, eks: \{ spot: true \} \}'/,
  },
  'spot capacity of a class': {
    kind: 'InferenceClass',
    spec: { from: 'aws/p5.48xlarge', spot: true },
    want: /'spot' is not allowed here\. Move it to the block of the provider/,
  },
  'a namespace next to matchLabels': {
    kind: 'ModelDeployment',
    spec: deployment({}, { clusterSelector: { matchLabels: { region: 'us' }, namespace: 'ml' } }),
    want: /'namespace' is not allowed here\. Remove it: the labels select\. A Grant in the other namespace/,
  },
  'a namespace of a Secret': {
    kind: 'InferenceGateway',
    spec: { auth: { apiKeys: [{ secretRef: { name: 'keys', namespace: 'infra' } }] } },
    want: /'namespace' is not allowed here\. Remove it: the namespace of a reference is fixed/,
  },
  'the predictor of KServe': {
    kind: 'ModelDeployment',
    spec: deployment({ predictor: { model: { storageUri: 'hf://Qwen/Qwen3-8B' } } }),
    want: /'predictor' is not allowed here\. Write the container of the engine at .*, and where its files are as a ModelCache/,
  },
  'labels of nodes': {
    kind: 'ModelDeployment',
    spec: member({ nodeSelector: { devices: [device], matchLabels: { gpu: 'h100' } } }),
    want: /'matchLabels' is not allowed here\. Describe devices instead of labels of nodes/,
  },
  'a container next to its template': {
    kind: 'ModelDeployment',
    spec: member({ containers: [] }),
    want: /Move it to template\.spec of this member/,
  },
  'an autoscaler of an engine': {
    kind: 'ModelDeployment',
    spec: deployment({}, {}, { autoscaling: { maxReplicas: 2 } }),
    want: /Use 'copies: \{ min: 1, max: 3 \}'/,
  },
  'the strategy of a Deployment': {
    kind: 'ModelDeployment',
    spec: deployment({ strategy: { type: 'Recreate' } }),
    want: /Use 'rollout', as in/,
  },
  'the surge of a Deployment': {
    kind: 'ModelDeployment',
    spec: deployment({ rollout: { maxSurge: 1 } }),
    want: /Use 'surge', 0 or 1/,
  },
  'clusters in the placement': {
    kind: 'ModelDeployment',
    spec: deployment({ placement: { clusters: ['us'] } }),
    want: /Use spec\.template\.spec\.clusterSelector/,
  },
  'fields of a pod in the template of a replica': {
    kind: 'ModelDeployment',
    spec: deployment({}, { volumes: [] }),
    want: /Move it to spec\.template\.spec\.engines\[\]\.members\[\]\.template\.spec$/,
  },
  'the spec of a replica without its template': {
    kind: 'ModelDeployment',
    spec: deployment({ spec: {} }),
    want: /'spec' is not allowed here\. Move it into 'template'/,
  },
  'the cache of a replica by another name': {
    kind: 'ModelDeployment',
    spec: deployment({}, { cache: 'weights' }),
    want: /Use 'modelCacheRef', as in 'modelCacheRef: \{ name: NAME \}'$/,
  },
  'an argument of an engine as a field of it': {
    kind: 'ModelDeployment',
    spec: deployment({}, {}, { tensorParallelSize: 2 }),
    want: /Write it as an argument of the engine in members\[\]\.template\.spec\.containers\[0\]\.args$/,
  },
  'the size of a node pool': {
    kind: 'InferenceCluster',
    spec: cluster({ nodePools: [{ ...pool, desiredSize: 2 }] }),
    want: /Use 'nodeCount'/,
  },
  'the fewest nodes of a pool': {
    kind: 'InferenceCluster',
    spec: cluster({ nodePools: [{ ...pool, minNodes: 1 }] }),
    want: /Use 'minNodeCount'/,
  },
  'the most nodes of a pool': {
    kind: 'InferenceCluster',
    spec: cluster({ nodePools: [{ ...pool, maxNodes: 2 }] }),
    want: /Use 'maxNodeCount'/,
  },
  'the region next to the cloud that has it': {
    kind: 'InferenceCluster',
    spec: cluster({ cluster: { source: 'GKE', region: 'us-central1' } }),
    want: /'region' is not allowed here\. Use 'gke', 'eks' or 'aks', the block of the source/,
  },
  'the context of a cluster that exists': {
    kind: 'InferenceCluster',
    spec: cluster({ cluster: { source: 'Existing', context: 'prod' } }),
    want: /'context' is not allowed here\. Use 'existing', as in 'existing: \{ context: NAME \}'/,
  },
  'labels of a cluster': {
    kind: 'InferenceCluster',
    spec: cluster({ labels: { region: 'us' } }),
    want: /Move it to metadata\.labels/,
  },
  'the machine of a class': {
    kind: 'InferenceClass',
    spec: { from: 'gcp/a3-highgpu-8g', machineType: 'a3-highgpu-8g' },
    want: /Use 'from', as in/,
  },
  'the access modes of a claim': {
    kind: 'ModelCache',
    spec: { ...cache, accessModes: ['ReadWriteMany'] },
    want: /each cluster names its storage class at spec\.storage/,
  },
  'a claim': {
    kind: 'ModelCache',
    spec: { source: 'ExistingPVC', pvc: { claimName: 'models' } },
    want: /'pvc' is not allowed here\. Use 'existingPVC', as in/,
  },
  'the Hub': {
    kind: 'ModelCache',
    spec: { source: 'HuggingFace', hf: { repo: 'Qwen/Qwen3-8B' }, sizeGiB: 30 },
    want: /'hf' is not allowed here\. Use 'huggingFace', as in/,
  },
  'the parts of the address of a bucket': {
    kind: 'ModelCache',
    spec: { source: 'S3', s3: { bucket: 'models', path: 'q' }, sizeGiB: 30 },
    want: /'bucket' is not allowed here\. Use 'uri' for the bucket and the folder in it/,
  },
  'the selector of a Service': {
    kind: 'ModelService',
    spec: { endpoints: [entry], selector: { app: 'q' } },
    want: /Move it to endpoints/,
  },
  'the class of a pool with more words': {
    kind: 'InferenceCluster',
    spec: cluster({ nodePools: [{ ...pool, inferenceClassName: 'h100' }] }),
    want: /^unknown field 'inferenceClassName'\. Use 'className'$/,
  },
  'the namespace of a reference that has no other field': {
    kind: 'ModelDeployment',
    spec: deployment({}, { modelCacheRef: { name: 'q', namespace: 'ml' } }),
    want: /^unknown field 'namespace'\. Remove it: only 'name' is allowed here$/,
  },
  'a word in place of the map of its field': {
    kind: 'ModelDeployment',
    spec: deployment({ placement: 'spread' }),
    want: /expected a map, got text\. Write '\{ policy: Spread \}'$/,
  },
  'a list in place of attributes': {
    kind: 'ModelDeployment',
    spec: request({ where: ['Hopper'] }),
    want: /Write a map of attributes, as in/,
  },
  'the address of KServe': {
    kind: 'ModelCache',
    spec: { source: 'HuggingFace', storageUri: 'hf://Qwen/Qwen3-8B', sizeGiB: 30 },
    want: /'storageUri' is not allowed here\. Write it as the block of the source, as in 'huggingFace:/,
  },
  'the price of a month': {
    kind: 'InferenceClass',
    spec: { from: 'gcp/a3-highgpu-8g', price: { perMonth: 40_000 } },
    want: /Use 'perHour': a month has 730 hours$/,
  },
  'the priority of an entry': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, priority: 1 }] },
    want: /Use 'tier: 1' for an entry/,
  },
  'a percentage of an entry': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, percent: 5 }] },
    want: /Use 'weight'/,
  },
};

test.each(Object.entries(cases))('%s names the place or the spelling here', (_, { kind, spec, want }) => {
  const metadata = { name: 'q', ...(kind.startsWith('Model') && { namespace: 'ml' }) };
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  const findings = 'findings' in parsed ? parsed.findings : [];
  expect(findings.map(({ message, hint }) => `${message}. ${hint}`)).toContainEqual(expect.stringMatching(want));
});
