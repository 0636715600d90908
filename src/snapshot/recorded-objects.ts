import { z } from 'zod';
import type { Path } from '../api/resource';
import { quantity } from '../api/schema/quantity';
import { nonEmptyText } from '../api/schema/string-formats';
import { NODE_EFFECTS } from '../api/schema/taints-and-tolerations';
import { objectMetaSchema } from './object-meta';
import type { QueueObjects } from './queue-objects';

export interface RecordedObject<T> {
  readonly value: T;
  /** The place of a field: `file:line:column`. */
  readonly place: (path: Path) => string;
}

/** The recorded objects of one cluster, each list sorted by namespace and name. */
export interface Snapshot {
  readonly cluster: string;
  /** Paths of the files, sorted. */
  readonly files: readonly string[];
  readonly nodes: readonly RecordedObject<RecordedNode>[];
  readonly slices: readonly RecordedObject<ResourceSlice>[];
  readonly pods: readonly RecordedObject<RecordedPod>[];
  /** Absent: not recorded. */
  readonly queues?: QueueObjects;
  /** The newest time in the objects: the snapshot is not older. Absent if no object has a time. */
  readonly asOf?: string;
}

const taintSchema = z.object({ key: z.string(), value: z.string().optional(), effect: z.enum(NODE_EFFECTS) });

export const nodeSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({ unschedulable: z.boolean().default(false), taints: z.array(taintSchema).default([]) }).prefault({}),
  status: z
    .object({
      allocatable: z.record(z.string(), quantity(64)).default({}),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
    })
    .prefault({}),
});

export type RecordedNode = z.output<typeof nodeSchema>;

const resourcesSchema = z.object({ requests: z.record(z.string(), quantity(64)).default({}) }).prefault({});

const containerSchema = z.object({ resources: resourcesSchema, restartPolicy: z.string().optional() });

/** The node and the requests of a `Pod`. */
export const podSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({
    nodeName: z.string().optional(),
    containers: z.array(containerSchema),
    initContainers: z.array(containerSchema).default([]),
    overhead: z.record(z.string(), quantity(64)).default({}),
    resources: resourcesSchema,
    resourceClaims: z.array(z.unknown()).default([]),
  }),
  status: z.object({ phase: z.string().optional() }).prefault({}),
});

export type RecordedPod = z.output<typeof podSchema>;

/** The types of a value. An unknown type is ignored, and then all fields are absent. */
const attributeSchema = z.object({
  string: z.string().optional(),
  version: z.string().optional(),
  bool: z.boolean().optional(),
  int: z.union([z.number(), z.bigint()]).optional(),
});

/** How a driver rounds what requests ask of a capacity. */
const policySchema = z.object({
  default: quantity(64).optional(),
  validValues: z.array(quantity(64)).optional(),
  validRange: z.object({ min: quantity(64), max: quantity(64).optional(), step: quantity(64).optional() }).optional(),
});

/** Amounts of counters, by name. */
const countersSchema = z.record(z.string(), z.object({ value: quantity(64) })).default({});

const deviceSchema = z.object({
  name: nonEmptyText(253),
  attributes: z.record(z.string(), attributeSchema).default({}),
  capacity: z.record(z.string(), z.object({ value: quantity(64), requestPolicy: policySchema.optional() })).default({}),
  allowMultipleAllocations: z.boolean().default(false),
  consumesCounters: z.array(z.object({ counterSet: nonEmptyText(253), counters: countersSchema })).default([]),
  taints: z.array(z.object({ effect: z.string() })).default([]),
});

/** A `ResourceSlice`: devices that a driver publishes, of one node or without a node. */
export const resourceSliceSchema = z.object({
  metadata: objectMetaSchema,
  spec: z.object({
    driver: nonEmptyText(253),
    nodeName: nonEmptyText(253).optional(),
    pool: z.object({ name: nonEmptyText(253), generation: z.int().min(0), resourceSliceCount: z.int().min(1) }),
    devices: z.array(deviceSchema).default([]),
    sharedCounters: z.array(z.object({ name: nonEmptyText(253), counters: countersSchema })).default([]),
  }),
});

export type ResourceSlice = z.output<typeof resourceSliceSchema>;

export type PublishedDevice = ResourceSlice['spec']['devices'][number];
