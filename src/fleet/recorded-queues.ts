/** The queue of the replicas on a cluster, as a snapshot shows it. */
export interface RecordedQueue {
  readonly cluster: string;
  readonly queue: string;
  readonly quotas: readonly QueueQuota[];
}

/** How much of a resource a queue may use, and what workloads of others use of it. */
export interface QueueQuota {
  readonly resource: string;

  /** The device class, or extended resource, that it counts. Absent: all devices. */
  readonly claimedAs?: string;
  readonly quota: number;
  readonly others: number;
}
