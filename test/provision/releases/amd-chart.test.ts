import { releasesOf } from '../../../src/provision/releases/cluster-releases';
import { aClass, aCluster, type Doc, gpus } from '../../api/build';

const classes = [
  aClass('amd', {
    provisioning: {
      provider: 'AKS',
      aks: { vmSize: 'Standard_ND96isr_MI300X_v5', accelerator: { type: 'amd-mi300x', count: 8 } },
    },
    devices: [gpus(8, { driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com' })],
  }),
  aClass('h100'),
];
const TAINTS = [{ key: 'team', value: 'a', effect: 'NoSchedule' }];
const TOLERATIONS = [{ key: 'team', operator: 'Exists', effect: 'NoSchedule' }];
const AKS = { source: 'AKS', aks: { location: 'eastus' } };
const EXISTING = { source: 'Existing', existing: { context: 'lab' } };

function releases(cluster: Doc, more: Doc = {}) {
  const lab = aCluster('lab', {
    cluster,
    nodePools: [{ name: 'amd', className: 'amd', nodeCount: 1, taints: TAINTS }],
    servingStack: { amdGpuOperator: { install: true } },
    ...more,
  });
  return releasesOf(lab, { classes, clusters: [lab], gateways: [] });
}

function valuesOf(cluster: Doc, more: Doc = {}) {
  return releases(cluster, more).find(({ name }) => name === 'amd-gpu-operator')?.values as Record<string, Doc>;
}

const NFD = 'node-feature-discovery';
const withNvidia = {
  nodePools: [
    { name: 'amd', className: 'amd', nodeCount: 1 },
    { name: 'h100', className: 'h100', nodeCount: 1 },
  ],
};

const rows: Record<string, { cluster: Doc; more?: Doc; want: Doc }> = {
  'selects nodes in Azure by their size: their GPUs are virtual functions': {
    cluster: AKS,
    want: {
      deviceConfig: { spec: { selector: { 'node.kubernetes.io/instance-type': 'Standard_ND96isr_MI300X_v5' } } },
    },
  },
  'runs the DRA driver where pods claim GPUs, on the taints of pools': {
    cluster: AKS,
    want: {
      deviceConfig: {
        spec: {
          devicePlugin: { enableDevicePlugin: false, nodeLabellerTolerations: TOLERATIONS },
          draDriver: { enable: true, tolerations: TOLERATIONS, image: 'docker.io/rocm/k8s-gpu-dra-driver:v1.0.1' },
        },
      },
      [NFD]: { enabled: true, worker: { tolerations: expect.arrayContaining(TOLERATIONS) } },
    },
  },
  'runs the device plugin where pods count them': {
    cluster: AKS,
    more: { dra: false },
    want: { deviceConfig: { spec: { devicePlugin: { enableDevicePlugin: true }, draDriver: { enable: false } } } },
  },
  'leaves the discovery of features to the releases of NVIDIA where a cluster has GPUs of both': {
    cluster: EXISTING,
    more: withNvidia,
    want: { [NFD]: { enabled: false } },
  },
  'keeps what users set: the registry of the kernel module': {
    cluster: AKS,
    more: {
      servingStack: {
        amdGpuOperator: {
          install: true,
          values: { deviceConfig: { spec: { driver: { enable: true, image: 'a/b' } } } },
        },
      },
    },
    want: { deviceConfig: { spec: { driver: { enable: true, image: 'a/b', tolerations: TOLERATIONS } } } },
  },
  'loads its DRA driver from a mirror': {
    cluster: AKS,
    more: { mirror: { images: 'mirror.example.com' } },
    want: { deviceConfig: { spec: { draDriver: { image: 'mirror.example.com/rocm/k8s-gpu-dra-driver:v1.0.1' } } } },
  },
};
test.each(Object.entries(rows))('the AMD GPU Operator %s', (_, { cluster, more, want }) => {
  expect(valuesOf(cluster, more)).toMatchObject(want);
});

test('the AMD GPU Operator selects whole GPUs by its own label', () => {
  expect(valuesOf(EXISTING)['deviceConfig']).not.toHaveProperty('spec.selector');
});

test('the AMD GPU Operator is installed on request, after what makes the certificates of its webhooks', () => {
  expect(releases(AKS).map(({ name, needs }) => [name, needs])).toEqual([
    ['cert-manager', []],
    ['lws', []],
    ['amd-gpu-operator', ['cert-manager']],
  ]);
  expect(releases(AKS, { servingStack: {} }).map(({ name }) => name)).toEqual(['lws']);
});
