import type { ManagedCloud } from './managed-cloud';

/**
 * What a cloud does where an argument of a resource changes. `change`: it stays as it is otherwise. `roll`: its nodes
 * are made anew, some at a time. `replace`: it goes with all that is on it, and another is made.
 */
export type FieldEffect = 'change' | 'roll' | 'replace';

type Fields = Readonly<Record<string, readonly string[]>>;

/** Storage classes are immutable but for their labels (validation of storage.k8s.io). */
const STORAGE_CLASS = ['provisioner', 'parameters', 'volumeBindingMode'];

/**
 * The arguments that the provider replaces a resource for, by kind: `ForceNew` in terraform-provider-google and
 * terraform-provider-aws, which the Pulumi providers are built on.
 */
const REPLACING: Readonly<Record<ManagedCloud, Fields>> = {
  GKE: {
    Network: ['name', 'autoCreateSubnetworks'],
    Subnetwork: ['name', 'region', 'network', 'ipCidrRange'],
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
    Vpc: ['cidrBlock'],
    Subnet: ['availabilityZone', 'cidrBlock', 'vpcId'],
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
};

/** The region of a resource of AWS is an argument of each, and none moves. */
const REPLACING_EVERY_KIND: Readonly<Record<ManagedCloud, readonly string[]>> = { GKE: [], EKS: ['region'] };

/**
 * The arguments for which nodes are made anew in the pool that stays: GKE upgrades them, EKS gives the group the next
 * version of its launch template, or of Kubernetes.
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
};

/**
 * What a cloud does where some arguments of a resource change: the strongest of what each of them does.
 *
 * @param fields of the arguments, with dots: `nodeConfig.machineType`
 */
export function fieldEffectOf(cloud: ManagedCloud, kind: string, fields: readonly string[]): FieldEffect {
  const replacing = [...REPLACING_EVERY_KIND[cloud], ...(REPLACING[cloud][kind] ?? [])];
  const touches = (listed: readonly string[]): boolean =>
    fields.some((field) => listed.some((one) => field === one || field.startsWith(`${one}.`)));
  if (touches(replacing)) return 'replace';
  return touches(ROLLING[cloud][kind] ?? []) ? 'roll' : 'change';
}
