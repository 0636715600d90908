import { describeProvisioning, describeUncreatedClusters } from '../../src/plan/notes';
import { aCluster } from '../api/build';
import { aFleet, type Declared } from '../provision/build';

interface Row extends Declared {
  on: 'GKE' | 'EKS' | 'AKS';
  want: string[];
}

const ZONES = { zones: ['us-east-1a', 'us-east-1b'] };

const notes: Record<string, Row> = {
  'a node that is kept, and fields without effect, on EKS': {
    on: 'EKS',
    pools: {
      a: { maxNodeCount: 2 },
      b: { minNodeCount: 1, maxNodeCount: 2 },
      c: { maxNodeCount: 3 },
      d: ZONES,
    },
    cluster: { network: { private: true }, storage: { sharedFilesystem: { tier: 'Zonal' } } },
    want: [
      'At least 1 node always runs in us/a, us/c, because the autoscaler of AWS does not know the devices of a pool without nodes.',
      'spec.network.private has no effect on us: nodes on EKS are always private.',
      'spec.storage.sharedFilesystem.tier has no effect on us: no Filestore is created there.',
    ],
  },
  'a node that is kept, a private API, long-term support and InfiniBand, on AKS': {
    on: 'AKS',
    cloud: { kubernetesVersion: '1.34' },
    pools: { a: { maxNodeCount: 2 }, b: { fabric: { type: 'InfiniBand' } } },
    cluster: { network: { private: true }, storage: { sharedFilesystem: { tier: 'Zonal' } } },
    want: [
      'At least 1 node always runs in us/a, because the autoscaler of Azure does not know the devices of a pool without nodes.',
      'The Kubernetes API of us has a private address only: run Pulumi in its network or a connected one.',
      'AKS has the Kubernetes version of us with long-term support only, in the tier Premium, which costs more.',
      "For InfiniBand in us/b, register the feature AKSInfinibandSupport of Microsoft.ContainerService before you create the pool, and install NVIDIA's Network Operator, which Fleetwright does not.",
      'spec.storage.sharedFilesystem.tier has no effect on us: no Filestore is created there.',
    ],
  },
  'a device plugin that no one installs, on EKS': {
    on: 'EKS',
    cluster: { dra: false },
    pools: { a: { ...ZONES, maxNodeCount: 2 } },
    want: ['No device plugin for GPUs is installed on us: EKS does not include one.'],
  },
  'nothing about devices of a cluster without pools': {
    on: 'EKS',
    cluster: { dra: false },
    pools: {},
    want: [expect.stringContaining('us/us-east-1a, us/us-east-1b')],
  },
  'a zone that no one declared, on EKS': {
    on: 'EKS',
    pools: { a: { zones: ['us-east-1b'] } },
    want: [
      'EKS requires two zones, so subnets are created in us/us-east-1a too. Set spec.cluster.eks.zones to keep both when you add pools in other zones, or if a zone of this name does not exist.',
    ],
  },
  'no zone where the control plane names its own, on EKS': {
    on: 'EKS',
    cloud: { zones: ['us-east-1a', 'us-east-1b'] },
    pools: { a: { zones: ['us-east-1b'] } },
    want: [],
  },
  'no tier of a storage class of its own, whose volumes it describes, on GKE': {
    on: 'GKE',
    cluster: { storage: { sharedFilesystem: { tier: 'Zonal', storageClassName: 'ours' } } },
    want: [],
  },
  'nothing of what has an effect, on GKE': {
    on: 'GKE',
    pools: { a: { maxNodeCount: 2 } },
    cluster: { dra: false, network: { private: true }, storage: { sharedFilesystem: { tier: 'Zonal' } } },
    want: [],
  },
};

test.each(Object.entries(notes))('notes tell %s', (_name, { on, want, ...declared }) => {
  expect(describeProvisioning([aFleet(on, declared).cluster])).toEqual(want);
});

test('a note is one line, however many clusters it is about', () => {
  const clusters = Array.from(
    { length: 10 },
    (_, index) =>
      aFleet('EKS', { name: `c${index}`, pools: { a: ZONES }, cluster: { network: { private: true } } }).cluster,
  );
  expect(describeProvisioning(clusters)).toEqual([
    'spec.network.private has no effect on c0, c1, c2, c3, c4, c5, c6, c7, 2 more: nodes on EKS are always private.',
  ]);
});

test('a note names the clusters of each cloud that only a program creates', () => {
  const clusters = [
    aCluster('bergen', { source: 'Nebius' }),
    aCluster('fra', { cluster: { source: 'Custom', custom: { cloud: 'OKE' } } }),
    aCluster('lab'),
    aCluster('oslo', { source: 'Nebius' }),
    aFleet('EKS', {}).cluster,
  ];
  expect(describeUncreatedClusters(clusters)).toEqual([
    'InferenceCluster bergen, oslo: only a Cloud of a Pulumi program creates clusters with source: Nebius. For one that exists, set source: Existing, and the labels fleetwright.dev/provider: Nebius and topology.kubernetes.io/region.',
    'InferenceCluster fra: only a Cloud of a Pulumi program creates clusters with source: Custom. For one that exists, set source: Existing, and the labels fleetwright.dev/provider: OKE and topology.kubernetes.io/region.',
  ]);
});

test('there are no notes about a cluster that exists', () => {
  expect(describeProvisioning([aCluster('lab', { pools: { a: { nodeCount: 1, maxNodeCount: 2 } } })])).toEqual([]);
});
