import { gpus } from '../../api/build';
import { aFleet, faultsOf, type Refused } from '../build';

const ND = {
  machine: { vmSize: 'Standard_ND96isr_H100_v5', accelerator: { type: 'nvidia-h100', count: 8 } },
  class: { devices: [gpus(8, { attributes: {}, capacity: {} })] },
};

const lustre = (declared: object) => ({
  storage: { sharedFilesystem: { lustre: { sku: 'AMLFS-Durable-Premium-250', capacityTiB: 8, ...declared } } },
});

const rows: Record<string, Omit<Refused, 'on'>> = {
  'a cluster has a name that is the start of its DNS name': {
    name: 'a'.repeat(55),
    want: [
      `InferenceCluster ${'a'.repeat(55)} metadata.name: '${'a'.repeat(55)}' is not a cluster name on AKS. Use at most 54 letters, digits and '-'.`,
    ],
  },
  'a name of that length is fine': { name: 'a'.repeat(54), want: [] },
  'a network does not overlap the addresses of pods': {
    cluster: { network: { cidr: '10.240.0.0/12' } },
    want: [
      "InferenceCluster us spec.network.cidr: '10.240.0.0/12' overlaps 10.244.0.0/14, which the pods use. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a network does not overlap addresses that AKS reserves': {
    cluster: { network: { cidr: '172.31.0.0/16' } },
    want: [
      "InferenceCluster us spec.network.cidr: '172.31.0.0/16' overlaps 172.30.0.0/15, which AKS reserves. Use a range like '10.0.0.0/16'.",
    ],
  },
  'a private API has no authorized networks': {
    cluster: { network: { private: true, authorizedNetworks: ['198.51.100.0/24'] } },
    want: [
      'InferenceCluster us spec.network.authorizedNetworks: a private API on AKS has no address outside its network, so no network can be authorized. Remove it, or remove private.',
    ],
  },
  'a version is one that AKS offers': {
    cloud: { kubernetesVersion: '1.33' },
    want: [
      'InferenceCluster us spec.cluster.aks.kubernetesVersion: Kubernetes 1.33 is not between 1.34 and 1.36, the versions for new clusters on AKS. Use one of these versions.',
    ],
  },
  'an exact version is fine': { cloud: { kubernetesVersion: '1.36.2' }, want: [] },
  'a zone is a number': {
    pools: { a: { zones: ['eastus-1'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.0: 'eastus-1' is not a zone of the region eastus. List its zones as in '1', or correct the region.",
    ],
  },
  'all pools together have addresses for their pods': {
    pools: { a: { maxNodeCount: 900 }, b: { maxNodeCount: 119 } },
    want: [
      'InferenceCluster us spec.nodePools: the pools have 1019 nodes, and the range of pods on AKS, 10.244.0.0/14, has addresses for 1018. Use several clusters.',
    ],
  },
  'a pool has at most a thousand nodes': {
    pools: { a: { maxNodeCount: 1001 } },
    want: [
      "InferenceCluster us spec.nodePools.0.maxNodeCount: pool 'a' has 1001 nodes, and a pool on AKS has at most 1000. Use several pools.",
    ],
  },
  'labels of AKS are not declared': {
    pools: { a: { labels: { 'kubernetes.azure.com/mode': 'user' } } },
    want: [
      "InferenceCluster us spec.nodePools.0.labels.kubernetes.azure.com/mode: AKS reserves the label 'kubernetes.azure.com/mode'. Use another prefix.",
    ],
  },
  'a disk has a size that AKS accepts': {
    machine: { diskSizeGb: 4096 },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has a disk of 4096 GB, and AKS accepts 30 to 2048. Correct spec.provisioning.aks.diskSizeGb of the class.",
    ],
  },
  'a size has whole GPUs': {
    machine: { vmSize: 'Standard_NV36ads_A10_v5' },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' uses 'Standard_NV36ads_A10_v5', which has virtual GPUs: the driver that is installed on AKS does not support them. Use a size of the NC or ND series.",
    ],
  },
  'a size has as many GPUs as the class declares': {
    class: { devices: [gpus(2, { attributes: {}, capacity: {} })] },
    want: [
      "InferenceClass gpu spec.devices: the class declares 2 GPUs for each node, and 'Standard_NC40ads_H100_v5' has 1. Correct the device or the instance type.",
    ],
  },
  'Azure Managed Lustre has a capacity in steps of its SKU': {
    cluster: lustre({ sku: 'AMLFS-Durable-Premium-125', capacityTiB: 20, zone: '1' }),
    want: [
      'InferenceCluster us spec.storage.sharedFilesystem.lustre.capacityTiB: AMLFS-Durable-Premium-125 has 16 to 400 TiB in steps of 16, not 20. Use 32, or another SKU.',
    ],
  },
  'Azure Managed Lustre has at most the capacity that Azure states a subnet for': {
    cluster: lustre({ sku: 'AMLFS-Durable-Premium-500', capacityTiB: 132, zone: '1' }),
    want: [
      'InferenceCluster us spec.storage.sharedFilesystem.lustre.capacityTiB: AMLFS-Durable-Premium-500 has 4 to 128 TiB in steps of 4, not 132. Use 128, or another SKU.',
    ],
  },
  'Azure Managed Lustre is in one zone of several': {
    cluster: lustre({}),
    pools: { a: { zones: ['1'] }, b: { zones: ['2'] } },
    want: [
      "InferenceCluster us spec.storage.sharedFilesystem.lustre: Azure Managed Lustre is in one zone, and the pools are in the zones 1, 2. Set 'zone' to the one in which most engines load.",
    ],
  },
  'Azure Managed Lustre has a zone where the region has zones': {
    cluster: lustre({}),
    pools: { a: { zones: [] } },
    want: [
      "InferenceCluster us spec.storage.sharedFilesystem.lustre: Azure Managed Lustre is in one zone, and no pool names its zone. Set 'zone' to the one in which most engines load.",
    ],
  },
  'Azure Managed Lustre has no zone where the region has none': {
    cloud: { location: 'westus' },
    cluster: lustre({}),
    pools: { a: { zones: [] } },
    want: [],
  },
  'a zone of Azure Managed Lustre is a number': {
    cluster: lustre({ zone: 'eastus-1' }),
    want: [
      "InferenceCluster us spec.storage.sharedFilesystem.lustre.zone: 'eastus-1' is not a zone of the region eastus. Write it as in '1', or correct the region.",
    ],
  },
  'InfiniBand is in sizes of the ND series': {
    pools: { a: { fabric: { type: 'InfiniBand' } } },
    want: [
      "InferenceCluster us spec.nodePools.0.fabric.type: 'Standard_NC40ads_H100_v5' has no InfiniBand. Remove it, or use a size of the ND series with 'r' in its name.",
    ],
  },
  'one fabric of InfiniBand is in one zone': {
    ...ND,
    pools: { a: { zones: ['1', '2'], fabric: { type: 'InfiniBand' } } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: InfiniBand requires one zone, and pool 'a' has several. Declare a pool for each zone.",
    ],
  },
  'a pool with InfiniBand in one zone is fine': {
    ...ND,
    pools: { a: { fabric: { type: 'InfiniBand' } } },
    want: [],
  },
  'the name of the pool for system pods is taken': {
    pools: { system: {} },
    want: [
      "InferenceCluster us spec.nodePools.0.name: 'system' is the name of the pool for the cluster itself. Use another name.",
    ],
  },
};

test.each(Object.entries(rows))('on AKS, %s', (_, { want, ...declared }) => {
  expect(faultsOf(aFleet('AKS', declared).fleet)).toEqual(want);
});
