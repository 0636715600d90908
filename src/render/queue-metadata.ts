import type { InferenceCluster } from '../api/inference-cluster';
import { schedulerTypeOf } from '../api/kubernetes-features';
import { CLUSTER_SCHEDULERS, type ClusterScheduler } from '../catalog/cluster-schedulers';
import type { Labels } from '../manifest/kubernetes/labels-and-annotations';

/** Returns what schedules the pods of a cluster. */
export function schedulerOf(cluster: InferenceCluster): ClusterScheduler {
  return CLUSTER_SCHEDULERS[schedulerTypeOf(cluster)];
}

/** The metadata that names the queue of a cluster. */
interface QueueMetadata {
  /** For Deployments and LeaderWorkerSets. */
  readonly labels: Labels;

  /** For Deployments, LeaderWorkerSets and their pods. */
  readonly annotations: Labels;
}

/** Returns the metadata that names the queue of a cluster. Empty for a cluster without queues. */
export function queueMetadataOf(cluster: InferenceCluster): QueueMetadata {
  const { queue } = schedulerOf(cluster);
  const name = cluster.spec.scheduler?.queue;
  if (!queue || name === undefined) return NO_QUEUE;
  const mark = { [queue.key]: name };
  return queue.as === 'annotation' ? { labels: {}, annotations: mark } : { labels: mark, annotations: {} };
}

const NO_QUEUE: QueueMetadata = { labels: {}, annotations: {} };
