import type { FleetSettings } from './fleet-settings';
import type { InferenceCluster } from './inference-cluster';
import { PROVIDER_LABEL, REGION_LABEL } from './labels';

/**
 * The labels that selectors see: the declared ones, and the provider and region that the cluster's source tells.
 * A declared label wins.
 */
export function clusterLabelsOf({ metadata, spec }: InferenceCluster): Record<string, string> {
  const region = regionOf(spec.cluster);
  return {
    [PROVIDER_LABEL]: spec.cluster.source,
    ...(region && { [REGION_LABEL]: region }),
    ...metadata.labels,
  };
}

function regionOf({ gke, eks, aks, vultr, source }: InferenceCluster['spec']['cluster']): string | undefined {
  const regions = { GKE: gke?.region, EKS: eks?.region, AKS: aks?.location, Vultr: vultr?.region };
  return source in regions ? regions[source as keyof typeof regions] : undefined;
}

/** Where a shared file system comes with the cluster; Vultr's cannot be mounted on GPU nodes. */
const CLOUDS_WITH_SHARED_STORAGE: Readonly<Record<InferenceCluster['spec']['cluster']['source'], boolean>> = {
  GKE: true,
  EKS: true,
  AKS: true,
  Nebius: true,
  Vultr: false,
  Existing: false,
};

/** Whether caches can be staged on a cluster: its cloud brings a shared file system, or it declares one. */
export function hasSharedStorage({ spec }: InferenceCluster): boolean {
  return (
    CLOUDS_WITH_SHARED_STORAGE[spec.cluster.source] ||
    spec.storage.sharedFilesystem?.storageClassName !== undefined
  );
}

/** Names for failure domains that every fleet has. */
const BUILT_IN_DOMAINS: Readonly<Record<string, string>> = { region: REGION_LABEL, provider: PROVIDER_LABEL };

/** The cluster label of each named failure domain. What a fleet declares wins over what every fleet has. */
export function failureDomainsOf(settings: FleetSettings | undefined): Readonly<Record<string, string>> {
  return { ...BUILT_IN_DOMAINS, ...settings?.spec.domains };
}

/** The cluster label that `spreadBy` means: that of a named failure domain, or itself. */
export function resolveDomainLabel(spreadBy: string, settings: FleetSettings | undefined): string {
  const domains = failureDomainsOf(settings);
  return Object.hasOwn(domains, spreadBy) ? (domains[spreadBy] ?? spreadBy) : spreadBy;
}
