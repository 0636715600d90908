import { aFleet, faultsOf, type Refused } from './build';

const rows: Record<string, Refused> = {
  'a cluster on GKE has a short name': {
    on: 'GKE',
    name: 'a'.repeat(41),
    want: [
      `InferenceCluster ${'a'.repeat(41)} metadata.name: '${'a'.repeat(41)}' is not a cluster name on GKE. Use at most 40 letters, digits and '-', starting with a letter.`,
    ],
  },
  'a cluster on EKS has a name that leaves room for those of its roles': {
    on: 'EKS',
    name: 'a'.repeat(38),
    want: [
      `InferenceCluster ${'a'.repeat(38)} metadata.name: '${'a'.repeat(38)}' is not a cluster name on EKS. Use at most 37 letters, digits and '-'.`,
    ],
  },
  'such a name may be as long as that room': { on: 'EKS', name: 'a'.repeat(37), want: [] },
  'a name on GKE has no dots': {
    on: 'GKE',
    name: 'us.prod',
    want: [
      "InferenceCluster us.prod metadata.name: 'us.prod' is not a cluster name on GKE. Use at most 40 letters, digits and '-', starting with a letter.",
    ],
  },
  'nor has one on EKS': {
    on: 'EKS',
    name: 'us.prod',
    want: [
      "InferenceCluster us.prod metadata.name: 'us.prod' is not a cluster name on EKS. Use at most 37 letters, digits and '-'.",
    ],
  },
  'a control plane on EKS names two zones of its region': {
    on: 'EKS',
    cloud: { zones: ['us-east-1a', 'us-east-1a'] },
    want: ['InferenceCluster us spec.cluster.eks.zones: a control plane needs at least two zones. List two.'],
  },
  'and none of another region': {
    on: 'EKS',
    cloud: { zones: ['us-east-1a', 'us-east-2b'] },
    want: [
      "InferenceCluster us spec.cluster.eks.zones.1: 'us-east-2b' is not a zone of the region us-east-1. Write it as in 'us-east-1a', or correct the region.",
    ],
  },
  'two of its region are enough, whatever its pools have': {
    on: 'EKS',
    cloud: { zones: ['us-east-1b', 'us-east-1c'] },
    want: [],
  },
  'a range begins where its prefix says': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.1.0/16' } },
    want: ["InferenceCluster us spec.network.cidr: '10.0.1.0/16' is not the start of a range. Write '10.0.0.0/16'."],
  },
  'a range is as large as the cloud takes': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.0.0/14' } },
    want: [
      "InferenceCluster us spec.network.cidr: the prefix length 14 is not between 16 and 20, which EKS requires. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a range is no smaller than its subnets need': {
    on: 'EKS',
    cluster: { network: { cidr: '10.0.0.0/21' } },
    want: [
      "InferenceCluster us spec.network.cidr: the prefix length 21 is not between 16 and 20, which EKS requires. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a range is one that a network can have': {
    on: 'GKE',
    cluster: { network: { cidr: '224.0.0.0/14' } },
    want: [
      "InferenceCluster us spec.network.cidr: '224.0.0.0/14' overlaps 224.0.0.0/3, which is multicast or reserved. Use a range like '10.0.0.0/14'.",
    ],
  },
  'a version of EKS has no patch': {
    on: 'EKS',
    cloud: { kubernetesVersion: '1.35.2' },
    want: [
      "InferenceCluster us spec.cluster.eks.kubernetesVersion: '1.35.2' is not a Kubernetes version of EKS. Write it as in '1.35'.",
    ],
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
  'so has the range that is used where none is named': {
    on: 'GKE',
    pools: { l4: { maxNodeCount: 507 } },
    want: [
      'InferenceCluster us spec.network.cidr: the range has addresses for the pods of 506 nodes, and the pools have 507. Use a larger range: each node takes 256 addresses for pods.',
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
      "InferenceCluster us spec.cluster.gke.kubernetesVersion: 'latest' is not a Kubernetes version of GKE. Write it as in '1.35'.",
    ],
  },
  'a version is one that the charts run on': {
    on: 'GKE',
    cloud: { kubernetesVersion: '1.37' },
    want: [
      'InferenceCluster us spec.cluster.gke.kubernetesVersion: Kubernetes 1.37 is not between 1.33 and 1.36, the versions for new clusters on GKE. Use one of these versions.',
    ],
  },
  'a version is one that the cloud still makes': {
    on: 'EKS',
    cloud: { kubernetesVersion: '1.33' },
    want: [
      'InferenceCluster us spec.cluster.eks.kubernetesVersion: Kubernetes 1.33 is not between 1.34 and 1.36, the versions for new clusters on EKS. Use one of these versions.',
    ],
  },
  'the oldest and the newest are': { on: 'EKS', cloud: { kubernetesVersion: '1.34' }, want: [] },
  'a version of GKE may be exact': {
    on: 'GKE',
    cloud: { kubernetesVersion: '1.34.1-gke.1829001' },
    want: [],
  },
  'a zone of another region than the one that is misspelled: the hint is the region that was meant': {
    on: 'GKE',
    cloud: { region: 'europe-wst4', zone: 'us-central1-a' },
    want: [
      "InferenceCluster us spec.cluster.gke.zone: 'us-central1-a' is not a zone of the region europe-wst4. Write it as in 'europe-west4-a', or correct the region: did you mean 'europe-west4'?",
      "InferenceCluster us spec.nodePools.0.zones.0: 'us-central1-a' is not a zone of the region europe-wst4. List its zones as in 'europe-west4-a', or correct the region: did you mean 'europe-west4'?",
    ],
  },
  'zones of a region, on a cluster in a region of another cloud: the hint is their region': {
    on: 'EKS',
    cloud: { region: 'us-central1', zones: ['us-east-1a', 'us-east-1b'] },
    want: [
      "InferenceCluster us spec.cluster.eks.zones.0: 'us-east-1a' is not a zone of the region us-central1. Correct the region: did you mean 'us-east-1'?",
      "InferenceCluster us spec.cluster.eks.zones.1: 'us-east-1b' is not a zone of the region us-central1. Correct the region: did you mean 'us-east-1'?",
      "InferenceCluster us spec.nodePools.0.zones.0: 'us-east-1a' is not a zone of the region us-central1. Correct the region: did you mean 'us-east-1'?",
    ],
  },
  'the zone of a control plane is in its region': {
    on: 'GKE',
    cloud: { zone: 'europe-west4-a' },
    want: [
      "InferenceCluster us spec.cluster.gke.zone: 'europe-west4-a' is not a zone of the region us-central1. Write it as in 'us-central1-a', or correct the region.",
    ],
  },
};

test.each(Object.entries(rows))('%s', (_name, { on, want, ...declared }) => {
  expect(faultsOf(aFleet(on, declared).fleet)).toEqual(want);
});
