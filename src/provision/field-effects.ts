import { AKS_CLUSTER_REFUSED, AKS_CLUSTER_REPLACING } from './aks/cluster';
import { LUSTRE_REPLACING } from './aks/lustre';
import { AKS_POOL_REPLACING } from './aks/node-pool';
import type { ManagedCloud } from './managed-cloud';

/**
 * What a cloud does where an argument of a resource changes. `change`: it stays as it is otherwise. `roll`: its nodes
 * are recreated, some at a time. `replace`: it goes with all that is on it, and another is made.
 */
export type FieldEffect = 'change' | 'roll' | 'replace';

type Fields = Readonly<Record<string, readonly string[]>>;

/** Storage classes are immutable except for their labels (validation of storage.k8s.io). */
const STORAGE_CLASS = ['provisioner', 'parameters', 'volumeBindingMode'];

/**
 * The arguments whose change makes the provider replace a resource, by kind: `ForceNew` in terraform-provider-google
 * and terraform-provider-aws, on which the Pulumi providers are based. For Azure: what its API does not change.
 */
const REPLACING: Readonly<Record<ManagedCloud, Fields>> = {
  GKE: {
    Network: ['name', 'autoCreateSubnetworks'],
    Subnetwork: ['name', 'region', 'network'],
    Router: ['name', 'region', 'network'],
    RouterNat: ['name', 'region', 'router'],
    Account: ['accountId'],
    IAMMember: ['role', 'member'],
    Cluster: [
      'name',
      'location',
      'network',
      'subnetwork',
      'networkingMode',
      'datapathProvider',
      'ipAllocationPolicy',
      'privateClusterConfig',
    ],
    NodePool: [
      'name',
      'location',
      'cluster',
      'placementPolicy',
      'networkConfig',
      'nodeConfig.guestAccelerators',
      'nodeConfig.ephemeralStorageLocalSsdConfig',
      'nodeConfig.flexStart',
      'nodeConfig.maxRunDuration',
      'nodeConfig.metadata',
      'nodeConfig.oauthScopes',
      'nodeConfig.reservationAffinity',
      'nodeConfig.serviceAccount',
      'nodeConfig.spot',
    ],
    StorageClass: STORAGE_CLASS,
  },
  EKS: {
    Subnet: ['availabilityZone', 'vpcId'],
    Eip: ['domain'],
    NatGateway: ['allocationId', 'subnetId'],
    RouteTable: ['vpcId'],
    Route: ['routeTableId', 'destinationCidrBlock'],
    RouteTableAssociation: ['subnetId'],
    RolePolicyAttachment: ['role', 'policyArn'],
    RolePolicy: ['role'],
    Cluster: ['name', 'bootstrapSelfManagedAddons'],
    AccessEntry: ['principalArn'],
    AccessPolicyAssociation: ['principalArn', 'policyArn', 'accessScope'],
    Addon: ['addonName'],
    PodIdentityAssociation: ['namespace', 'serviceAccount'],
    SecurityGroup: ['description', 'vpcId'],
    PlacementGroup: ['strategy'],
    NodeGroup: ['nodeGroupName', 'amiType', 'capacityType', 'nodeRoleArn', 'subnetIds'],
    FileSystem: ['encrypted'],
    MountTarget: ['fileSystemId', 'subnetId'],
    StorageClass: STORAGE_CLASS,
  },
  AKS: {
    ResourceGroup: ['resourceGroupName'],
    VirtualNetwork: ['resourceGroupName', 'virtualNetworkName'],
    Subnet: ['resourceGroupName', 'virtualNetworkName', 'subnetName'],
    UserAssignedIdentity: ['resourceGroupName', 'resourceName'],
    FederatedIdentityCredential: ['resourceGroupName', 'resourceName', 'federatedIdentityCredentialResourceName'],
    RoleAssignment: ['principalId', 'roleDefinitionId', 'scope'],
    ManagedCluster: ['resourceGroupName', 'resourceName', ...AKS_CLUSTER_REPLACING],
    AgentPool: ['resourceGroupName', 'resourceName', 'agentPoolName', 'vnetSubnetID', ...AKS_POOL_REPLACING],
    AmlFilesystem: ['resourceGroupName', 'amlFilesystemName', ...LUSTRE_REPLACING],
    StorageClass: [...STORAGE_CLASS, 'mountOptions'],
  },
};

/**
 * The arguments whose change recreates the nodes of a pool but keeps the pool. GKE upgrades the nodes, and EKS gives
 * the node group the next version of its launch template or of Kubernetes, AKS that of Kubernetes. By the arguments of
 * the pools, each removes an old node before it adds a new one.
 */
const ROLLING: Readonly<Record<ManagedCloud, Fields>> = {
  GKE: {
    NodePool: [
      'nodeConfig.machineType',
      'nodeConfig.diskSizeGb',
      'nodeConfig.imageType',
      'nodeConfig.gvnic',
      'nodeConfig.workloadMetadataConfig',
    ],
  },
  EKS: { NodeGroup: ['launchTemplate', 'version'] },
  AKS: { AgentPool: ['orchestratorVersion'] },
};

/**
 * The arguments that a cloud refuses to change while something uses the resource. Providers replace the resource or try to
 * update it: GKE and AKS refuse that at once, EKS refuses to give a cluster subnets of another VPC. Whether the Kubernetes API
 * has a private address only is decided when AKS creates a cluster.
 */
const REFUSED_IN_USE: Readonly<Record<ManagedCloud, Fields>> = {
  GKE: { Subnetwork: ['ipCidrRange', 'secondaryIpRanges'] },
  EKS: { Vpc: ['cidrBlock'], Subnet: ['cidrBlock'] },
  AKS: { VirtualNetwork: ['addressSpace'], Subnet: ['addressPrefix'], ManagedCluster: AKS_CLUSTER_REFUSED },
};

/** The arguments of resources of any kind that cannot change: none can move to another region. */
const REPLACING_ALL: Readonly<Record<ManagedCloud, readonly string[]>> = {
  GKE: [],
  EKS: ['region'],
  AKS: ['location'],
};

/**
 * Returns the effect of changes to some arguments of a resource: the strongest of the effects of each argument.
 *
 * @param fields paths of the arguments, with dots: `nodeConfig.machineType`
 */
export function fieldEffectOf(cloud: ManagedCloud, kind: string, fields: readonly string[]): FieldEffect {
  const replacing = [...REPLACING_ALL[cloud], ...(REPLACING[cloud][kind] ?? [])];
  if (touches(fields, replacing)) return 'replace';
  return touches(fields, ROLLING[cloud][kind] ?? []) ? 'roll' : 'change';
}

/** Whether a cloud refuses to change one of some arguments of a resource that something uses. */
export function isRefusedInUse(cloud: ManagedCloud, kind: string, fields: readonly string[]): boolean {
  return touches(fields, REFUSED_IN_USE[cloud][kind] ?? []);
}

function touches(fields: readonly string[], listed: readonly string[]): boolean {
  return fields.some((field) => listed.some((path) => field === path || field.startsWith(`${path}.`)));
}
