import type { InferenceCluster } from '../../api/inference-cluster';
import { filestoreTierOf, SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { networkNameOf } from './network';

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
  const { parameter, minimum: minimumGiB } = filestoreTierOf(cluster);
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
