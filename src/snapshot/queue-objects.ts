import { z } from 'zod';
import { quantity } from '../api/schema/quantity';
import { objectMetaSchema } from './object-meta';

/** Amounts by resource. */
const amountsSchema = z.record(z.string(), z.coerce.string().pipe(quantity(64))).default({});

/** What workloads reserve of a flavor. */
const reservationSchema = z.object({
  resources: z
    .array(z.object({ name: z.string(), total: z.coerce.string().pipe(quantity(64)).default('0') }))
    .default([]),
});

/** The quotas of a `ClusterQueue` of Kueue (kueue v0.19, apis/kueue/v1beta1 and v1beta2), and what is reserved. */
export const clusterQueueSchema = z.object({
  metadata: objectMetaSchema,
  spec: z
    .object({
      resourceGroups: z
        .array(
          z.object({
            flavors: z.array(
              z.object({
                resources: z.array(z.object({ name: z.string(), nominalQuota: z.coerce.string().pipe(quantity(64)) })),
              }),
            ),
          }),
        )
        .default([]),
    })
    .prefault({}),
  status: z.object({ flavorsReservation: z.array(reservationSchema).default([]) }).prefault({}),
});

/** The ClusterQueue of a `LocalQueue` of Kueue. */
export const localQueueSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({ clusterQueue: z.string().optional() }).prefault({}),
});

/** The labels of the pods of a `Workload` of Kueue, and what it has reserved. */
export const workloadSchema = z.object({
  metadata: objectMetaSchema,
  spec: z
    .object({
      podSets: z
        .array(
          z.object({
            template: z
              .object({ metadata: z.object({ labels: z.record(z.string(), z.string()).default({}) }).prefault({}) })
              .prefault({}),
          }),
        )
        .default([]),
    })
    .prefault({}),
  status: z
    .object({
      admission: z
        .object({
          clusterQueue: z.string().optional(),
          podSetAssignments: z.array(z.object({ resourceUsage: amountsSchema })).default([]),
        })
        .optional(),
    })
    .prefault({}),
});

/** A share of a resource that a `Queue` of KAI has. -1: unlimited. */
const shareSchema = z.object({ quota: z.number().default(0) }).optional();

/** The quota of a `Queue` of KAI (scheduling.run.ai/v2), and what pods that KAI does not preempt take of it. */
export const kaiQueueSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({ resources: z.object({ gpu: shareSchema }).optional() }).prefault({}),
  status: z.object({ allocatedNonPreemptible: amountsSchema }).prefault({}),
});

/** The queue of a `PodGroup` of KAI (scheduling.run.ai/v2alpha2), and what its pods take of the queue. */
export const podGroupSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({ queue: z.string().optional() }).prefault({}),
  status: z.object({ resourcesStatus: z.object({ allocatedNonPreemptible: amountsSchema }).prefault({}) }).prefault({}),
});

/** The recorded objects of queues, by their kind. */
export interface QueueObjects {
  readonly clusterQueues: readonly z.output<typeof clusterQueueSchema>[];
  readonly localQueues: readonly z.output<typeof localQueueSchema>[];
  readonly workloads: readonly z.output<typeof workloadSchema>[];
  readonly kaiQueues: readonly z.output<typeof kaiQueueSchema>[];
  readonly podGroups: readonly z.output<typeof podGroupSchema>[];
}
