import type { AgentPoolArgs } from '@pulumi/azure-native/containerservice/agentPool';
import type { ManagedClusterArgs } from '@pulumi/azure-native/containerservice/managedCluster';
import type { UserAssignedIdentityArgs } from '@pulumi/azure-native/managedidentity/userAssignedIdentity';
import type { SubnetArgs } from '@pulumi/azure-native/network/subnet';
import type { VirtualNetworkArgs } from '@pulumi/azure-native/network/virtualNetwork';
import type { ResourceGroupArgs } from '@pulumi/azure-native/resources/resourceGroup';
import type { AmlFilesystemArgs } from '@pulumi/azure-native/storagecache/amlFilesystem';
import { type AksPlan, aksPlan } from '../../../src/provision/aks/plan';
import { anyGpus, aFleet, type Declared, type Row, valuesAt } from '../build';

function planned(declared: Declared = {}): AksPlan {
  const { cluster, fleet } = aFleet('AKS', declared);
  // Spot pools of the fleet have a further taint.
  return aksPlan(fleet.clusters[0] ?? cluster, fleet);
}

const pool = 'pools/0/args';
const control = 'cluster/args';
const GROUP = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/h100';

const LUSTRE = { sku: 'AMLFS-Durable-Premium-125', capacityTiB: 32 };

const rows: Record<string, Row> = {
  'a cluster without Lustre has no file system of its own': { want: { lustre: undefined } },
  'Lustre is in a subnet at the end of the network, in the zone of the pools': {
    cluster: { network: { cidr: '10.9.0.0/16' }, storage: { sharedFilesystem: { lustre: LUSTRE } } },
    pools: { a: { zones: ['2'] }, b: { zones: ['2'] } },
    want: {
      'lustre/subnet/args/addressPrefix': '10.9.254.0/23',
      'lustre/fileSystem/args/sku': { name: 'AMLFS-Durable-Premium-125' },
      'lustre/fileSystem/args/storageCapacityTiB': 32,
      'lustre/fileSystem/args/zones': ['2'],
      'lustre/fileSystem/refs': { filesystemSubnet: 'lustre' },
      'storage/provisioner': 'azurelustre.csi.azure.com',
    },
  },
  'each claim has a folder of the file system': {
    cluster: { storage: { sharedFilesystem: { lustre: { ...LUSTRE, zone: '3' } } } },
    want: {
      'lustre/fileSystem/args/zones': ['3'],
      'storage/parameters': { 'sub-dir': '${pvc.metadata.namespace}/${pvc.metadata.name}' },
    },
  },
  'everything is in a resource group of its own, in the region of the cluster': {
    name: 'eu',
    cloud: { location: 'westeurope' },
    want: {
      'resourceGroup/args/resourceGroupName': 'fleetwright-eu',
      'resourceGroup/args/location': 'westeurope',
      'network/args/resourceGroupName': 'fleetwright-eu',
      'identity/args/resourceGroupName': 'fleetwright-eu',
      [`${control}/resourceGroupName`]: 'fleetwright-eu',
      [`${control}/nodeResourceGroup`]: 'fleetwright-eu-nodes',
      [`${pool}/resourceGroupName`]: 'fleetwright-eu',
    },
  },
  'nodes have half of the network, and reach storage without the internet': {
    cluster: { network: { cidr: '10.9.0.0/20' } },
    want: {
      'network/args/addressSpace': { addressPrefixes: ['10.9.0.0/20'] },
      'subnet/args/addressPrefix': '10.9.0.0/21',
      'subnet/args/serviceEndpoints': [{ service: 'Microsoft.Storage' }],
    },
  },
  'access is by Microsoft Entra, with workload identity for pods': {
    want: {
      [`${control}/disableLocalAccounts`]: true,
      [`${control}/aadProfile`]: { managed: true, enableAzureRBAC: true },
      [`${control}/oidcIssuerProfile`]: { enabled: true },
      [`${control}/securityProfile`]: { workloadIdentity: { enabled: true } },
      [`${control}/apiServerAccessProfile`]: undefined,
      'access/0/name': 'creator',
      'access/0/options': { ignoreChanges: ['principalId'] },
      'access/1': undefined,
    },
  },
  'administrators have a role each': {
    cloud: { admins: ['00000000-1111-2222-3333-444444444444'] },
    want: {
      'access/1/args/principalId': '00000000-1111-2222-3333-444444444444',
      'access/1/args/roleDefinitionId':
        '/providers/Microsoft.Authorization/roleDefinitions/b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b',
    },
  },
  'the API is reached from authorized networks only': {
    cluster: { network: { authorizedNetworks: ['198.51.100.0/24'] } },
    want: { [`${control}/apiServerAccessProfile`]: { authorizedIPRanges: ['198.51.100.0/24'] } },
  },
  'a private API has no address on the internet': {
    cluster: { network: { private: true } },
    want: { [`${control}/apiServerAccessProfile`]: { enablePrivateCluster: true } },
  },
  'the default version has standard support': {
    want: {
      [`${control}/kubernetesVersion`]: '1.36',
      [`${control}/sku`]: { name: 'Base', tier: 'Standard' },
      [`${control}/supportPlan`]: 'KubernetesOfficial',
      [`${pool}/orchestratorVersion`]: '1.36',
    },
  },
  'a version whose support has ended has long-term support': {
    cloud: { kubernetesVersion: '1.34' },
    want: {
      [`${control}/sku`]: { name: 'Base', tier: 'Premium' },
      [`${control}/supportPlan`]: 'AKSLongTermSupport',
    },
  },
  'nothing upgrades nodes at a time of its own': {
    want: { [`${control}/autoUpgradeProfile`]: { upgradeChannel: 'none', nodeOSUpgradeChannel: 'None' } },
  },
  'Pulumi protects a cluster unless it declares otherwise': { want: { 'cluster/options/protect': true } },
  'a cluster without protection can be deleted': {
    cluster: { deletionProtection: false },
    want: { 'cluster/options/protect': false },
  },
  'the pool for system pods is in the zones of the other pools': {
    pools: { a: { zones: ['3'] }, b: { zones: ['1', '3'] } },
    want: {
      'cluster/systemPool/name': 'system',
      'cluster/systemPool/availabilityZones': ['1', '3'],
      'cluster/systemPool/nodeLabels': { 'fleetwright.dev/pool': 'system' },
      'cluster/options/ignoreChanges': ['agentPoolProfiles'],
    },
  },
  'a pool without zones leaves them to Azure': {
    pools: { a: { zones: [] } },
    want: { [`${pool}/availabilityZones`]: undefined, 'cluster/systemPool/availabilityZones': undefined },
  },
  'the GPU Operator installs the driver, so AKS does not': {
    want: {
      [`${pool}/gpuProfile`]: { driver: 'None' },
      [`${pool}/osSKU`]: 'Ubuntu',
      [`${pool}/nodeLabels`]: { 'fleetwright.dev/pool': 'l4', 'nvidia.com/gpu.present': 'true' },
      [`${pool}/nodeTaints`]: ['nvidia.com/gpu=present:NoSchedule'],
    },
  },
  'a pool without maxNodeCount has a fixed size': {
    want: { [`${pool}/enableAutoScaling`]: false, [`${pool}/count`]: 2, [`${pool}/maxCount`]: undefined },
  },
  'an autoscaled pool with claims keeps a node': {
    pools: { a: { nodeCount: 0, minNodeCount: 0, maxNodeCount: 4 } },
    want: {
      [`${pool}/enableAutoScaling`]: true,
      [`${pool}/minCount`]: 1,
      [`${pool}/maxCount`]: 4,
      [`${pool}/count`]: 1,
      'pools/0/options/ignoreChanges': ['count'],
    },
  },
  'an autoscaled pool without claims can be empty': {
    cluster: { dra: false },
    pools: { a: { nodeCount: 0, minNodeCount: 0, maxNodeCount: 4 } },
    want: { [`${pool}/minCount`]: 0, [`${pool}/count`]: 0 },
  },
  'an upgrade removes a node first, because quota for another is rare': {
    want: { [`${pool}/upgradeSettings`]: { maxSurge: '0', maxUnavailable: '1' } },
  },
  'spot nodes are deleted when Azure takes them, and cost at most the price on demand': {
    machine: { spot: true },
    want: {
      [`${pool}/scaleSetPriority`]: 'Spot',
      [`${pool}/scaleSetEvictionPolicy`]: 'Delete',
      [`${pool}/spotMaxPrice`]: -1,
      [`${pool}/upgradeSettings`]: undefined,
      [`${pool}/nodeTaints`]: [
        'kubernetes.azure.com/scalesetpriority=spot:NoSchedule',
        'nvidia.com/gpu=present:NoSchedule',
      ],
    },
  },
  'the control plane may take machines from reservations of pools, once for each': {
    machine: { capacityReservationGroup: GROUP },
    pools: { a: {}, b: {} },
    want: {
      [`${pool}/capacityReservationGroupID`]: GROUP,
      'roles/0/name': 'subnet',
      'roles/1/name': 'reservation-s-g-h100',
      'roles/1/args/scope': GROUP,
      'roles/2': undefined,
    },
  },
  'GPUs of AMD have no taint and no label of NVIDIA, which their driver would not tolerate': {
    machine: { vmSize: 'Standard_ND96isr_MI300X_v5', accelerator: { type: 'amd-mi300x', count: 8 } },
    class: { devices: [{ ...anyGpus(8), driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com' }] },
    want: { [`${pool}/nodeTaints`]: [], [`${pool}/nodeLabels`]: { 'fleetwright.dev/pool': 'l4' } },
  },
  'another size makes another pool, because Azure does not change it': {
    want: { 'pools/0/options/replaceOnChanges': expect.arrayContaining(['vmSize', 'gpuProfile', 'availabilityZones']) },
  },
  'volumes of caches are file shares with NFS': {
    want: {
      'storage/provisioner': 'file.csi.azure.com',
      'storage/parameters': { protocol: 'nfs', skuName: 'Premium_LRS', tags: 'fleetwright-cluster=us' },
    },
  },
  'no class is planned where the cluster names one': {
    cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } },
    want: { storage: undefined },
  },
};

test.each(Object.entries(rows))('%s', (_, { want, ...declared }) => {
  expect(valuesAt(planned(declared), want)).toEqual(want);
});

test('the plan has arguments that @pulumi/azure-native takes', () => {
  const plan = planned();
  const args: [
    ResourceGroupArgs,
    VirtualNetworkArgs,
    SubnetArgs,
    UserAssignedIdentityArgs,
    ManagedClusterArgs,
    ...AgentPoolArgs[],
  ] = [
    plan.resourceGroup.args,
    plan.network.args,
    plan.subnet.args,
    plan.identity.args,
    { ...plan.cluster.args, agentPoolProfiles: [plan.cluster.systemPool] },
    ...plan.pools.map((one) => one.args),
  ];
  expect(args).toHaveLength(6);
});

test('the file system has arguments that @pulumi/azure-native takes', () => {
  const { lustre } = planned({ cluster: { storage: { sharedFilesystem: { lustre: { ...LUSTRE, zone: '1' } } } } });
  const args: (Omit<AmlFilesystemArgs, 'filesystemSubnet'> | undefined)[] = [lustre?.fileSystem.args];
  const subnets: (SubnetArgs | undefined)[] = [lustre?.subnet.args];
  expect([args, subnets].flat()).not.toContain(undefined);
});
