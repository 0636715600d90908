import { aCluster, type Doc } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, told } from './rows';

const bad: Record<string, BadRow> = {
  'a source is one that we know': {
    change: { 'spec.cluster.source': 'OnPremises' },
    want: ["spec.cluster.source: 'OnPremises' is none of GKE, EKS, AKS, Nebius, Vultr, Existing."],
  },
  'the block of the source is required': {
    change: { 'spec.cluster.eks': undefined },
    want: ["spec.cluster.eks: the field 'eks' is missing. A cluster with source EKS needs it."],
  },
  'a region has a name': {
    change: { 'spec.cluster.eks.region': '' },
    want: ['spec.cluster.eks.region: an empty text is below the minimum of 1.'],
  },
  'an existing cluster has a kubeconfig': {
    change: { 'spec.cluster.existing': {} },
    want: ["spec.cluster.existing.secretRef: the field 'secretRef' is missing."],
  },
  'an identity is of a kind that we know': {
    change: { 'spec.cluster.existing.identitySecretRef.type': 'AzureCredentials' },
    want: [
      "spec.cluster.existing.identitySecretRef.type: 'AzureCredentials' is none of GoogleApplicationCredentials, AWSWebIdentityCredentials, NebiusServiceAccountCredentials.",
    ],
  },
  'a cluster taint has one of two effects': {
    change: { 'spec.taints.0.effect': 'PreferNoSchedule' },
    want: ["spec.taints.0.effect: 'PreferNoSchedule' is none of NoSchedule, NoExecute."],
  },
  'a taint has an effect': {
    change: { 'spec.taints.0.effect': undefined },
    want: ["spec.taints.0.effect: the field 'effect' is missing. Use one of NoSchedule, NoExecute."],
  },
  'a taint key is a label key': {
    change: { 'spec.taints.0.key': '' },
    want: [
      "spec.taints.0.key: '' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'a taint stands once for each key and effect': {
    change: {
      'spec.taints': [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', value: 'b', effect: 'NoSchedule' },
      ],
    },
    want: [
      "spec.taints.1: the taint 'a:NoSchedule' stands here twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'a cluster has at most 64 pools': {
    change: {
      'spec.nodePools': Array.from({ length: 65 }, (_, i) => ({
        name: 'p' + i,
        className: 'x',
        zones: ['a'],
      })),
    },
    want: ['spec.nodePools: a list of 65 items is above the maximum of 64.'],
  },
  'a pool name is a DNS label': {
    change: { 'spec.nodePools.0.name': 'h200.a' },
    want: [
      "spec.nodePools.0.name: 'h200.a' is not a DNS label. Use lowercase letters, digits and '-', with a letter or digit at both ends.",
    ],
  },
  'a pool name has at most 40 characters': {
    change: { 'spec.nodePools.0.name': 'p'.repeat(41) },
    want: ['spec.nodePools.0.name: a text of 41 characters is above the maximum of 40.'],
  },
  'pool names are distinct': {
    change: {
      'spec.nodePools': [
        { name: 'p', className: 'x', zones: ['a'] },
        { name: 'p', className: 'x', zones: ['a'] },
      ],
    },
    want: [
      "spec.nodePools.1.name: the name 'p' stands here twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'a pool has a class': {
    change: { 'spec.nodePools.0.className': undefined },
    want: ["spec.nodePools.0.className: the field 'className' is missing."],
  },
  'the minimum of a pool is at most its count': {
    change: { 'spec.nodePools.0.minNodeCount': 3 },
    want: ['spec.nodePools.0.minNodeCount: minNodeCount 3 is more than nodeCount 2.'],
  },
  'the count of a pool is at most its maximum': {
    change: { 'spec.nodePools.0.nodeCount': 5 },
    want: ['spec.nodePools.0.nodeCount: nodeCount 5 is more than maxNodeCount 4.'],
  },
  'the minimum of a pool is at most its maximum': {
    change: { 'spec.nodePools.0.nodeCount': undefined, 'spec.nodePools.0.minNodeCount': 5 },
    want: ['spec.nodePools.0.minNodeCount: minNodeCount 5 is more than maxNodeCount 4.'],
  },
  'a pool that scales can have a node': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], maxNodeCount: 0 }] },
    want: ['spec.nodePools.0.maxNodeCount: 0 is below the minimum of 1.'],
  },
  'a count is not negative': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], nodeCount: -1 }] },
    want: ['spec.nodePools.0.nodeCount: -1 is below the minimum of 0.'],
  },
  'a pool on EKS names its zones': {
    change: { 'spec.nodePools.0.zones': undefined },
    want: [
      "spec.nodePools.0.zones: the field 'zones' is missing. Name the zones of the region that have the machine type; EKS pools need them.",
    ],
  },
  'a pool on GKE names its zones': {
    change: { 'spec.cluster.source': 'GKE', 'spec.nodePools': [{ name: 'p', className: 'x', zones: [] }] },
    want: [
      "spec.nodePools.0.zones: the field 'zones' is missing. Name the zones of the region that have the machine type; GKE pools need them.",
    ],
  },
  'a capacity reservation has the form of AWS': {
    change: { 'spec.nodePools.0.capacityBlock.capacityReservationId': 'cr-XYZ' },
    want: [
      "spec.nodePools.0.capacityBlock.capacityReservationId: 'cr-XYZ' is not a capacity reservation. Use the ID that AWS gave, as in 'cr-0123456789abcdef0'.",
    ],
  },
  'capacity blocks and EFA are on EKS only': {
    change: { 'spec.cluster.source': 'GKE' },
    want: [
      'spec.nodePools.0.fabric.type: a cluster with source GKE has no fabric EFA. Remove it; EKS has it.',
      'spec.nodePools.0.capacityBlock: a cluster with source GKE has no capacity blocks. Remove it; EKS has them.',
    ],
  },
  'InfiniBand is on AKS and Nebius only': {
    change: { 'spec.nodePools.0.fabric': { type: 'InfiniBand' } },
    want: [
      'spec.nodePools.0.fabric.type: a cluster with source EKS has no fabric InfiniBand. Remove it; AKS and Nebius have it.',
    ],
  },
  'an existing cluster has no fabric to ask for': {
    change: {
      'spec.cluster.source': 'Existing',
      'spec.storage': undefined,
      'spec.nodePools': [{ name: 'p', className: 'x', fabric: { type: 'EFA' } }],
    },
    want: [
      'spec.nodePools.0.fabric.type: a cluster with source Existing has no fabric EFA. Remove it; EKS has it.',
    ],
  },
  'InfiniBand on Nebius names its fabric': {
    change: {
      'spec.cluster.source': 'Nebius',
      'spec.nodePools': [{ name: 'p', className: 'x', fabric: { type: 'InfiniBand' } }],
    },
    want: [
      "spec.nodePools.0.fabric.infiniband: the field 'infiniband' is missing. Nebius needs the name of the fabric that the capacity is on.",
    ],
  },
  'only InfiniBand names a fabric': {
    change: { 'spec.nodePools.0.fabric.infiniband': { fabric: 'fabric-2' } },
    want: [
      "spec.nodePools.0.fabric.infiniband: a fabric of type EFA takes no field 'infiniband'. Remove it, or set 'type: InfiniBand'.",
    ],
  },
  'a pool name on AKS has no dash': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: 'h-200', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: 'h-200' is not a pool name on AKS. Use at most 12 lowercase letters and digits, a letter first.",
    ],
  },
  'a pool name on AKS has at most 12 characters': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: 'abcdefghijklm', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: 'abcdefghijklm' is not a pool name on AKS. Use at most 12 lowercase letters and digits, a letter first.",
    ],
  },
  'a pool name on AKS starts with a letter': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: '8h200', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: '8h200' is not a pool name on AKS. Use at most 12 lowercase letters and digits, a letter first.",
    ],
  },
  'node labels have the form that Kubernetes wants': {
    change: { 'spec.nodePools.0.labels': { rack: 'a b' } },
    want: [
      "spec.nodePools.0.labels.rack: 'a b' is not a label value. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.",
    ],
  },
  'a node taint has one of three effects': {
    change: { 'spec.nodePools.0.taints.0.effect': 'Never' },
    want: ["spec.nodePools.0.taints.0.effect: 'Never' is none of NoSchedule, PreferNoSchedule, NoExecute."],
  },
  'the pool label is a label key': {
    change: { 'spec.poolLabel': 'a b' },
    want: [
      "spec.poolLabel: 'a b' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'namespaces are managed or existing': {
    change: { 'spec.namespaces': 'managed' },
    want: ["spec.namespaces: 'managed' is none of Managed, Existing. Use 'Managed'."],
  },
  'one storage class does not contradict its other spelling': {
    change: { 'spec.cluster.source': 'Existing', 'spec.nodePools': [] },
    want: [
      "spec.storage.sharedFilesystem.storageClassName: 'efs' contradicts 'nfs' of spec.cluster.existing.cache.storageClassName. Keep one of the two.",
    ],
  },
  "an older spelling of storage names today's place": {
    change: { 'spec.storage': { storageClassName: 'efs', csiDrivers: [] } },
    want: [
      "spec.storage.storageClassName: the field 'storageClassName' has no place here. Write it at spec.storage.sharedFilesystem.storageClassName.",
      "spec.storage.csiDrivers: the field 'csiDrivers' has no place here. Remove it, and name the storage class at spec.storage.sharedFilesystem.storageClassName.",
    ],
  },
  'hardware in a pool belongs into the class': {
    change: { 'spec.nodePools.0.machineType': 'x', 'spec.nodePools.0.devices': [] },
    want: [
      "spec.nodePools.0.machineType: the field 'machineType' has no place here. Write it at spec.provisioning of the InferenceClass that className names.",
      "spec.nodePools.0.devices: the field 'devices' has no place here. Write it at spec.devices of the InferenceClass that className names.",
    ],
  },
};

describe('InferenceCluster', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(told(changed(fullDocument('InferenceCluster'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const { spec } = aCluster('us', {
      source: 'GKE',
      nodePools: [{ name: 'h200', className: 'h200', zones: ['a'] }],
    });
    expect(spec).toEqual({
      cluster: { source: 'GKE', gke: { region: 'us-central1', kubernetesVersion: '1.35' } },
      taints: [],
      nodePools: [
        {
          name: 'h200',
          className: 'h200',
          nodeCount: 1,
          zones: ['a'],
          fabric: { type: 'None' },
          labels: {},
          taints: [],
        },
      ],
      poolLabel: 'fleetwright.dev/pool',
      namespaces: 'Managed',
      storage: {},
    });
  });

  const versions: Record<string, string> = {
    GKE: '1.35',
    EKS: '1.36',
    AKS: '1.34',
    Nebius: '1.34',
    Vultr: 'v1.36.1+3',
  };
  test.each(Object.entries(versions))('%s has Kubernetes %s unless told otherwise', (source, want) => {
    const { gke, eks, aks, nebius, vultr } = aCluster('us', { source }).spec.cluster;
    expect((gke ?? eks ?? aks ?? nebius ?? vultr)?.kubernetesVersion).toBe(want);
  });

  test('a cluster of the alias group has the pool label of that group', () => {
    expect(aCluster('us', { group: 'modelplane.ai' }).spec.poolLabel).toBe('modelplane.ai/pool');
    expect(aCluster('us', { group: 'modelplane.ai', poolLabel: 'a/b' }).spec.poolLabel).toBe('a/b');
  });

  test('an existing cluster has its own namespaces, keys of secrets, and one spelling of its storage class', () => {
    const existing = {
      secretRef: { name: 'kubeconfig' },
      identitySecretRef: { name: 'id' },
      cache: { storageClassName: 'nfs' },
    };
    const { spec } = aCluster('lab', { cluster: { source: 'Existing', existing } });
    expect(spec.namespaces).toBe('Existing');
    expect(spec.storage).toEqual({ sharedFilesystem: { storageClassName: 'nfs' } });
    expect(spec.cluster.existing?.secretRef.key).toBe('kubeconfig');
    expect(spec.cluster.existing?.identitySecretRef).toEqual({
      name: 'id',
      key: 'private_key',
      type: 'GoogleApplicationCredentials',
    });
  });

  test('the storage class of an unused block is not used', () => {
    const existing = { secretRef: { name: 'kubeconfig' }, cache: { storageClassName: 'nfs' } };
    expect(aCluster('us', { cluster: { source: 'Nebius', nebius: {}, existing } }).spec.storage).toEqual({});
  });

  const sizes: Record<string, { pool: Doc; want: number }> = {
    'a pool without sizes has one node': { pool: {}, want: 1 },
    'a pool that scales from zero starts with one node': {
      pool: { minNodeCount: 0, maxNodeCount: 4 },
      want: 1,
    },
    'a pool starts with its minimum': { pool: { minNodeCount: 3, maxNodeCount: 4 }, want: 3 },
    'a pool may start empty': { pool: { nodeCount: 0, maxNodeCount: 4 }, want: 0 },
  };
  test.each(Object.entries(sizes))('%s', (_, { pool, want }) => {
    expect(aCluster('us', { pools: { p: pool } }).spec.nodePools[0]?.nodeCount).toBe(want);
  });

  test('InfiniBand needs no name of a fabric on AKS', () => {
    const pools = { h200: { fabric: { type: 'InfiniBand' } } };
    expect(aCluster('eu', { source: 'AKS', pools }).spec.nodePools[0]?.fabric).toEqual({
      type: 'InfiniBand',
    });
  });
});
