import type { Site } from './release';

/** The kind of a pool of pods behind an endpoint picker (Gateway API Inference Extension, v1). */
export const INFERENCE_POOL = {
  group: 'inference.networking.k8s.io',
  kind: 'InferencePool',
  version: 'v1',
} as const;

/** How its objects are called in paths and rights. */
export const INFERENCE_POOLS = 'inferencepools';

/** Whether we install the kind on a cluster, for pools that its users bring: ours never need it. */
export function hasInferencePools({ cluster }: Pick<Site, 'cluster'>): boolean {
  return cluster.spec.servingStack.inferenceCrds?.install === true;
}
