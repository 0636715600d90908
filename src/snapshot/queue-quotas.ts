import type { InferenceCluster } from '../api/inference-cluster';
import { schedulerTypeOf } from '../api/kubernetes-features';
import { DEPLOYMENT_LABEL } from '../api/labels';
import { sortedBy, sortUnique } from '../base/order';
import type { SchedulerType } from '../catalog/cluster-schedulers';
import { parseQuantity } from '../cel/values/quantity';
import type { QueueQuota, RecordedQueue } from '../fleet/recorded-queues';
import type { QueueObjects } from './queue-objects';
import type { Snapshot } from './recorded-objects';

type Amounts = Readonly<Record<string, string>>;

/** Reads the quotas of one queue. Undefined: the snapshot does not have the queue. */
type QuotaReader = (name: string, queues: QueueObjects, snapshot: Snapshot) => readonly QueueQuota[] | undefined;

/**
 * Finds what the queue of a cluster may use by a snapshot, and what workloads of others use of it. Only devices count,
 * because plans reserve no CPU and memory in queues.
 */
export function findQueueQuotas(snapshot: Snapshot, cluster: InferenceCluster): RecordedQueue | undefined {
  const { queue } = cluster.spec.scheduler ?? {};
  if (!snapshot.queues || queue === undefined) return undefined;
  const quotas = QUOTA_READERS[schedulerTypeOf(cluster)]?.(queue, snapshot.queues, snapshot);
  return quotas && quotas.length > 0 ? { cluster: snapshot.cluster, queue, quotas } : undefined;
}

/**
 * Of Kueue, the nominal quota counts, of all flavors together: what a cohort lends can be taken back. A resource has the
 * name of the device class that it counts, unless the configuration of Kueue gives it another; then it is not compared.
 */
const readKueue: QuotaReader = (name, { clusterQueues, localQueues, workloads }) => {
  const local = sortUnique(
    localQueues.flatMap(({ metadata, spec }) => (metadata.name === name ? (spec.clusterQueue ?? []) : [])),
  );
  const queue = clusterQueues.find(({ metadata }) => metadata.name === local[0]);
  if (!queue || local.length > 1) return undefined;
  const quotas = sumAmounts(
    queue.spec.resourceGroups.flatMap(({ flavors }) =>
      flavors.flatMap(({ resources }) =>
        resources.map(({ name: resource, nominalQuota }) => ({ [resource]: nominalQuota })),
      ),
    ),
  );
  const reserved = sumAmounts(
    queue.status.flavorsReservation.flatMap(({ resources }) =>
      resources.map(({ name: resource, total }) => ({ [resource]: total })),
    ),
  );
  const own = sumAmounts(
    workloads
      .filter(({ spec }) => spec.podSets.some(({ template }) => DEPLOYMENT_LABEL in template.metadata.labels))
      .filter(({ status }) => status.admission?.clusterQueue === queue.metadata.name)
      .flatMap(({ status }) => status.admission?.podSetAssignments ?? [])
      .map(({ resourceUsage }) => resourceUsage),
  );
  return sortedBy(quotas, ([resource]) => resource)
    .filter(([resource]) => !PLAIN_RESOURCES.has(resource))
    .map(([resource, quota]) => {
      const others = Math.max(0, (reserved.get(resource) ?? 0) - (own.get(resource) ?? 0));
      return { resource, claimedAs: resource, quota, others };
    });
};

/**
 * Of KAI, the quota counts, which is all that pods of the priority class `inference` may use: KAI does not preempt them
 * (pkg/scheduler/plugins/proportion: what is not preemptible may use the deserved share). It counts devices of all
 * classes as GPUs. KAI writes the name of its PodGroup on each pod, which says whose it is.
 */
const readKai: QuotaReader = (name, { kaiQueues, podGroups }, { pods }) => {
  const queue = kaiQueues.find(({ metadata }) => metadata.name === name);
  if (!queue) return undefined;
  const quota = queue.spec.resources?.gpu?.quota ?? 0;
  if (quota < 0) return [];
  const keys = pods.flatMap(({ value: { metadata } }) =>
    DEPLOYMENT_LABEL in metadata.labels ? [`${metadata.namespace}/${metadata.annotations['pod-group-name']}`] : [],
  );
  const own = new Set(keys);
  const groups = podGroups.filter(
    ({ metadata, spec }) => spec.queue === name && own.has(`${metadata.namespace}/${metadata.name}`),
  );
  const used = countDevices([queue.status.allocatedNonPreemptible]);
  const ours = countDevices(groups.map(({ status }) => status.resourcesStatus.allocatedNonPreemptible));
  return [{ resource: 'gpu', quota, others: Math.max(0, used - ours) }];
};

const QUOTA_READERS: Readonly<Partial<Record<SchedulerType, QuotaReader>>> = { Kueue: readKueue, KAI: readKai };

/** The resources of a pod that are no devices. */
const PLAIN_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage', 'pods']);

function countDevices(amounts: readonly Amounts[]): number {
  const devices = [...sumAmounts(amounts)].filter(([resource]) => !PLAIN_RESOURCES.has(resource));
  return devices.reduce((sum, [, count]) => sum + count, 0);
}

function sumAmounts(amounts: readonly Amounts[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [resource, amount] of amounts.flatMap((one) => Object.entries(one))) {
    sums.set(resource, (sums.get(resource) ?? 0) + parseQuantity(amount).asApproximateFloat());
  }
  return sums;
}
