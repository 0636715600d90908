import { provisioningErrors, provisioningWarnings } from '../../src/provision/check-provisioning';
import { aCluster } from '../api/build';
import { aFleet, faultsOf, lines, type Refused } from './build';

const FLEX = { machine: { flexStart: true } };

const rows: Record<string, Refused> = {
  'a good cluster on GKE has no problems': { on: 'GKE', machine: { driver: 'SelfManaged' }, want: [] },
  'a good cluster on EKS has no problems': { on: 'EKS', want: [] },
  'a zone of another region is told, on GKE': {
    on: 'GKE',
    pools: { l4: { zones: ['us-central2-a'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.0: 'us-central2-a' is no zone of the region us-central1. Name its zones as in 'us-central1-a', or correct the region.",
    ],
  },
  'a zone of another region is told, on EKS': {
    on: 'EKS',
    pools: { l4: { zones: ['us-east-1a', 'us-east-2a'], nodeCount: 2 } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.1: 'us-east-2a' is no zone of the region us-east-1. Name its zones as in 'us-east-1a', or correct the region.",
    ],
  },
  'a zone that is listed twice is told': {
    on: 'EKS',
    pools: { l4: { zones: ['us-east-1a', 'us-east-1a'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.1: the zone 'us-east-1a' is listed twice. Remove one.",
    ],
  },
  'no pool takes the name of the one for the cluster itself': {
    on: 'EKS',
    pools: { system: {} },
    want: [
      "InferenceCluster us spec.nodePools.0.name: 'system' is the pool that is made for the cluster itself. Use another name.",
    ],
  },
  'a pool on GKE begins with a letter': {
    on: 'GKE',
    pools: { '8x': {} },
    want: [
      "InferenceCluster us spec.nodePools.0.name: '8x' is not a pool name on GKE. Begin it with a letter.",
    ],
  },
  'a cluster on GKE has a short name': {
    on: 'GKE',
    name: 'a'.repeat(41),
    want: [
      `InferenceCluster ${'a'.repeat(41)} metadata.name: '${'a'.repeat(41)}' is not a cluster name on GKE. Use at most 40 characters, a letter first.`,
    ],
  },
  'a cluster on EKS has a name that leaves room for those of its roles': {
    on: 'EKS',
    name: 'a'.repeat(38),
    want: [
      `InferenceCluster ${'a'.repeat(38)} metadata.name: '${'a'.repeat(38)}' is not a cluster name on EKS. Use at most 37 characters.`,
    ],
  },
  'such a name may be as long as that room': { on: 'EKS', name: 'a'.repeat(37), want: [] },
  'a fixed size can be shared out over the zones of GKE': {
    on: 'GKE',
    pools: { l4: { nodeCount: 3, zones: ['us-central1-a', 'us-central1-b'] } },
    want: [
      'InferenceCluster us spec.nodePools.0.nodeCount: 3 nodes cannot be shared out over 2 zones, and GKE makes as many in each. Use a multiple of 2, or set maxNodeCount to let an autoscaler decide.',
    ],
  },
  'EKS shares out any size': {
    on: 'EKS',
    pools: { l4: { nodeCount: 3, zones: ['us-east-1a', 'us-east-1b'] } },
    want: [],
  },
  'flexible start begins without nodes': {
    on: 'GKE',
    ...FLEX,
    pools: { a: {}, b: { minNodeCount: 1, maxNodeCount: 2 }, c: { maxNodeCount: 2 } },
    want: [
      "InferenceCluster us spec.nodePools.0.maxNodeCount: nodes with flexStart are queued for, and pool 'a' must have none at first. Set maxNodeCount, and no minNodeCount.",
      "InferenceCluster us spec.nodePools.1.minNodeCount: nodes with flexStart are queued for, and pool 'b' must have none at first. Set maxNodeCount, and no minNodeCount.",
    ],
  },
  'nodes that stand close together are in one zone, on GKE': {
    on: 'GKE',
    machine: { compactPlacement: true },
    pools: { l4: { zones: ['us-central1-a', 'us-central1-b'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: compactPlacement is in one zone, and pool 'l4' is in several. Make a pool in each zone.",
    ],
  },
  'a placement group and a capacity block are in one zone': {
    on: 'EKS',
    machine: { placementGroup: true },
    pools: {
      a: { zones: ['us-east-1a', 'us-east-1b'] },
      b: { zones: ['us-east-1a', 'us-east-1b'], capacityBlock: { capacityReservationId: 'cr-01' } },
    },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: placementGroup is in one zone, and pool 'a' is in several. Make a pool in each zone.",
      "InferenceCluster us spec.nodePools.1.zones: capacityBlock is in one zone, and pool 'b' is in several. Make a pool in each zone.",
    ],
  },
  'a capacity block is paid for, and not on spot': {
    on: 'EKS',
    machine: { spot: true },
    pools: { a: {}, b: { capacityBlock: { capacityReservationId: 'cr-01' } } },
    want: [
      "InferenceCluster us spec.nodePools.1.capacityBlock: nodes of pool 'b' cannot come from both a capacity block and spot, as InferenceClass 'gpu' has it. Use a class without spot, or remove it.",
    ],
  },
  'a control plane on EKS names two zones of its region': {
    on: 'EKS',
    cloud: { zones: ['us-east-1a', 'us-east-1a'] },
    want: ['InferenceCluster us spec.cluster.eks.zones: a control plane is in two zones at least. Name two.'],
  },
  'and none of another region': {
    on: 'EKS',
    cloud: { zones: ['us-east-1a', 'us-east-2b'] },
    want: [
      "InferenceCluster us spec.cluster.eks.zones.1: 'us-east-2b' is no zone of the region us-east-1. Write it as in 'us-east-1a', or correct the region.",
    ],
  },
  'what a cluster says for EKS is nothing to GKE': {
    on: 'GKE',
    cluster: {
      cluster: {
        source: 'GKE',
        gke: { region: 'us-central1' },
        eks: { region: 'us-east-1', zones: ['us-east-2b'] },
      },
    },
    want: [],
  },
  'two of its region are enough, whatever its pools have': {
    on: 'EKS',
    cloud: { zones: ['us-east-1b', 'us-east-1c'] },
    want: [],
  },
  'a range begins where its prefix says': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.1.0/16' } },
    want: [
      "InferenceCluster us spec.network.cidr: '10.0.1.0/16' begins in the middle of a range. Write '10.0.0.0/16'.",
    ],
  },
  'a range is as large as the cloud takes': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.0.0/14' } },
    want: [
      "InferenceCluster us spec.network.cidr: a prefix of 14 is not between 16 and 20, as EKS needs. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a range is no smaller than its subnets need': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.0.0/21' } },
    want: [
      "InferenceCluster us spec.network.cidr: a prefix of 21 is not between 16 and 20, as EKS needs. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a range is one that a network can have': {
    on: 'GKE',
    cluster: { network: { cidr: '224.0.0.0/14' } },
    want: [
      "InferenceCluster us spec.network.cidr: '224.0.0.0/14' overlaps 224.0.0.0/3, which is for many hosts at once, or kept back. Use a range like '10.0.0.0/14'.",
    ],
  },
  'a version of EKS has no patch': {
    on: 'EKS',
    cloud: { kubernetesVersion: '1.35.2' },
    want: [
      "InferenceCluster us spec.cluster.eks.kubernetesVersion: '1.35.2' is no version of EKS. Write it as in '1.35'.",
    ],
  },
  'a zone of Google for accelerators alone is one of its region': {
    on: 'GKE',
    pools: { l4: { zones: ['us-central1-ai1a'] } },
    want: [],
  },
  'a range leaves alone what container runtimes use': {
    on: 'EKS',
    cluster: { network: { cidr: '172.17.0.0/16' } },
    want: [
      "InferenceCluster us spec.network.cidr: '172.17.0.0/16' overlaps 172.17.0.0/16, which container runtimes use. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a range has addresses for the pods of all nodes': {
    on: 'GKE',
    cluster: { network: { cidr: '10.0.0.0/19' } },
    pools: { l4: { maxNodeCount: 11 } },
    want: [
      'InferenceCluster us spec.network.cidr: the range has addresses for the pods of 10 nodes, and the pools have 11. Use a larger range: each node takes 256 addresses for pods.',
    ],
  },
  'a range that is just large enough is': {
    on: 'GKE',
    cluster: { network: { cidr: '10.0.0.0/19' } },
    pools: { l4: { maxNodeCount: 10 } },
    want: [],
  },
  'a version is one': {
    on: 'GKE',
    cloud: { kubernetesVersion: 'latest' },
    want: [
      "InferenceCluster us spec.cluster.gke.kubernetesVersion: 'latest' is no version of GKE. Write it as in '1.35'.",
    ],
  },
  'a version is one that the charts run on': {
    on: 'GKE',
    cloud: { kubernetesVersion: '1.37' },
    want: [
      'InferenceCluster us spec.cluster.gke.kubernetesVersion: Kubernetes 1.37 is not between 1.33 and 1.36, with which clusters on GKE are made. Use one of these.',
    ],
  },
  'a version is one that the cloud still makes': {
    on: 'EKS',
    cloud: { kubernetesVersion: '1.33' },
    want: [
      'InferenceCluster us spec.cluster.eks.kubernetesVersion: Kubernetes 1.33 is not between 1.34 and 1.36, with which clusters on EKS are made. Use one of these.',
    ],
  },
  'the oldest and the newest are': { on: 'EKS', cloud: { kubernetesVersion: '1.34' }, want: [] },
  'a version of GKE may be exact': {
    on: 'GKE',
    cloud: { kubernetesVersion: '1.34.1-gke.1829001' },
    want: [],
  },
  'the zone of a control plane is in its region': {
    on: 'GKE',
    cloud: { zone: 'europe-west4-a' },
    want: [
      "InferenceCluster us spec.cluster.gke.zone: 'europe-west4-a' is no zone of the region us-central1. Write it as in 'us-central1-a', or correct the region.",
    ],
  },
};

test.each(Object.entries(rows))('%s', (_name, { on, want, ...declared }) => {
  expect(faultsOf(aFleet(on, declared).fleet)).toEqual(want);
});

test('clusters that exist, or that nobody makes here, are left alone', () => {
  const { fleet } = aFleet('GKE');
  const clusters = [aCluster('aks', { source: 'AKS' }), aCluster('lab', { pools: { x: 1 } })];
  expect(faultsOf({ ...fleet, clusters })).toEqual([]);
});

test('what a cloud would refuse is an error under our group, and a warning under the alias group', () => {
  const { fleet } = aFleet('EKS', { pools: { system: {} } });
  const clusters = fleet.clusters.map((cluster) => ({ ...cluster, group: 'modelplane.ai' as const }));
  const alias = { ...fleet, clusters };
  const want = faultsOf(fleet);
  expect(want).toHaveLength(1);
  expect([lines(provisioningErrors(fleet)), lines(provisioningWarnings(fleet))]).toEqual([want, []]);
  expect([lines(provisioningErrors(alias)), lines(provisioningWarnings(alias))]).toEqual([[], want]);
});
