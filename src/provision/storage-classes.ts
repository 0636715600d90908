import { BLOCK_STORAGE_CLASS } from '../api/cluster-storage';
import type { InferenceCluster } from '../api/inference-cluster';
import { SHARED_STORAGE_CLASS } from '../fleet/hardware/shared-storage';
import { isManagedCloud } from './managed-cloud';

/** Whether the stack that creates a cluster also creates a storage class in it. */
export function createsStorageClass({ spec: { cluster, storage } }: InferenceCluster, name: string): boolean {
  if (!isManagedCloud(cluster.source)) return false;
  if (name === SHARED_STORAGE_CLASS) return storage.sharedFilesystem?.storageClassName === undefined;
  const hasOwn = storage.blockDevice?.storageClassName !== undefined;
  return name === BLOCK_STORAGE_CLASS && cluster.source === 'EKS' && !hasOwn;
}
