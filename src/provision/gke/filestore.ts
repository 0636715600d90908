import type { FilestoreTier } from '../../api/cluster-network';
import type { InferenceCluster } from '../../api/inference-cluster';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { networkNameOf } from './network';

/** The storage class that is made with a cluster. GKE's own cannot be used: they are pinned to the network `default`. */
export const SHARED_STORAGE_CLASS = 'fleetwright-shared';

interface FilestoreTierFacts {
  /** For people. */
  readonly label: string;

  /** As the driver has it. */
  readonly parameter: string;

  /** Smaller volumes are rounded up to this, and paid for. */
  readonly minimumGiB: number;
}

/** Tiers of Filestore (gcp-filestore-csi-driver v1.13.1, controller.go). */
const TIERS: Readonly<Record<FilestoreTier, FilestoreTierFacts>> = {
  BasicHDD: { label: 'basic HDD', parameter: 'standard', minimumGiB: 1024 },
  BasicSSD: { label: 'basic SSD', parameter: 'premium', minimumGiB: 2560 },
  Zonal: { label: 'zonal', parameter: 'zonal', minimumGiB: 1024 },
  Regional: { label: 'regional', parameter: 'regional', minimumGiB: 1024 },
  Enterprise: { label: 'enterprise', parameter: 'enterprise', minimumGiB: 1024 },
};

/** What each tier is called for people. */
export const FILESTORE_TIER_LABELS: readonly string[] = Object.values(TIERS).map(({ label }) => label);

/** The tier of the file system that is made for a cluster on GKE. */
export function filestoreTierOf({ spec }: InferenceCluster): FilestoreTierFacts {
  return TIERS[spec.storage.sharedFilesystem?.tier ?? 'Enterprise'];
}

/**
 * The storage class of a cluster on GKE, and the smallest volume it makes. Nothing where the cluster names one.
 *
 * It names the cluster's network: in the default one of the driver, volumes are made that no node reaches.
 *
 * @param labels of the volumes in Google Cloud, for the invoice
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
