import type { FleetSettings } from './fleet-settings';
import type { InferenceCluster } from './inference-cluster';
import { findUnmetRequirement } from './label-matching';
import { CLUSTER_LABEL, PROVIDER_LABEL, REGION_LABEL } from './labels';
import type { LabelSelector } from './schema/label-selector';

/**
 * The labels of a cluster that selectors match: the declared labels, its name, and the provider and region of its
 * source. A declared provider or region wins.
 */
export function clusterLabelsOf({ metadata, spec }: InferenceCluster): Record<string, string> {
  const region = regionOfSource(spec.cluster);
  return {
    [PROVIDER_LABEL]: cloudNameOf(spec.cluster),
    ...(region && { [REGION_LABEL]: region }),
    ...metadata.labels,
    [CLUSTER_LABEL]: metadata.name,
  };
}

/** Whether a selector of clusters matches a cluster. */
export function isSelected(cluster: InferenceCluster, selector: LabelSelector): boolean {
  return findUnmetRequirement(selector, clusterLabelsOf(cluster)) === undefined;
}

/** The name of the cloud of a cluster: its source, or that of a cloud of the program. */
export function cloudNameOf({ source, custom }: InferenceCluster['spec']['cluster']): string {
  return source === 'Custom' && custom ? custom.cloud : source;
}

/** The region that the block of a source names, whatever the labels of the cluster say. */
export function regionOfSource({
  gke,
  eks,
  aks,
  vultr,
  custom,
  source,
}: InferenceCluster['spec']['cluster']): string | undefined {
  const regions = {
    GKE: gke?.region,
    EKS: eks?.region,
    AKS: aks?.location,
    Vultr: vultr?.region,
    Custom: custom?.region,
  };
  return source in regions ? regions[source as keyof typeof regions] : undefined;
}

/** Whether clusters of each source include a shared file system. Vultr's cannot be mounted on GPU nodes. */
const CLOUDS_WITH_SHARED_STORAGE: Readonly<Record<InferenceCluster['spec']['cluster']['source'], boolean>> = {
  GKE: true,
  EKS: true,
  AKS: true,
  Nebius: true,
  Vultr: false,
  Custom: false,
  Existing: false,
};

/** Whether caches can be staged on a cluster: its cloud includes a shared file system, or the cluster declares one. */
export function hasSharedStorage({ spec }: InferenceCluster): boolean {
  return (
    CLOUDS_WITH_SHARED_STORAGE[spec.cluster.source] || spec.storage.sharedFilesystem?.storageClassName !== undefined
  );
}

/** The named failure domains of every fleet. */
const BUILT_IN_DOMAINS: Readonly<Record<string, string>> = {
  cluster: CLUSTER_LABEL,
  region: REGION_LABEL,
  provider: PROVIDER_LABEL,
};

/** The cluster label of each named failure domain. Declared names override the built-in ones. */
export function failureDomainsOf(settings: FleetSettings | undefined): Readonly<Record<string, string>> {
  return { ...BUILT_IN_DOMAINS, ...settings?.spec.domains };
}

/** The cluster label that `spreadBy` refers to: that of a named failure domain, or `spreadBy` itself. */
export function resolveDomainLabel(spreadBy: string, settings: FleetSettings | undefined): string {
  const domains = failureDomainsOf(settings);
  return Object.hasOwn(domains, spreadBy) ? (domains[spreadBy] ?? spreadBy) : spreadBy;
}
