import type { InferenceCluster } from './inference-cluster';
import { PROVIDER, REGION } from './labels';

/**
 * The labels that selectors see: the declared ones, and the provider and region that the cluster's source tells.
 * A declared label wins.
 */
export function labelsOf({ metadata, spec }: InferenceCluster): Record<string, string> {
  const region = regionOf(spec.cluster);
  return { [PROVIDER]: spec.cluster.source, ...(region && { [REGION]: region }), ...metadata.labels };
}

function regionOf({ gke, eks, aks, vultr, source }: InferenceCluster['spec']['cluster']): string | undefined {
  const regions = { GKE: gke?.region, EKS: eks?.region, AKS: aks?.location, Vultr: vultr?.region };
  return source in regions ? regions[source as keyof typeof regions] : undefined;
}

/** Where a shared file system comes with the cluster; Vultr's cannot be mounted on GPU nodes. */
const SHARED_STORAGE: Readonly<Record<InferenceCluster['spec']['cluster']['source'], boolean>> = {
  GKE: true,
  EKS: true,
  AKS: true,
  Nebius: true,
  Vultr: false,
  Existing: false,
};

/** Whether caches can be staged on a cluster: its cloud brings a shared file system, or it declares one. */
export function offersStorage({ spec }: InferenceCluster): boolean {
  return SHARED_STORAGE[spec.cluster.source] || spec.storage.sharedFilesystem?.storageClassName !== undefined;
}
