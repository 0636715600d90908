import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet/fleet';
import { SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { listCloudPools, ownershipLabelsOf } from '../node-pools';
import type { CachingFleet } from '../cache-drivers';
import { planAksAccess, planAksIdentity } from './access';
import { planCacheIdentities } from './cache-identities';
import { planAksCluster } from './cluster';
import { planLustre, planLustreClass } from './lustre';
import { type AksContext, planAksNetwork } from './network';
import { planAksPool } from './node-pool';

/** The resources of an AKS cluster. */
export type AksPlan = ReturnType<typeof aksPlan>;

/**
 * Plans the resources of an AKS cluster: the arguments of `@pulumi/azure-native` resources. `refs` contains the names of
 * other resources in the plan, whose IDs are known only after creation.
 *
 * @param fleet must have passed its checks
 * @throws Error for a cluster that is not on AKS
 */
export function aksPlan(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'settings' | 'hardware'> & CachingFleet,
) {
  const { name } = cluster.metadata;
  const location = cluster.spec.cluster.aks?.location;
  if (location === undefined) throw new Error(`bug: the cluster '${name}' is not on AKS`);
  const tags = ownershipLabelsOf(cluster, fleet);
  const resourceGroupName = `fleetwright-${name}`;
  const context: AksContext = { cluster, location, resourceGroupName, hardware: fleet.hardware, tags };
  const pools = listCloudPools(cluster, fleet, 'aks');
  const { identity, roles } = planAksIdentity(context, pools);
  return {
    resourceGroup: { name: resourceGroupName, args: { resourceGroupName, location, tags } },
    ...planAksNetwork(context),
    identity,
    /** The roles of the identity of the control plane. */
    roles,
    cluster: planAksCluster(context, identity.name),
    /** The roles of administrators of the cluster. */
    access: planAksAccess(context),
    pools: pools.map((pool) => planAksPool(context, pool)),
    /** The identities of caches that are staged from Azure Blob Storage. */
    cacheIdentities: planCacheIdentities(context, fleet),
    /** The file system of Azure Managed Lustre, if the cluster declares one. */
    lustre: planLustre(context),
    storage: planStorageClass(cluster, tags),
  };
}

/** Plans the storage class of an AKS cluster. Returns undefined if the cluster names a class. */
function planStorageClass(cluster: InferenceCluster, tags: Readonly<Record<string, string>>) {
  const { storageClassName, lustre } = cluster.spec.storage.sharedFilesystem ?? {};
  if (storageClassName !== undefined) return undefined;
  return lustre ? planLustreClass() : planFilesClass(tags);
}

/** Plans the storage class of file shares with NFS, because files of caches have symbolic links. */
function planFilesClass(tags: Readonly<Record<string, string>>) {
  const pairs = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  return {
    apiVersion: 'storage.k8s.io/v1' as const,
    kind: 'StorageClass' as const,
    metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
    provisioner: 'file.csi.azure.com',
    parameters: { protocol: 'nfs', skuName: 'Premium_LRS', tags: pairs.join(',') } as Record<string, string>,
    // Several connections for each mount: one does not reach the bandwidth of a share.
    mountOptions: ['nconnect=4', 'noresvport', 'actimeo=30'],
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  };
}
