import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet/fleet';
import { filestoreTierOf, SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { type CachingFleet, mayHoldCaches } from '../cache-drivers';
import { listCloudPools, ownershipLabelsOf } from '../node-pools';
import { planGkeCluster, planNodeAccount } from './cluster';
import { renderDriverInstaller } from './driver-installer';
import { type GkeContext, planGkeNat, planGkeNetwork } from './network';
import { driverOf, isTpuMachine, planGkePool, planGkeSystemPool } from './node-pool';

/** Filestore must be enabled before the first volume, and Resource Manager before roles are granted. */
const APIS = ['cloudresourcemanager', 'compute', 'container', 'file', 'iam'].map((api) => `${api}.googleapis.com`);

/** The resources of a GKE cluster. */
export type GkePlan = ReturnType<typeof gkePlan>;

/**
 * Plans the resources of a GKE cluster: the arguments of `@pulumi/gcp` resources, which refer to each other by name.
 * They are in the order of creation, and are deleted in reverse order.
 *
 * @param fleet must have passed its checks
 * @param project the project of the cluster
 * @throws Error for a cluster that is not on GKE
 */
export function gkePlan(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'settings' | 'hardware'> & CachingFleet,
  project: string,
) {
  const region = cluster.spec.cluster.gke?.region;
  if (region === undefined) throw new Error(`bug: the cluster '${cluster.metadata.name}' is not on GKE`);
  const labels = ownershipLabelsOf(cluster, fleet);
  const context: GkeContext = { cluster, project, region, hardware: fleet.hardware, labels };
  const pools = listCloudPools(cluster, fleet, 'gke');
  const { network, subnet } = planGkeNetwork(context);
  const withGpus = pools.filter(({ machine }) => !isTpuMachine(machine));
  const selfManaged = withGpus.some(({ machine }) => driverOf(machine, cluster) === 'SelfManaged');
  return {
    services: APIS.map((service) => ({ name: service, args: { project, service, disableOnDestroy: false } })),
    network,
    subnet,
    ...(cluster.spec.network.private && planGkeNat(context)),
    ...planNodeAccount(context),
    cluster: planGkeCluster(context, { gcsFuse: mayHoldCaches(cluster, fleet, 'GCSMounts') }),
    systemPool: planGkeSystemPool(context),
    pools: pools.map((pool) => planGkePool(context, pool)),
    storage: planFilestoreClass(cluster, labels),
    /** Manifests that the cluster needs before a pool has devices. */
    manifests: selfManaged ? [renderDriverInstaller(cluster.spec.mirror.images)] : [],
  };
}

/**
 * Plans the storage class of a GKE cluster. Returns undefined if the cluster names a class.
 *
 * The class names the network of the cluster: nodes cannot reach volumes in the default network of the driver.
 *
 * @param labels labels of the volumes in Google Cloud, for billing
 */
function planFilestoreClass(cluster: InferenceCluster, labels: Readonly<Record<string, string>>) {
  if (cluster.spec.storage.sharedFilesystem?.storageClassName !== undefined) return undefined;
  const { parameter, minimum: minimumGiB } = filestoreTierOf(cluster);
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return {
    minimumGiB,
    manifest: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
      provisioner: 'filestore.csi.storage.gke.io',
      parameters: { tier: parameter, network: cluster.metadata.name, labels: pairs.join(',') },
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    },
  };
}
