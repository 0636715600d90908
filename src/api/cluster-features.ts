import { CLAIM_FEATURES, type ClaimFeature } from './claim-features';
import type { InferenceCluster } from './inference-cluster';
import { PROVIDER_BLOCK } from './providers';
import type { Path } from './resource';

/** The block of a cluster that says where it comes from, by its source. */
const BLOCKS = { ...PROVIDER_BLOCK, Existing: 'existing' } as const;

/** The version of Kubernetes that a cluster declares, or that its cloud has by default. Nothing where nobody says. */
export function versionOf({ spec: { cluster } }: InferenceCluster): string | undefined {
  return cluster[BLOCKS[cluster.source]]?.kubernetesVersion;
}

/** Where a cluster declares its version. */
export function versionPath({ spec: { cluster } }: InferenceCluster): Path {
  return ['spec', 'cluster', BLOCKS[cluster.source], 'kubernetesVersion'];
}

/** The minor version of Kubernetes 1 that a cluster runs: 35 for `1.35.2-gke.100` and `v1.35`. Nothing if unknown. */
export function minorOf(cluster: InferenceCluster): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(versionOf(cluster) ?? '') ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** What claims cannot use on a cluster. A version that nobody declares lacks nothing. */
export function lackedBy(cluster: InferenceCluster): ClaimFeature[] {
  const minor = minorOf(cluster) ?? Infinity;
  const all = Object.entries(CLAIM_FEATURES) as [ClaimFeature, (typeof CLAIM_FEATURES)[ClaimFeature]][];
  return all
    .filter(([, { since, needsClaim }]) => (cluster.spec.dra ? minor < since : needsClaim))
    .map(([feature]) => feature);
}
