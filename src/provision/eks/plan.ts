import type { CacheNeed } from '../../api/cache/delivery';
import { BLOCK_STORAGE_CLASS } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet/fleet';
import { SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { type CachingFleet, listMountedBuckets, mayHoldCaches } from '../cache-drivers';
import { listCloudPools, ownershipLabelsOf } from '../node-pools';
import { AUTOSCALER_ACCOUNT } from '../releases/eks-charts';
import { type EksDriverRole, type EksRole, planEksAccess, planEksRoles } from './iam';
import { eksSubnetsOf, eksZonesOf, planEksNetwork, privateSubnetNameOf } from './network';
import {
  CLUSTER_SECURITY_GROUP,
  EFA_SECURITY_GROUP,
  type EksContext,
  planEksPool,
  planEksSystemPool,
  planLaunchTemplate,
  planPlacementGroups,
} from './node-pool';

/** The resources of an EKS cluster. */
export type EksPlan = ReturnType<typeof eksPlan>;

interface Addon {
  readonly name: string;

  /** Whether it runs as a Deployment, which needs nodes. Nodes need the other add-ons. */
  readonly afterNodes: boolean;
  readonly values?: object;
  readonly identity?: { readonly serviceAccount: string; readonly role: EksRole };
}

const ADDONS: readonly Addon[] = [
  // Without this, network policies are accepted but have no effect (EKS guide, cni-network-policy).
  { name: 'vpc-cni', afterNodes: false, values: { enableNetworkPolicy: 'true' } },
  { name: 'kube-proxy', afterNodes: false },
  { name: 'eks-pod-identity-agent', afterNodes: false },
  { name: 'coredns', afterNodes: true },
];

/** The add-ons of drivers that caches need. */
const DRIVER_ADDONS: readonly DriverAddon[] = [
  {
    need: 'BlockDevice',
    role: 'ebs-csi',
    addon: {
      name: 'aws-ebs-csi-driver',
      afterNodes: true,
      identity: { serviceAccount: 'ebs-csi-controller-sa', role: 'ebs-csi' },
    },
  },
  {
    need: 'S3Mounts',
    role: 's3-csi',
    addon: {
      name: 'aws-mountpoint-s3-csi-driver',
      afterNodes: true,
      identity: { serviceAccount: 's3-csi-driver-sa', role: 's3-csi' },
    },
  },
];

interface DriverAddon {
  readonly need: CacheNeed;
  readonly role: EksDriverRole;
  readonly addon: Addon;
}

const EFS_ADDON: Addon = {
  name: 'aws-efs-csi-driver',
  afterNodes: true,
  identity: { serviceAccount: 'efs-csi-controller-sa', role: 'efs-csi' },
};

/**
 * Plans the resources of an EKS cluster: the arguments of `@pulumi/aws` resources. AWS resources refer to each other by
 * IDs that are known only after creation, so `refs` contains the names of other resources in the plan.
 *
 * @param fleet must have passed its checks
 * @throws Error for a cluster that is not on EKS
 */
export function eksPlan(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'settings' | 'hardware'> & CachingFleet,
) {
  const { eks } = cluster.spec.cluster;
  const { name } = cluster.metadata;
  if (!eks) throw new Error(`bug: the cluster '${name}' is not on EKS`);
  const tags = ownershipLabelsOf(cluster, fleet);
  const context: EksContext = { cluster, hardware: fleet.hardware, tags };
  const pools = listCloudPools(cluster, fleet, 'eks');
  const system = planEksSystemPool(context);
  const storage = planEksFileSystem(cluster, tags);
  const drivers = DRIVER_ADDONS.filter(({ need }) => needsDriver(cluster, fleet, need));
  const buckets = listMountedBuckets(cluster, fleet, 'S3');
  const addons = [...ADDONS, ...(storage ? [EFS_ADDON] : []), ...drivers.map(({ addon }) => addon)];
  return {
    region: eks.region,
    ...planEksNetwork(cluster, tags),
    ...planEksRoles(name, tags, { roles: drivers.map(({ role }) => role), buckets }),
    cluster: planControlPlane(cluster, tags),
    /** The administrators, in addition to the creator of the cluster. */
    access: planEksAccess(cluster, tags),
    addons: addons.map((addon) => planAddon(addon, tags)),
    /** The AWS identities of pods that are not part of an add-on. */
    podIdentities: [
      {
        name: 'cluster-autoscaler',
        args: { namespace: 'kube-system', serviceAccount: AUTOSCALER_ACCOUNT, tags },
        refs: { roleArn: 'cluster-autoscaler' as const },
      },
    ],
    efa: pools.some(({ pool }) => pool.fabric.type === 'EFA') ? planEfaSecurityGroup(name, tags) : undefined,
    placementGroups: planPlacementGroups(context, pools),
    launchTemplates: [system.template, ...pools.map((pool) => planLaunchTemplate(context, pool))],
    systemPool: system.pool,
    pools: pools.map((pool) => planEksPool(context, pool)),
    storage,
    /** The storage class of disks for single nodes. */
    blockStorage: needsDriver(cluster, fleet, 'BlockDevice') ? renderBlockStorageClass(tags) : undefined,
  };
}

/** Whether a driver is installed for caches. A cluster that names a storage class of disks has a driver of its own. */
function needsDriver(cluster: InferenceCluster, fleet: CachingFleet, need: CacheNeed): boolean {
  const isOwn = need === 'BlockDevice' && cluster.spec.storage.blockDevice?.storageClassName !== undefined;
  return !isOwn && mayHoldCaches(cluster, fleet, need);
}

/** Renders the class of gp3 volumes: EKS itself makes none, or one of the earlier gp2. */
function renderBlockStorageClass(tags: Record<string, string>) {
  const pairs = Object.entries(tags).map(([key, value], i) => [`tagSpecification_${i + 1}`, `${key}=${value}`]);
  return {
    apiVersion: 'storage.k8s.io/v1' as const,
    kind: 'StorageClass' as const,
    metadata: { name: BLOCK_STORAGE_CLASS, labels: MANAGED_BY },
    provisioner: 'ebs.csi.aws.com',
    parameters: { type: 'gp3', encrypted: 'true', ...Object.fromEntries(pairs) },
    // A volume is in the zone of the node that its pod is on.
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  };
}

function planControlPlane(cluster: InferenceCluster, tags: Record<string, string>) {
  const { spec } = cluster;
  const { name } = cluster.metadata;
  const { authorizedNetworks } = spec.network;
  return {
    name,
    args: {
      // The autoscaler finds its node groups by this name.
      name,
      version: spec.cluster.eks?.kubernetesVersion,
      deletionProtection: spec.deletionProtection,
      accessConfig: { authenticationMode: 'API', bootstrapClusterCreatorAdminPermissions: true },
      // Add-ons are separate resources.
      bootstrapSelfManagedAddons: false,
      // Extended support costs several times as much per hour.
      upgradePolicy: { supportType: 'STANDARD' },
      tags,
    },
    /** An argument of the cluster, without `subnetIds`. */
    vpcConfig: {
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      ...(authorizedNetworks.length > 0 && { publicAccessCidrs: [...authorizedNetworks] }),
    },
    refs: { roleArn: 'cluster' as const, subnetIds: eksZonesOf(cluster).control.map(privateSubnetNameOf) },
    // A control plane keeps its zones (EKS user guide, network requirements). Nodes can be in other zones.
    options: { ignoreChanges: ['vpcConfig.subnetIds'] },
  };
}

function planAddon({ name, afterNodes, values, identity }: Addon, tags: Record<string, string>) {
  const args = {
    addonName: name,
    ...(values && { configurationValues: JSON.stringify(values) }),
    resolveConflictsOnCreate: 'OVERWRITE',
    resolveConflictsOnUpdate: 'OVERWRITE',
    tags,
  };
  return { name, args, afterNodes, ...(identity && { identity }) };
}

/** Allows all traffic between nodes with EFA in both directions, as EFA requires (EC2 user guide). */
function planEfaSecurityGroup(cluster: string, tags: Record<string, string>) {
  const rule = {
    name: EFA_SECURITY_GROUP,
    args: { ipProtocol: '-1', tags },
    refs: { securityGroupId: EFA_SECURITY_GROUP, referencedSecurityGroupId: EFA_SECURITY_GROUP },
  };
  return {
    securityGroup: {
      name: EFA_SECURITY_GROUP,
      args: { description: `Nodes of ${cluster} reach each other by EFA`, tags },
      refs: { vpcId: 'vpc' },
    },
    ingress: rule,
    egress: rule,
  };
}

const NFS = 2049;

/** Plans the file system of all nodes of an EKS cluster. Returns undefined if the cluster names a storage class. */
function planEksFileSystem(cluster: InferenceCluster, tags: Record<string, string>) {
  if (cluster.spec.storage.sharedFilesystem?.storageClassName !== undefined) return undefined;
  const description = `Nodes of ${cluster.metadata.name} reach its file system`;
  return {
    fileSystem: { name: 'shared', args: { encrypted: true, throughputMode: 'elastic', tags } },
    securityGroup: { name: 'efs', args: { description, tags }, refs: { vpcId: 'vpc' } },
    ingress: {
      name: 'efs',
      args: { ipProtocol: 'tcp', fromPort: NFS, toPort: NFS, tags },
      refs: { securityGroupId: 'efs', referencedSecurityGroupId: CLUSTER_SECURITY_GROUP },
    },
    mountTargets: eksSubnetsOf(cluster).private.map(({ name }) => ({
      name,
      args: {},
      refs: { fileSystemId: 'shared', subnetId: name, securityGroups: ['efs'] },
    })),
    /** The parameter `fileSystemId` is added after the file system is created. */
    manifest: {
      apiVersion: 'storage.k8s.io/v1' as const,
      kind: 'StorageClass' as const,
      metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
      provisioner: 'efs.csi.aws.com',
      parameters: { provisioningMode: 'efs-ap', directoryPerms: '700' },
      volumeBindingMode: 'Immediate',
      // The file system grows by itself. Without it, Kubernetes refuses a claim that asks for more.
      allowVolumeExpansion: true,
    },
  };
}
