import type { FilestoreTier } from '../../api/cluster-network';
import type { InferenceCluster } from '../../api/inference-cluster';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { networkNameOf } from './network';

/**
 * The name of the storage class of a new cluster. The classes of GKE cannot be used, because they are pinned to the
 * network `default`.
 */
export const SHARED_STORAGE_CLASS = 'fleetwright-shared';

interface FilestoreTierFacts {
  /** For people. */
  readonly label: string;

  /** The name of the tier in the driver. */
  readonly parameter: string;

  /** Smaller volumes are rounded up to this size and billed for it. */
  readonly minimumGiB: number;
}

/** The tiers of Filestore (gcp-filestore-csi-driver v1.13.1, controller.go). */
const TIERS: Readonly<Record<FilestoreTier, FilestoreTierFacts>> = {
  BasicHDD: { label: 'basic HDD', parameter: 'standard', minimumGiB: 1024 },
  BasicSSD: { label: 'basic SSD', parameter: 'premium', minimumGiB: 2560 },
  Zonal: { label: 'zonal', parameter: 'zonal', minimumGiB: 1024 },
  Regional: { label: 'regional', parameter: 'regional', minimumGiB: 1024 },
  Enterprise: { label: 'enterprise', parameter: 'enterprise', minimumGiB: 1024 },
};

/** The names of the tiers in messages. */
export const FILESTORE_TIER_LABELS: readonly string[] = Object.values(TIERS).map(({ label }) => label);

/** Returns the tier of the file system of a GKE cluster. */
export function filestoreTierOf({ spec }: InferenceCluster): FilestoreTierFacts {
  return TIERS[spec.storage.sharedFilesystem?.tier ?? 'Enterprise'];
}

/**
 * Plans the storage class of a GKE cluster, with its minimum volume size. Returns undefined if the cluster names a
 * class.
 *
 * The class names the network of the cluster: nodes cannot reach volumes in the default network of the driver.
 *
 * @param labels labels of the volumes in Google Cloud, for billing
 */
export function planFilestoreClass(cluster: InferenceCluster, labels: Readonly<Record<string, string>>) {
  if (cluster.spec.storage.sharedFilesystem?.storageClassName !== undefined) return undefined;
  const { parameter, minimumGiB } = filestoreTierOf(cluster);
  return {
    minimumGiB,
    manifest: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
      provisioner: 'filestore.csi.storage.gke.io',
      parameters: {
        tier: parameter,
        network: networkNameOf(cluster),
        labels: Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(','),
      },
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    },
  };
}
