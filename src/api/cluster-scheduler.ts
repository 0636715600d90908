import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { joinNames } from '../base/text';
import { CLUSTER_SCHEDULERS, SCHEDULER_TYPES, type SchedulerType } from '../catalog/cluster-schedulers';
import { fields, withDefault } from './schema/fields';
import { describeMissingField, rules, type SchemaRule } from './schema/rules';
import { integer } from './schema/quantity';
import { referencedName } from './schema/string-formats';

interface Declared {
  readonly type: SchedulerType;
  readonly queue?: string | undefined;
  readonly quota: Readonly<Record<string, number>>;
  readonly manage: boolean;
  readonly gangs: boolean;
}

const queueFitsType: SchemaRule<Declared> = function* ({ type, queue, quota }) {
  const hasQueues = 'queue' in CLUSTER_SCHEDULERS[type];
  if (hasQueues && queue === undefined) {
    yield describeMissingField(['queue'], `Pods that ${type} schedules need a queue: write its name`);
  }
  if (hasQueues) return;
  const queueing = SCHEDULER_TYPES.filter((one) => 'queue' in CLUSTER_SCHEDULERS[one]);
  for (const [field, isSet] of [
    ['queue', queue !== undefined],
    ['quota', Object.keys(quota).length > 0],
  ] as const) {
    const hint = `Remove it, or set type to ${joinNames(queueing.slice(0, -1))} or ${queueing.at(-1) ?? ''}`;
    if (isSet) yield errorAt('contradiction', [field], 'kube-scheduler has no queues', hint);
  }
};

const manageFitsKueue: SchemaRule<Declared> = function* ({ type, quota, manage }) {
  if (!manage) return;
  if (type !== 'Kueue') {
    const what = `only queues of Kueue can be managed, and type is ${type}`;
    yield errorAt('contradiction', ['manage'], what, "Remove it, or set 'type: Kueue'");
  } else if (Object.keys(quota).length > 0) {
    const what = 'the quota of a queue that Fleetwright manages is what the pools have';
    yield errorAt('contradiction', ['quota'], what, "Remove it, or set 'manage: false'");
  }
};

const gangsFitType: SchemaRule<Declared> = function* ({ type, gangs }) {
  if (!gangs || type === 'Default') return;
  const what = `gangs of kube-scheduler are for pods that it schedules alone, and type is ${type}`;
  yield errorAt('contradiction', ['gangs'], what, "Remove it, or set 'type: Default'");
};

/** The schema of what schedules the pods of a cluster, and of the queue that decides when they start. */
export const clusterScheduler = fields({
  type: withDefault(
    z.enum(SCHEDULER_TYPES),
    'Default',
    'Default: kube-scheduler. KAI, Volcano: place pods themselves. Kueue: holds pods until their queue has quota, and kube-scheduler places them.',
  ),
  queue: referencedName
    .optional()
    .describe(
      'The queue of all engines on the cluster: a Queue of KAI or Volcano, or a LocalQueue of Kueue in the namespace of each deployment. It must exist. Required unless type is Default.',
    ),
  quota: z
    .record(z.string(), integer(0, 1_000_000))
    .default({})
    .describe(
      'The devices that the queue may use at once, by device class: { gpu.nvidia.com: 16 }. On a cluster without DRA, by extended resource. The plan warns where its replicas take more. Default: - not checked.',
    ),
  manage: withDefault(
    z.boolean(),
    false,
    'Whether manifests include the queues of Kueue: a ResourceFlavor for each pool, a ClusterQueue with all that pools have, and a LocalQueue in each namespace.',
  ),
  gangs: withDefault(
    z.boolean(),
    false,
    'Whether kube-scheduler starts a gang whole or not at all. For type Default, on Kubernetes 1.36 and 1.37, with their feature gates and API on. For engines with one copy.',
  ),
}).check(rules(queueFitsType, manageFitsKueue, gangsFitType));
