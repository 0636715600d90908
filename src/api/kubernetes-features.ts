import { PROVIDER_BLOCK } from './cloud-providers';
import type { InferenceCluster } from './inference-cluster';
import type { Path } from './resource';

/** What a device request may ask for beyond a number of devices. */
export type ClaimFeature =
  | 'firstAvailable'
  | 'matchAttribute'
  | 'distinctAttribute'
  | 'tolerations'
  | 'config';

interface FeatureSupport {
  /** The minor version of Kubernetes 1 from which on it is switched on by default (kube_features.go). */
  readonly since: number;

  /** Whether only a claim can say it. A device plugin hands out a number of devices, whichever they are. */
  readonly needsClaim: boolean;
}

/**
 * What each feature needs. API servers that lack one drop its fields without a word, and managed control planes let
 * nobody switch alpha features on. Facts: KEP-4816 (firstAvailable), KEP-4381 (matchAttribute, config), KEP-5075
 * (distinctAttribute), KEP-5055 (tolerations).
 */
export const CLAIM_FEATURES: Readonly<Record<ClaimFeature, FeatureSupport>> = {
  firstAvailable: { since: 34, needsClaim: true },
  matchAttribute: { since: 34, needsClaim: true },
  distinctAttribute: { since: 36, needsClaim: true },
  // Without claims there are no device taints either, so nothing is lost.
  tolerations: { since: 36, needsClaim: false },
  config: { since: 34, needsClaim: true },
};

/** The minor version of Kubernetes 1 from which on `resource.k8s.io/v1` is served (KEP-4381). */
export const CLAIMS_SINCE = 34;

/** What a pod asks for, as far as features go. */
interface DeviceDemand {
  readonly devices: readonly {
    readonly firstAvailable: readonly unknown[];
    readonly tolerations: readonly unknown[];
    readonly config: readonly unknown[];
  }[];
  readonly constraints: readonly { readonly matchAttribute?: string | undefined }[];
}

/** A feature that a pod uses, and where below its `nodeSelector`. */
export interface UsedFeature {
  readonly feature: ClaimFeature;
  readonly path: readonly (string | number)[];
}

/** Every place at which a pod uses a feature. */
export function usedClaimFeaturesOf(asked: DeviceDemand | undefined): UsedFeature[] {
  const ofDevices = (asked?.devices ?? []).flatMap((device, d) =>
    (['firstAvailable', 'tolerations', 'config'] as const)
      .filter((feature) => device[feature].length > 0)
      .map((feature) => ({ feature, path: ['devices', d, feature] })),
  );
  const ofConstraints = (asked?.constraints ?? []).map(({ matchAttribute }, c): UsedFeature => {
    const feature = matchAttribute === undefined ? 'distinctAttribute' : 'matchAttribute';
    return { feature, path: ['constraints', c, feature] };
  });
  return [...ofDevices, ...ofConstraints];
}

/** The block of a cluster that says where it comes from, by its source. */
const SOURCE_BLOCKS = { ...PROVIDER_BLOCK, Existing: 'existing' } as const;

/** The version of Kubernetes that a cluster declares, or that its cloud has by default. Nothing where nobody says. */
export function kubernetesVersionOf({ spec: { cluster } }: InferenceCluster): string | undefined {
  return cluster[SOURCE_BLOCKS[cluster.source]]?.kubernetesVersion;
}

/** Where a cluster declares its version. */
export function kubernetesVersionPathOf({ spec: { cluster } }: InferenceCluster): Path {
  return ['spec', 'cluster', SOURCE_BLOCKS[cluster.source], 'kubernetesVersion'];
}

/** The minor version of Kubernetes 1 that a cluster runs: 35 for `1.35.2-gke.100` and `v1.35`. Nothing if unknown. */
export function kubernetesMinorOf(cluster: InferenceCluster): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(kubernetesVersionOf(cluster) ?? '') ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** What claims cannot use on a cluster. A version that nobody declares lacks nothing. */
export function missingClaimFeaturesOf(cluster: InferenceCluster): ClaimFeature[] {
  const minor = kubernetesMinorOf(cluster) ?? Infinity;
  const all = Object.entries(CLAIM_FEATURES) as [ClaimFeature, (typeof CLAIM_FEATURES)[ClaimFeature]][];
  return all
    .filter(([, { since, needsClaim }]) => (cluster.spec.dra ? minor < since : needsClaim))
    .map(([feature]) => feature);
}
