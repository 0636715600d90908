import type { SchedulerType } from '../../catalog/cluster-schedulers';
import { type Collection, collectionOf } from '../listing';

const KUEUE = 'kueue.x-k8s.io/v1beta2';

/** The collections of a snapshot that show the quotas of queues and whose workloads use them, by scheduler. */
export const QUEUE_LISTS: Readonly<Partial<Record<SchedulerType, Readonly<Record<string, Collection>>>>> = {
  Kueue: {
    clusterqueues: collectionOf(KUEUE, 'ClusterQueue', 'clusterqueues'),
    localqueues: collectionOf(KUEUE, 'LocalQueue', 'localqueues'),
    workloads: collectionOf(KUEUE, 'Workload', 'workloads'),
  },
  KAI: {
    queues: collectionOf('scheduling.run.ai/v2', 'Queue', 'queues'),
    podgroups: collectionOf('scheduling.run.ai/v2alpha2', 'PodGroup', 'podgroups'),
  },
};
