import type { InferenceGateway } from '../../../src/api/inference-gateway';
import { releasesOf } from '../../../src/provision/releases/cluster-releases';
import type { Release } from '../../../src/provision/releases/release';
import { aClass, aCluster, type Doc, gpus, MACHINES, parsed } from '../../api/build';

const classes = [
  aClass('h100', { provisioning: MACHINES.GKE }),
  aClass('eks', { provisioning: MACHINES.EKS }),
  aClass('aks', {
    provisioning: {
      provider: 'AKS',
      aks: { vmSize: 'Standard_ND96isr_H100_v5', accelerator: { type: 'nvidia-h100', count: 8 } },
    },
  }),
  aClass('efa', {
    provisioning: MACHINES.EKS,
    devices: [gpus(8), { ...gpus(4), name: 'nic', driver: 'dra.net', deviceClassName: 'efa.networking.k8s.aws' }],
  }),
  aClass('amd', { devices: [gpus(8, { driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com' })] }),
  aClass('tpu', { devices: [gpus(4, { driver: 'tpu.google.com', deviceClassName: 'tpu.google.com' })] }),
  aClass('fake', { devices: [{ ...gpus(8), claim: 'Synthetic', deviceClassName: undefined }] }),
];

const GKE = { cluster: { source: 'GKE', gke: { region: 'us-central1' } } };
const EKS = { cluster: { source: 'EKS', eks: { region: 'us-east-1' } } };
const AKS = { cluster: { source: 'AKS', aks: { location: 'eastus' } } };

interface Row {
  spec?: Doc;
  pool?: Doc;
  gateways?: InferenceGateway[];
  want: string[];
}

/** The releases of an existing cluster with a pool of a class. */
function releases(spec: Doc = {}, pool: Doc = {}, gateways: InferenceGateway[] = []): Release[] {
  const nodePools = [{ name: 'p', className: 'h100', nodeCount: 1, ...pool }];
  const cluster = { source: 'Existing', existing: { context: 'lab' } };
  const lab = aCluster('lab', { cluster, nodePools, ...spec });
  return releasesOf(lab, { classes, clusters: [lab], gateways });
}

function release(name: string, spec: Doc = {}, pool: Doc = {}): Release | undefined {
  return releases(spec, pool).find((one) => one.name === name);
}

const DRIVER = 'dra-driver-nvidia-gpu';
const TPU_DRIVER = 'dra-driver-google-tpu';
const NFD = 'node-feature-discovery';
const OPERATOR = 'gpu-operator';
const zones = { zones: ['a'] };
const EFA = { className: 'efa', fabric: { type: 'EFA' } };

const BROUGHT = {
  hostname: 'a.example.com',
  tls: { certificateRef: { name: 'edge' }, clientCertificateRef: { name: 'front' }, caRef: { name: 'ca' } },
};

const ISSUED = { hostname: 'a.example.com', tls: { issuer: { name: 'ca' }, caRef: { name: 'ca' } } };

const installed: Record<string, Row> = {
  'an existing cluster with NVIDIA GPUs gets what runs gangs, and what finds and publishes its GPUs': {
    want: ['lws', NFD, DRIVER],
  },
  'GKE labels its nodes with GPUs, so nothing has to find them': {
    spec: GKE,
    pool: zones,
    want: ['lws', DRIVER],
  },
  'on AKS, the GPU Operator installs the driver and finds GPUs': {
    spec: AKS,
    pool: { className: 'aks' },
    want: ['lws', OPERATOR, DRIVER],
  },
  'on AKS, the driver of Azure Managed Lustre is installed where the cluster has it': {
    spec: {
      ...AKS,
      storage: { sharedFilesystem: { lustre: { sku: 'AMLFS-Durable-Premium-500', capacityTiB: 4, zone: '1' } } },
    },
    pool: { className: 'aks' },
    want: ['lws', OPERATOR, 'azurelustre', DRIVER],
  },
  'on AKS without claims, it also installs the device plugin': {
    spec: { ...AKS, dra: false },
    pool: { className: 'aks' },
    want: ['lws', OPERATOR],
  },
  'GPUs of AMD on AKS have a driver of their own': {
    spec: AKS,
    pool: { className: 'amd' },
    want: ['lws'],
  },
  'EKS does too': { spec: EKS, pool: { ...zones, className: 'eks' }, want: ['lws', DRIVER] },
  'a pool on EKS that may grow gets what grows it': {
    spec: EKS,
    pool: { ...zones, className: 'eks', maxNodeCount: 2 },
    want: ['lws', DRIVER, 'cluster-autoscaler'],
  },
  'a pool on EKS with EFA gets what publishes its network cards': {
    spec: EKS,
    pool: { ...zones, ...EFA },
    want: ['lws', DRIVER, 'aws-dranet'],
  },
  'cards that no class declares need nothing': {
    spec: EKS,
    pool: { ...zones, ...EFA, className: 'eks' },
    want: ['lws', DRIVER],
  },
  'nor do those of pools without EFA': {
    spec: EKS,
    pool: { ...zones, className: 'efa' },
    want: ['lws', DRIVER],
  },
  'nor do those that no one claims': {
    spec: { ...EKS, dra: false },
    pool: { ...zones, ...EFA },
    want: ['lws'],
  },
  'TPUs on GKE get what publishes them': {
    spec: GKE,
    pool: { ...zones, className: 'tpu' },
    want: ['lws', TPU_DRIVER],
  },
  'those of an existing cluster have it already': { pool: { className: 'tpu' }, want: ['lws'] },
  'TPUs that no one claims do without it': {
    spec: { ...GKE, dra: false },
    pool: { ...zones, className: 'tpu' },
    want: ['lws'],
  },
  'GKE grows its pools itself': { spec: GKE, pool: { ...zones, maxNodeCount: 2 }, want: ['lws', DRIVER] },
  'nothing grows a cluster that exists': { pool: { maxNodeCount: 2 }, want: ['lws', NFD, DRIVER] },
  'a cluster without DRA gets no driver that publishes for it': { spec: { dra: false }, want: ['lws'] },
  'a pool that declares the label needs nothing that finds its GPUs': {
    pool: { labels: { 'nvidia.com/gpu.present': 'true' } },
    want: ['lws', DRIVER],
  },
  'a pool of another driver gets no driver from us': { pool: { className: 'amd' }, want: ['lws'] },
  'devices that no one claims need no driver': { pool: { className: 'fake' }, want: ['lws'] },
  'a cluster without pools needs nothing': { spec: { nodePools: [] }, want: [] },
  'an issuer that no one asks, as the cluster takes no requests, needs nothing': {
    spec: { gateway: { ...ISSUED, enabled: false } },
    want: ['lws', NFD, DRIVER],
  },
  'a cluster with certificates can have gateways': {
    spec: { gateway: BROUGHT },
    want: ['envoy-gateway', 'lws', NFD, DRIVER],
  },
  'an issuer needs what has it make them': {
    spec: { gateway: ISSUED },
    want: ['cert-manager', 'envoy-gateway', 'lws', NFD, DRIVER],
  },
  'a cluster that takes no requests needs neither': {
    spec: { gateway: { ...BROUGHT, enabled: false } },
    want: ['lws', NFD, DRIVER],
  },
  'an issuer of the gateway on the cluster counts as well': {
    spec: { gateway: BROUGHT },
    gateways: [
      parsed('InferenceGateway', 'public', {
        hostname: 'models.example.com',
        tls: { issuer: { name: 'acme' } },
      }),
    ],
    want: ['cert-manager', 'envoy-gateway', 'lws', NFD, DRIVER],
  },
  'a release can be left out': {
    spec: { servingStack: { leaderWorkerSet: { install: false } } },
    want: [NFD, DRIVER],
  },
  'a release can be added': {
    spec: { servingStack: { certManager: { install: true }, prometheus: { install: true } } },
    want: ['cert-manager', 'lws', NFD, DRIVER, 'prometheus'],
  },
};

describe('the releases of a cluster', () => {
  test.each(Object.entries(installed))('%s', (_, { spec, pool, gateways, want }) => {
    expect(releases(spec, pool, gateways).map(({ name }) => name)).toEqual(want);
  });

  test('need only those that are installed', () => {
    expect(release(DRIVER)?.needs).toEqual([NFD]);
    expect(release(DRIVER, GKE, zones)?.needs).toEqual([]);
  });

  test('on AKS, the DRA driver waits for the GPU driver, which is where the GPU Operator installs it', () => {
    const taints = [{ key: 'team', value: 'a', effect: 'NoSchedule' }];
    const pool = { className: 'aks', taints };
    expect(release(DRIVER, AKS, pool)).toMatchObject({
      needs: [OPERATOR],
      values: { nvidiaDriverRoot: '/run/nvidia/driver' },
    });
    const tolerations = ['nvidia.com/gpu', 'team'].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
    expect(release(OPERATOR, AKS, pool)?.values).toMatchObject({
      driver: { enabled: true },
      devicePlugin: { enabled: false },
      daemonsets: { tolerations },
      'node-feature-discovery': { worker: { tolerations } },
    });
    expect(release(OPERATOR, { ...AKS, dra: false }, pool)?.values).toMatchObject({ devicePlugin: { enabled: true } });
  });

  test('come from where their charts are: a registry as one address, a repository apart', () => {
    expect(release('lws')).toMatchObject({ chart: 'oci://registry.k8s.io/lws/charts/lws' });
    expect(release('lws')).not.toHaveProperty('repository');
    const certManager = release('cert-manager', { servingStack: { certManager: { install: true } } });
    expect(certManager).toMatchObject({ chart: 'cert-manager', repository: 'https://charts.jetstack.io' });
  });

  test('of Envoy Gateway turn on what routes need', () => {
    const { values } = release('envoy-gateway', { servingStack: { envoyGateway: { install: true } } })!;
    expect(values).toEqual({
      config: {
        envoyGateway: {
          extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
        },
      },
    });
  });

  test('of network cards run on all nodes that have them', () => {
    const taints = [{ key: 'team', value: 'ml', effect: 'NoExecute' }];
    expect(release('aws-dranet', EKS, { ...zones, ...EFA, taints })?.values).toEqual({
      tolerations: [
        { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'team', operator: 'Exists', effect: 'NoExecute' },
      ],
    });
  });

  test('of the autoscaler name its cluster, and the account that EKS gives leave to', () => {
    const pool = { ...zones, className: 'eks', maxNodeCount: 2 };
    expect(release('cluster-autoscaler', EKS, pool)?.values).toEqual({
      fullnameOverride: 'cluster-autoscaler',
      cloudProvider: 'aws',
      awsRegion: 'us-east-1',
      autoDiscovery: { clusterName: 'lab' },
      rbac: { serviceAccount: { name: 'cluster-autoscaler' } },
    });
  });

  test('have another version, and values over ours', () => {
    const values = { image: { manager: { pullPolicy: 'Always' } }, tolerations: [] };
    const lws = release('lws', { servingStack: { leaderWorkerSet: { version: '0.9.0', values } } });
    expect(lws).toMatchObject({ version: '0.9.0' });
    // The tag of the image follows the version of the chart.
    expect(lws?.values).toEqual({
      image: { manager: { tag: 'v0.9.0', pullPolicy: 'Always' } },
      tolerations: [],
    });
  });

  test('come from mirrors where the cluster has some, and what users set wins', () => {
    const charts = 'oci://registry.example.com/charts';
    const mirror = { images: 'registry.example.com/mirror', charts };
    const own = { image: { repository: 'example.com/own' } };
    const servingStack = { nodeFeatureDiscovery: { values: own }, certManager: { install: true } };
    const all = releases({ mirror, servingStack });
    expect(all.map(({ chart }) => chart)).toEqual(
      ['cert-manager', 'lws', NFD, DRIVER].map((chart) => `${charts}/${chart}`),
    );
    expect(all.filter(({ repository }) => repository !== undefined)).toEqual([]);
    expect(all.map(({ values }) => values['image'])).toEqual([
      { repository: 'registry.example.com/mirror/jetstack/cert-manager-controller' },
      { manager: { repository: 'registry.example.com/mirror/lws/lws', tag: 'v0.10.0' } },
      own.image,
      { repository: 'registry.example.com/mirror/dra-driver-nvidia/dra-driver-nvidia-gpu' },
    ]);
    const repository = { mirror: { charts: 'https://charts.example.com' } };
    expect(release('lws', repository)).toMatchObject({ chart: 'lws', repository: repository.mirror.charts });
  });

  test('tolerate every taint of a pool with GPUs, each once', () => {
    const taints = [
      { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
      { key: 'team', value: 'ml', effect: 'NoExecute' },
    ];
    const want = [
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'team', operator: 'Exists', effect: 'NoExecute' },
    ];
    expect(release(NFD)?.values).toEqual({ worker: { tolerations: want.slice(0, 1) } });
    expect(release(NFD, {}, { taints })?.values).toEqual({ worker: { tolerations: want } });
    expect(release(DRIVER, {}, { taints })?.values).toMatchObject({ kubeletPlugin: { tolerations: want } });
  });

  test('know where GKE puts its driver, and which priority it admits', () => {
    expect(release(DRIVER, GKE, zones)?.values).toMatchObject({
      nvidiaDriverRoot: '/home/kubernetes/bin/nvidia',
      kubeletPlugin: { priorityClassName: '' },
    });
    expect(release(DRIVER)?.values).not.toHaveProperty('nvidiaDriverRoot');
    expect(release(DRIVER)?.values).not.toHaveProperty('kubeletPlugin.priorityClassName');
  });
});

test('the driver of TPUs runs on all nodes that have them, with a priority that GKE admits', () => {
  const taints = [{ key: 'team', value: 'ml', effect: 'NoExecute' }];
  expect(release(TPU_DRIVER, GKE, { ...zones, className: 'tpu', taints })?.values).toEqual({
    kubeletPlugin: {
      priorityClassName: '',
      tolerations: [
        { key: 'google.com/tpu', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'team', operator: 'Exists', effect: 'NoExecute' },
      ],
    },
  });
});
