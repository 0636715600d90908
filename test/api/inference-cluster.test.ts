import { aCluster } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const GKE = { 'spec.cluster': { source: 'GKE', gke: { region: 'us-central1' } }, 'spec.nodePools': [] };

const bad: Record<string, BadRow> = {
  'a name has at most 63 characters, since it is a label of workloads': {
    change: { 'metadata.name': 'a'.repeat(64) },
    want: [
      'metadata.name: a text of 64 characters is greater than the maximum of 63. Shorten it: it is the value of a label of workloads.',
    ],
  },
  'a source is one that we know': {
    change: { 'spec.cluster.source': 'OnPremises' },
    want: [
      "spec.cluster.source: unknown value 'OnPremises': expected GKE, EKS, AKS, Nebius, Vultr, Custom, Existing. Use 'Existing'.",
    ],
  },
  'the block of the source is required': {
    change: { 'spec.cluster.eks': undefined },
    want: ["spec.cluster.gke: 'gke' is for source GKE, and the source is EKS. Write 'eks', or 'source: GKE'."],
  },
  'what other clouds call a region is a location of AKS': {
    change: { 'spec.cluster': { source: 'AKS', aks: { region: 'westeurope' } } },
    want: ["spec.cluster.aks.region: the field 'region' is not allowed here. Use 'location', as AKS calls it."],
  },
  'a region has a name': {
    change: { 'spec.cluster.eks.region': '' },
    want: ['spec.cluster.eks.region: an empty text is less than the minimum of 1. Write a text, or remove the field.'],
  },
  'an existing cluster has a kubeconfig or a context': {
    change: { 'spec.cluster.existing': {} },
    want: [
      "spec.cluster.existing.secretRef: the field 'secretRef' is missing. Or set 'context' to a context of your kubeconfig file.",
    ],
  },
  'a scheduler with queues needs the queue': {
    change: { 'spec.scheduler': { type: 'Kueue' } },
    want: [
      "spec.scheduler.queue: the field 'queue' is missing. Pods that Kueue schedules need a queue: write its name.",
    ],
  },
  'kube-scheduler has neither queue nor quota': {
    change: { 'spec.scheduler': { queue: 'inference', quota: { 'gpu.nvidia.com': 1 } } },
    want: ['queue', 'quota'].map(
      (field) =>
        `spec.scheduler.${field}: kube-scheduler has no queues. Remove it, or set type to KAI, Kueue or Volcano.`,
    ),
  },
  'only queues of Kueue are managed': {
    change: { 'spec.scheduler': { type: 'KAI', queue: 'inference', manage: true } },
    want: [
      "spec.scheduler.manage: only queues of Kueue can be managed, and type is KAI. Remove it, or set 'type: Kueue'.",
    ],
  },
  'a managed queue has the quota of its pools': {
    change: { 'spec.scheduler': { type: 'Kueue', queue: 'inference', manage: true, quota: { 'gpu.nvidia.com': 1 } } },
    want: [
      "spec.scheduler.quota: the quota of a queue that Fleetwright manages is what the pools have. Remove it, or set 'manage: false'.",
    ],
  },
  'a scheduler is one of four': {
    change: { 'spec.scheduler': { type: 'Kueu', queue: 'inference' } },
    want: ["spec.scheduler.type: unknown value 'Kueu': expected Default, KAI, Kueue, Volcano. Use 'Kueue'."],
  },
  'a backend is one of three': {
    change: { 'spec.backend': { type: 'Kserve' } },
    want: ["spec.backend.type: unknown value 'Kserve': expected Native, KServe, Dynamo. Use 'KServe'."],
  },
  'manifests are made for later versions of Dynamo': {
    change: { 'spec.backend': { type: 'Dynamo', version: '1.2' } },
    want: [
      "spec.backend.version: Dynamo 1.2 is earlier than the first version for which manifests in nvidia.com/v1beta1 are made. Upgrade to 1.3 or later, or set 'type: Native'.",
    ],
  },
  'graphs of Dynamo share namespaces': {
    change: { 'spec.backend': { type: 'Dynamo', sharedNamespaces: ['ml'] } },
    want: [
      "spec.backend.sharedNamespaces: the type is Dynamo, which affects no other workloads of a namespace. Remove it, or set 'type: KServe'.",
    ],
  },
  'Kubernetes alone has no version of a backend': {
    change: { 'spec.backend': { version: '0.20' } },
    want: [
      "spec.backend.version: the type is Native, which installs nothing and has no version. Remove it, or set 'type: KServe'.",
    ],
  },
  'a version of KServe serves the API': {
    change: { 'spec.backend': { type: 'KServe', version: '0.16' } },
    want: [
      "spec.backend.version: KServe 0.16 does not serve serving.kserve.io/v1alpha2. Upgrade to 0.17 or later, or set 'type: Native'.",
    ],
  },
  'a release is one that we know': {
    change: { 'spec.servingStack.lws': { install: false } },
    want: [
      "spec.servingStack.lws: unknown field 'lws'. Use one of envoyGateway, leaderWorkerSet, nvidiaDraDriver, nodeFeatureDiscovery, gpuOperator, amdGpuOperator, azureLustre, awsDranet, tpuDraDriver, neuron, clusterAutoscaler, certManager, prometheus, keda, kedaHttpAddOn, kueue, kserve, kserveCrds, dynamo, kai, aiGatewayCrds, aiGateway, inferenceCrds.",
    ],
  },
  'a kind that no chart has is not a Kubernetes version of one': {
    change: { 'spec.servingStack.inferenceCrds': { version: 'v1.6.0' } },
    want: ["spec.servingStack.inferenceCrds.version: unknown field 'version'. Use 'install'."],
  },
  'a value of a chart is a number that JSON holds': {
    change: { 'spec.servingStack.prometheus.values': { a: [{ b: 9007199254740993n }] } },
    want: [
      'spec.servingStack.prometheus.values.a: it contains an integer that would be rounded. Put it in quotes: charts accept numbers of at most 53 bits.',
    ],
  },
  'charts are mirrored in a registry or a repository': {
    change: { 'spec.mirror.charts': 'registry.example.com/charts' },
    want: [
      "spec.mirror.charts: 'registry.example.com/charts' is not a repository of charts. Use its address without a slash at the end, as in 'oci://registry.example.com/charts'.",
    ],
  },
  'an identity is of a kind that we know': {
    change: { 'spec.cluster.existing.identitySecretRef.type': 'AzureCredentials' },
    want: [
      "spec.cluster.existing.identitySecretRef.type: unknown value 'AzureCredentials'. Use one of GoogleApplicationCredentials, AWSWebIdentityCredentials, NebiusServiceAccountCredentials.",
    ],
  },
  'a cluster taint has one of two effects': {
    change: { 'spec.taints.0.effect': 'PreferNoSchedule' },
    want: ["spec.taints.0.effect: unknown value 'PreferNoSchedule'. Use one of NoSchedule, NoExecute."],
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
  'a taint value is a label value': {
    change: { 'spec.taints.0.value': 'a b' },
    want: [
      "spec.taints.0.value: 'a b' is not a label value. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.",
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
      "spec.taints.1: the taint 'a:NoSchedule' is listed twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'capacity blocks and EFA are on EKS only': {
    change: { 'spec.cluster.source': 'GKE' },
    want: [
      'spec.nodePools.0.fabric.type: a cluster with source GKE has no fabric EFA. Remove it. Only EKS has it.',
      'spec.nodePools.0.capacityBlock: a cluster with source GKE has no capacity blocks. Remove it. Only EKS has them.',
    ],
  },
  'node labels have the form that Kubernetes wants': {
    change: { 'spec.nodePools.0.labels': { rack: 'a b' } },
    want: [
      "spec.nodePools.0.labels.rack: 'a b' is not a label value. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.",
    ],
  },
  'the pool label is a label key': {
    change: { 'spec.poolLabel': 'a b' },
    want: [
      "spec.poolLabel: 'a b' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'a cluster is paused or not': {
    change: { 'spec.paused': 'yes' },
    want: ['spec.paused: expected true or false, got the text "yes". Write true.'],
  },
  'namespaces are managed or existing': {
    change: { 'spec.namespaces': 'managed' },
    want: ["spec.namespaces: unknown value 'managed': expected Managed, Existing. Use 'Managed'."],
  },
  'one storage class does not contradict its other spelling': {
    change: { 'spec.cluster.source': 'Existing', 'spec.nodePools': [] },
    want: [
      "spec.storage.sharedFilesystem.storageClassName: 'efs' contradicts 'nfs' of spec.cluster.existing.cache.storageClassName. Keep one of the two.",
    ],
  },
  'the class of a provisioned cluster is none that its cloud makes, in another network': {
    change: { ...GKE, 'spec.storage.sharedFilesystem.storageClassName': 'standard-rwx' },
    want: [
      "spec.storage.sharedFilesystem.storageClassName: 'standard-rwx' is a storage class of GKE itself, and makes volumes in the network 'default', which nodes of this cluster cannot reach. Remove it to use the shared file system that comes with the cluster, or name a storage class of your own.",
    ],
  },
  'the class of a provisioned cluster is none that its cloud makes, for one node': {
    change: { ...GKE, 'spec.storage.sharedFilesystem.storageClassName': 'standard-rwo' },
    want: [
      "spec.storage.sharedFilesystem.storageClassName: 'standard-rwo' is a storage class of GKE itself, and makes volumes for one node at a time. Remove it to use the shared file system that comes with the cluster, or name a storage class of your own.",
    ],
  },
  'a range of addresses is one': {
    change: { 'spec.network.cidr': '10.0.0/16' },
    want: ["spec.network.cidr: '10.0.0/16' is not a range of IPv4 addresses. Write it as in '10.0.0.0/16'."],
  },
  'a byte of an address is below 256': {
    change: { 'spec.network.authorizedNetworks': ['10.0.0.256/32'] },
    want: [
      "spec.network.authorizedNetworks.0: '10.0.0.256/32' is not a range of IPv4 addresses. Write it as in '10.0.0.0/16'.",
    ],
  },
  "an older spelling of storage names today's place": {
    change: { 'spec.storage': { storageClassName: 'efs', csiDrivers: [] } },
    want: [
      "spec.storage.storageClassName: the field 'storageClassName' is not allowed here. Move it to spec.storage.sharedFilesystem.storageClassName.",
      "spec.storage.csiDrivers: the field 'csiDrivers' is not allowed here. Remove it, and declare the storage itself: spec.storage.sharedFilesystem, blockDevice or objectStorageMount.",
    ],
  },
};

describe('InferenceCluster', () => {
  test.each([
    ['GKE', 'filestore'],
    ['EKS', 'standard-rwx'],
    ['AKS', 'azurefile-csi'],
    ['Existing', 'standard-rwx'],
  ])('on %s the class may be %s', (source, storageClassName) => {
    expect(() => aCluster('a', { source, storage: { sharedFilesystem: { storageClassName } } })).not.toThrow();
  });

  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceCluster'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const { spec } = aCluster('us', {
      source: 'GKE',
      nodePools: [{ name: 'h200', className: 'h200', zones: ['a'] }],
    });
    const addons = { persistentDisk: true, gcsFuse: false };
    expect(spec).toEqual({
      cluster: { source: 'GKE', gke: { region: 'us-central1', kubernetesVersion: '1.35', addons } },
      taints: [],
      nodePools: [
        {
          name: 'h200',
          className: 'h200',
          nodeCount: 1,
          zones: ['a'],
          fabric: { type: 'None' },
          labels: {},
          packing: 'Spread',
          reserved: { devices: {} },
          taints: [],
        },
      ],
      paused: false,
      dra: true,
      mirror: {},
      servingStack: {},
      poolLabel: 'fleetwright.dev/pool',
      namespaces: 'Managed',
      gateway: { enabled: true, reach: 'Public' },
      storage: {},
      network: { private: false, authorizedNetworks: [] },
      deletionProtection: true,
    });
  });

  const versions = { GKE: '1.35', EKS: '1.36', AKS: '1.36', Nebius: '1.34', Vultr: 'v1.36.1+3' };
  test.each(Object.entries(versions))('%s has Kubernetes %s by default', (source, want) => {
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
    expect(spec.cluster.existing?.secretRef?.key).toBe('kubeconfig');
    expect(spec.cluster.existing?.identitySecretRef).toEqual({
      name: 'id',
      key: 'private_key',
      type: 'GoogleApplicationCredentials',
    });
  });

  test('an existing cluster may be a context of the kubeconfig file instead', () => {
    const { spec } = aCluster('lab', { cluster: { source: 'Existing', existing: { context: 'lab' } } });
    expect(spec.cluster.existing).toEqual({ context: 'lab' });
  });

  test('credentials without fields are those that the alias group takes', () => {
    const gke = { region: 'us-central1', credentials: {} };
    const { cluster } = aCluster('us', { cluster: { source: 'GKE', gke } }).spec;
    expect(cluster.gke?.credentials).toEqual({ type: 'ClusterProviderConfig', name: 'default' });
  });

  test('the storage class of an unused block is not used', () => {
    const existing = { secretRef: { name: 'kubeconfig' }, cache: { storageClassName: 'nfs' } };
    expect(aCluster('us', { cluster: { source: 'Nebius', nebius: {}, existing } }).spec.storage).toEqual({});
  });
});
