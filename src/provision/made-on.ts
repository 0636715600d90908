import type { InferenceCluster } from '../api/inference-cluster';

/** Clouds that clusters are made on. */
const CLOUDS = ['GKE', 'EKS'] as const;

/** A cloud that clusters are made on. */
export type MadeOn = (typeof CLOUDS)[number];

/** Whether clusters of a source are made, and not only planned and rendered. */
export function isMade(source: InferenceCluster['spec']['cluster']['source']): source is MadeOn {
  return CLOUDS.some((cloud) => cloud === source);
}

/** The region of a cluster that is made. */
export function regionOf({ spec: { cluster } }: InferenceCluster): string {
  return (cluster.source === 'GKE' ? cluster.gke : cluster.eks)?.region ?? '';
}
