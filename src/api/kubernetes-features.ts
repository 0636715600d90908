import { BACKEND_VERSIONS, type BackendType } from '../catalog/backends';
import { CLUSTER_SCHEDULERS, type SchedulerType } from '../catalog/cluster-schedulers';
import { POD_GROUP_APIS, type PodGroupApi } from '../catalog/pod-groups';
import { SOURCE_BLOCK } from './cloud-providers';
import type { EngineMember } from './engine';
import type { InferenceCluster } from './inference-cluster';
import type { Path } from './resource';

/** A feature of resource claims, beyond a number of devices, that a device request can use. */
export type ClaimFeature =
  | 'firstAvailable'
  | 'matchAttribute'
  | 'distinctAttribute'
  | 'tolerations'
  | 'config'
  | 'capacity'
  | 'partitions'
  | 'allocationMode';

interface FeatureSupport {
  /** What messages call it: the field, and what it is a field of. */
  readonly name: string;

  /** The first minor version of Kubernetes 1 that enables the feature by default (kube_features.go). */
  readonly since: number;

  /** Whether the feature requires a claim. A device plugin only allocates a number of arbitrary devices. */
  readonly needsClaim: boolean;
}

/**
 * The requirements of each feature. API servers without a feature silently drop its fields, and managed control planes
 * do not allow alpha features. Sources: KEP-4816 (firstAvailable), KEP-4381 (matchAttribute, config, allocationMode), KEP-5075
 * (distinctAttribute, capacity), KEP-5055 (tolerations), KEP-4815 (partitions).
 */
export const CLAIM_FEATURES: Readonly<Record<ClaimFeature, FeatureSupport>> = {
  firstAvailable: { name: "'firstAvailable' of a device request", since: 34, needsClaim: true },
  matchAttribute: { name: "'matchAttribute' of a constraint", since: 34, needsClaim: true },
  distinctAttribute: { name: "'distinctAttribute' of a constraint", since: 36, needsClaim: true },
  // Without claims, there are no device taints to tolerate.
  tolerations: { name: "'tolerations' of a device request", since: 36, needsClaim: false },
  config: { name: "'config' of a device request", since: 34, needsClaim: true },
  capacity: { name: "'capacity' of a device request", since: 36, needsClaim: true },
  partitions: { name: "'counterSet' of a device", since: 36, needsClaim: true },
  allocationMode: { name: "'allocationMode: All' of a device request", since: 34, needsClaim: false },
};

/** The first minor version of Kubernetes 1 that serves `resource.k8s.io/v1` (KEP-4381). */
export const CLAIMS_SINCE = 34;

/** A feature that a pod uses, and its path below `nodeSelector`. */
interface UsedFeature {
  readonly feature: ClaimFeature;
  readonly path: readonly (string | number)[];
}

/** The claim features that a pod uses, each with its path. */
export function usedClaimFeaturesOf(nodeSelector: EngineMember['nodeSelector']): UsedFeature[] {
  const ofDevices = (nodeSelector?.devices ?? []).flatMap((device, d) =>
    (['firstAvailable', 'tolerations', 'config'] as const)
      .filter((feature) => device[feature].length > 0)
      .map((feature) => ({ feature, path: ['devices', d, feature] })),
  );
  const ofCapacity = (nodeSelector?.devices ?? []).flatMap((device, d): UsedFeature[] => {
    const forms = [device, ...device.firstAvailable].flatMap(({ capacity }, f) => (capacity ? [f] : []));
    return forms.map((f) => ({
      feature: 'capacity',
      path: ['devices', d, ...(f > 0 ? ['firstAvailable', f - 1] : []), 'capacity'],
    }));
  });
  const ofMode = (nodeSelector?.devices ?? []).flatMap((device, d): UsedFeature[] =>
    [device, ...device.firstAvailable].flatMap(({ allocationMode: mode }, f): UsedFeature[] =>
      mode === 'All'
        ? [
            {
              feature: 'allocationMode',
              path: ['devices', d, ...(f > 0 ? ['firstAvailable', f - 1] : []), 'allocationMode'],
            },
          ]
        : [],
    ),
  );
  const ofConstraints = (nodeSelector?.constraints ?? []).map(({ matchAttribute }, c): UsedFeature => {
    const feature = matchAttribute === undefined ? 'distinctAttribute' : 'matchAttribute';
    return { feature, path: ['constraints', c, feature] };
  });
  return [...ofDevices, ...ofCapacity, ...ofMode, ...ofConstraints];
}

/** The Kubernetes version of a cluster: declared, or the default of its cloud. Undefined if unknown. */
export function kubernetesVersionOf({ spec: { cluster } }: InferenceCluster): string | undefined {
  return cluster[SOURCE_BLOCK[cluster.source]]?.kubernetesVersion;
}

/** The path of the field with the Kubernetes version of a cluster. */
export function kubernetesVersionPathOf({ spec: { cluster } }: InferenceCluster): Path {
  return ['spec', 'cluster', SOURCE_BLOCK[cluster.source], 'kubernetesVersion'];
}

/** The minor version of Kubernetes 1 on a cluster: 35 for `1.35.2-gke.100` and `v1.35`. Undefined if unknown. */
export function kubernetesMinorOf(cluster: InferenceCluster): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(kubernetesVersionOf(cluster) ?? '') ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** The claim features that a cluster lacks. A cluster of unknown version has all that claims need. */
export function missingClaimFeaturesOf(cluster: InferenceCluster): ClaimFeature[] {
  const minor = kubernetesMinorOf(cluster) ?? Infinity;
  const all = Object.entries(CLAIM_FEATURES) as [ClaimFeature, (typeof CLAIM_FEATURES)[ClaimFeature]][];
  return all
    .filter(([, { since, needsClaim }]) => (cluster.spec.dra ? minor < since : needsClaim))
    .map(([feature]) => feature);
}

/** The scheduler of a cluster: the declared one, or that of Kubernetes. */
export function schedulerTypeOf({ spec }: InferenceCluster): SchedulerType {
  return spec.scheduler?.type ?? 'Default';
}

/** The API by which kube-scheduler starts gangs whole on a cluster. Undefined if the cluster declares none, or has none. */
export function podGroupApiOf(cluster: InferenceCluster): PodGroupApi | undefined {
  return cluster.spec.scheduler?.gangs ? POD_GROUP_APIS.get(kubernetesMinorOf(cluster) ?? 0) : undefined;
}

/** What turns objects into pods on a cluster: the declared software, or Kubernetes alone. */
export function backendTypeOf({ spec }: InferenceCluster): BackendType {
  return spec.backend?.type ?? 'Native';
}

/** The version of the software for pods on a cluster: the declared one, or the one that manifests are made for. */
export function backendVersionOf(cluster: InferenceCluster): string {
  const type = backendTypeOf(cluster);
  return cluster.spec.backend?.version ?? (type === 'Native' ? '' : BACKEND_VERSIONS[type].version);
}

/** The minor version of that software: 20 for KServe `0.20.1`, 3 for Dynamo `1.3`. Infinite for later major versions. */
export function backendMinorOf(cluster: InferenceCluster): number {
  const type = backendTypeOf(cluster);
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(backendVersionOf(cluster)) ?? [];
  return type !== 'Native' && Number(major) === BACKEND_VERSIONS[type].major ? Number(minor) : Infinity;
}

/** Whether a scheduler lacks a claim feature: its queues would not count the devices, so pods would never start. */
export function lacksClaimFeature(scheduler: SchedulerType, feature: ClaimFeature): boolean {
  const { lacks }: { readonly lacks: readonly ClaimFeature[] } = CLUSTER_SCHEDULERS[scheduler];
  return lacks.includes(feature);
}
