/** How pods of a cluster are queued and placed, where a queue decides when they start. */
export interface ClusterScheduler {
  /** The `schedulerName` of pods. Absent: kube-scheduler places them. */
  readonly schedulerName?: string;

  /** How workloads name their queue. Absent: there are no queues. */
  readonly queue?: QueueMark;

  /** Whether it packs pods on nodes by itself, so that hints to kube-scheduler work against it. */
  readonly packs: boolean;

  /** Features of claims that it does not count against quotas, or does not know. */
  readonly lacks: readonly ('firstAvailable' | 'capacity' | 'partitions' | 'allocationMode')[];

  /** The most characters in the name of a LeaderWorkerSet. Absent: as many as its own controller takes. */
  readonly longestGangName?: number;
}

interface QueueMark {
  /** The key of a label of workloads, or of an annotation of workloads and their pods. */
  readonly key: string;
  readonly as: 'label' | 'annotation';

  /** The queue itself. It is in the namespace of each deployment, or in none. */
  readonly kind: 'LocalQueue' | 'Queue';
  readonly namespaced: boolean;
}

/**
 * The schedulers that a cluster can declare. Sources: KAI 0.17 (pkg/podgrouper: the queue is a label of the topmost
 * owner; docs/dra), Kueue 0.19 (pkg/controller/jobs/deployment and /leaderworkerset: the webhook copies the label to
 * pods; KueueDRAIntegration counts `exactly` with a count), Volcano 1.12 (docs/tutorials: the annotation is read from
 * pods; LeaderWorkerSet 0.10, pkg/schedulerprovider: it is copied from the LeaderWorkerSet).
 */
export const CLUSTER_SCHEDULERS = {
  Default: { packs: false, lacks: [] },
  KAI: {
    schedulerName: 'kai-scheduler',
    queue: { key: 'kai.scheduler/queue', as: 'label', kind: 'Queue', namespaced: false },
    packs: true,
    lacks: ['firstAvailable'],
  },
  Kueue: {
    queue: { key: 'kueue.x-k8s.io/queue-name', as: 'label', kind: 'LocalQueue', namespaced: true },
    packs: false,
    lacks: ['firstAvailable', 'capacity', 'partitions', 'allocationMode'],
    longestGangName: 39,
  },
  Volcano: {
    schedulerName: 'volcano',
    queue: { key: 'scheduling.volcano.sh/queue-name', as: 'annotation', kind: 'Queue', namespaced: false },
    packs: false,
    lacks: [],
  },
} as const satisfies Readonly<Record<string, ClusterScheduler>>;

export type SchedulerType = keyof typeof CLUSTER_SCHEDULERS;

/** The scheduler types, the default first. */
export const SCHEDULER_TYPES = Object.keys(CLUSTER_SCHEDULERS) as [SchedulerType, ...SchedulerType[]];
