import { FULL_POD, FULL_POLICY } from '../../api/full-pod';
import { parseResource, type Resource } from '../../../src/api/kinds';
import { claims } from './claims';

/** A fleet that uses every field that shows in a manifest. */
export function richFleet(): Resource[] {
  return [
    resource(
      'Fleet',
      { name: 'fleet' },
      {
        defaults: { labels: { team: 'platform', 'example.com/cost-center': '42' } },
        namespaces: [
          { match: ['ml'], podSecurity: 'Privileged', hostPath: true, serviceAccounts: ['engine', 'reader'] },
        ],
      },
    ),
    resource('InferenceClass', { name: 'gpu' }, { devices: [GPU, NIC] }),
    ...nodesInReserve(),
    resource(
      'InferenceCluster',
      { name: 'own' },
      {
        cluster: existing(),
        nodePools: [{ name: 'gpu', className: 'gpu', nodeCount: 40 }],
        namespaces: 'Managed',
        storage: { sharedFilesystem: { storageClassName: 'rwx' } },
        mirror: { images: 'mirror.example.com/all', huggingFace: 'https://hub.example.com' },
      },
    ),
    resource(
      'ModelCache',
      { name: 'weights', namespace: 'ml' },
      { source: 'HuggingFace', huggingFace: { repo: 'a/b', authSecret: { name: 'hub' } }, sizeGiB: 10 },
    ),
    ...CACHES.map(({ name, ...spec }) => resource('ModelCache', { name, namespace: 'ml' }, spec)),
    resource('ModelDeployment', { name: 'adapters', namespace: 'ml' }, withAdapters()),
    resource(
      'ModelDeployment',
      { name: 'every-field', namespace: 'ml', labels: { tier: 'gold' } },
      {
        replicas: 2,
        priority: 7,
        template: {
          metadata: { labels: { 'example.com/model': 'x', quoted: 'true' } },
          spec: {
            modelCacheRef: { name: 'weights' },
            healthCheck: { path: '/health', initialDelay: '30s', healthyThreshold: 2 },
            networkPolicy: FULL_POLICY,
            engines: [
              { name: 'alone', copies: 2, members: [{ nodeSelector: devices(1), template: pod }] },
              {
                name: 'gang',
                copies: 2,
                members: [
                  { role: 'Leader', nodeSelector: devices(4), template: pod },
                  { role: 'Worker', worker: { nodes: 2 }, nodeSelector: devices(8), template: pod },
                ],
              },
              {
                name: 'full',
                members: [
                  { role: 'Leader', nodeSelector: devices(1), template: { spec: FULL_POD } },
                  { role: 'Worker', nodeSelector: devices(1), template: { spec: FULL_POD } },
                ],
              },
              { name: 'full-alone', members: [{ nodeSelector: devices(1), template: { spec: FULL_POD } }] },
              {
                name: 'idle-leader',
                members: [
                  {
                    role: 'Leader',
                    template: { spec: { containers: [{ name: 'engine', image: 'ollama:1' }] } },
                  },
                  { role: 'Worker', nodeSelector: devices(2), template: pod },
                ],
              },
            ],
          },
        },
      },
    ),
    resource('ModelDeployment', { name: `${'long-name-'.repeat(6)}1.0`, namespace: 'ml' }, plain(1)),
    resource('ModelDeployment', { name: '8b.instruct', namespace: 'other' }, plain(3)),
    resource(
      'InferenceCluster',
      { name: 'counted', labels: { internet: 'true' } },
      {
        cluster: existing(),
        dra: false,
        nodePools: [{ name: 'gpu', className: 'gpu', nodeCount: 20 }],
        namespaces: 'Managed',
        storage: { sharedFilesystem: { storageClassName: 'rwx' } },
      },
    ),
    resource(
      'InferenceCluster',
      { name: 'rack', labels: { rack: 'true' } },
      { cluster: existing(), nodePools: [{ name: 'rack', className: 'gpu', nodeCount: 4, rack: 'NVL72' }] },
    ),
    resource('ModelDeployment', { name: 'rack', namespace: 'ml' }, onRack()),
    resource(
      'ModelDeployment',
      { name: 'claims', namespace: 'ml' },
      { ...claims(devices(2).devices), replicas: 1, rollout: { surge: 1, parallel: 2 } },
    ),
    resource('ModelDeployment', { name: 'recreated', namespace: 'ml' }, { ...plain(2), rollout: 'Recreate' }),
    resource(
      'InferenceCluster',
      { name: 'alias', labels: { site: 'alias' } },
      {
        cluster: existing(),
        nodePools: [{ name: 'gpu', className: 'gpu', nodeCount: 4, taints: TAINTS, labels: { disk: 'fast' } }],
      },
      'modelplane.ai',
    ),
    resource('ModelDeployment', { name: 'alias', namespace: 'default' }, onAlias(), 'modelplane.ai'),
  ];
}

/** A gang whose pods claim all GPUs of their nodes, on a rack. */
function onRack(): object {
  const [device] = devices(1).devices as [object];
  const nodeSelector = { devices: [{ ...device, count: undefined, allocationMode: 'All' }] };
  const members = [
    { role: 'Leader', nodeSelector, template: pod },
    { role: 'Worker', nodeSelector, template: pod },
  ];
  const clusterSelector = { matchLabels: { rack: 'true' } };
  const healthCheck = { path: '/health' };
  return { replicas: 1, template: { spec: { clusterSelector, healthCheck, engines: [{ name: 'gang', members }] } } };
}

/** A cache of each source, and an adapter. */
const CACHES = [
  {
    name: 'bucket',
    source: 'S3',
    s3: {
      uri: 's3://models/$(HOME)/a b',
      endpoint: 'https://minio.example.com',
      secretRef: { name: 'keys' },
    },
    include: ['*.json'],
    exclude: ['{x}'],
    sizeGiB: 1,
    stage: 'Everywhere',
  },
  {
    name: 'google',
    source: 'GCS',
    gcs: { uri: 'gs://models', serviceAccountName: 'reader' },
    clusterSelector: { matchLabels: { internet: 'true' } },
    sizeGiB: 1,
    stage: 'Everywhere',
  },
  {
    name: 'file',
    source: 'HTTP',
    http: { url: 'https://example.com/a', fileName: `it's "a" $(HOME)`, secretRef: { name: 'header' } },
    verify: { sha256: 'a'.repeat(64) },
    sizeGiB: 1,
    stage: 'Everywhere',
  },
  {
    name: 'sql.v1',
    source: 'HuggingFace',
    huggingFace: { repo: 'a/b' },
    content: 'LoRA',
    sizeGiB: 1,
  },
  {
    name: 'adopted',
    source: 'ExistingPVC',
    existingPVC: { claimName: 'data', path: 'models/x' },
  },
];

/** A model that is there already, and an adapter that is staged. */
function withAdapters(): object {
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }];
  const engines = [{ name: 'main', members: [{ nodeSelector: devices(1), template: { spec: { containers } } }] }];
  const loraAdapters = [{ name: 'sql', modelCacheRef: { name: 'sql.v1' } }];
  return { replicas: 1, template: { spec: { modelCacheRef: { name: 'adopted' }, loraAdapters, engines } } };
}

const TAINTS = [
  { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
  { key: 'spot', effect: 'NoExecute' },
  { key: 'soft', effect: 'PreferNoSchedule' },
];

const GPU = {
  name: 'gpu',
  driver: 'gpu.nvidia.com',
  deviceClassName: 'gpu.nvidia.com',
  extendedResource: 'nvidia.com/gpu',
  count: 8,
  attributes: { architecture: { string: 'Hopper' } },
  capacity: { memory: { value: '80Gi' } },
};

const NIC = {
  name: 'nic',
  driver: 'dra.net',
  deviceClassName: 'dranet',
  extendedResource: 'example.com/nic',
  count: 8,
  attributes: { rdma: { bool: true } },
};

const pod = {
  metadata: { labels: { app: 'x' }, annotations: { 'prometheus.io/scrape': 'true', note: 'a: b # c\n"d"' } },
  spec: {
    imagePullSecrets: [{ name: 'registry' }],
    containers: [
      {
        name: 'engine',
        image:
          'registry.example.com:5000/team/engine@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        command: ['/bin/sh', '-c'],
        args: ['exec engine --on yes --port=8000 $(FLEETWRIGHT_RANK)', '', '0123', '1e3'],
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'YES', value: 'on' },
          { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'hub', key: 'token' } } },
        ],
      },
    ],
  },
};

function devices(count: number): { devices: object[] } {
  const gpu = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
  const nic = 'device.driver == "dra.net" && device.attributes["dra.net"].rdma';
  return {
    devices: [
      { name: 'gpu', count, selectors: [{ cel: gpu }, { cel: 'device.driver == "gpu.nvidia.com"' }] },
      { name: 'nic', count: 1, selectors: [{ cel: nic }] },
    ],
  };
}

function plain(count: number): { replicas: number; template: { spec: object } } {
  const members = [
    {
      nodeSelector: devices(count),
      template: { spec: { containers: [{ name: 'engine', image: 'ollama:1' }] } },
    },
  ];
  return { replicas: 2, template: { spec: { engines: [{ name: 'main', members }] } } };
}

/** A replica that only the cluster of the alias group may take. */
function onAlias(): object {
  const { template } = plain(1);
  const clusterSelector = { matchLabels: { site: 'alias' } };
  return { replicas: 1, template: { ...template, spec: { ...template.spec, clusterSelector } } };
}

/** A pool that keeps a node without engines. */
function nodesInReserve(): Resource[] {
  return [
    resource(
      'InferenceClass',
      { name: 'sized' },
      { devices: [GPU], node: { allocatable: { cpu: '8', memory: '64Gi' } } },
    ),
    resource(
      'InferenceCluster',
      { name: 'reserve' },
      {
        cluster: existing(),
        nodePools: [
          { name: 'gpu', className: 'sized', minNodeCount: 1, maxNodeCount: 3, nodeCount: 1, overprovision: 1 },
        ],
        taints: [{ key: 'empty', effect: 'NoSchedule' }],
      },
    ),
  ];
}

function existing(): object {
  return { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } };
}

function resource(kind: string, metadata: object, spec: object, group = 'fleetwright.dev'): Resource {
  const parsed = parseResource({ apiVersion: `${group}/v1alpha1`, kind, metadata, spec });
  if ('findings' in parsed) throw new Error(`${kind}: ${JSON.stringify(parsed.findings)}`);
  return parsed.resource;
}
