import { basename } from 'node:path';
import type { z } from 'zod';
import { validateAgainst } from '../api/schema/validate';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { suggestName } from '../base/name-suggestion';
import { groupBy, sortedBy } from '../base/order';
import { idText } from '../base/text';
import { DEFAULT_LIMITS, enforceSizeLimits, type Limits } from '../manifest/input-limits';
import type { IgnoredDocuments } from '../manifest/load-files';
import type { SourceFile } from '../manifest/source-file';
import {
  clusterQueueSchema,
  kaiQueueSchema,
  localQueueSchema,
  podGroupSchema,
  type QueueObjects,
  workloadSchema,
} from './queue-objects';
import { type RawObject, readRecordedObjects } from './read-objects';
import {
  nodeSchema,
  podSchema,
  type RecordedNode,
  type RecordedObject,
  type RecordedPod,
  type ResourceSlice,
  resourceSliceSchema,
  type Snapshot,
} from './recorded-objects';

/** All recorded objects, by cluster. */
export interface RecordedSnapshots {
  /** By cluster. */
  readonly snapshots: readonly Snapshot[];
  /** Objects of kinds that are not read, sorted. */
  readonly ignored: readonly IgnoredDocuments[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads files of recorded objects. The name of a file up to the first dot is the name of its cluster, so a cluster
 * may have several files (`us.yaml`, `us.pods.yaml`).
 *
 * @param clusters the names of the clusters of the fleet
 * @param limits default: `LIMITS`
 */
export function readSnapshots(
  files: readonly SourceFile[],
  clusters: readonly string[],
  limits: Limits = DEFAULT_LIMITS,
): RecordedSnapshots {
  const problems: Diagnostic[] = [];
  const sorted = sortedBy(files, ({ path }) => path);
  const readable = enforceSizeLimits(sorted, limits, problems);
  const known = new Set(clusters);
  const recorded = readable.filter((file) => known.has(clusterOf(file)));
  const others = readable.filter((file) => !known.has(clusterOf(file)));
  problems.push(...others.map((file) => describeUnknownCluster(file, clusters)));
  const objects = new ObjectCollector(problems);
  for (const file of recorded) {
    for (const object of readRecordedObjects(file, limits)) objects.add(clusterOf(file), object);
  }
  return { snapshots: objects.snapshots(groupBy(recorded, clusterOf)), ignored: objects.ignored(), problems };
}

function clusterOf({ path }: SourceFile): string {
  return basename(path).split('.')[0] ?? '';
}

function describeUnknownCluster(file: SourceFile, clusters: readonly string[]): Diagnostic {
  const name = clusterOf(file);
  const meant = suggestName(name, clusters);
  return errorAt(
    'unknown-cluster',
    file.path,
    `the snapshot is of cluster '${name}', which the fleet does not have`,
    meant ? `Rename it after '${meant}' if you meant that cluster` : 'Rename the file to CLUSTER.yaml',
  );
}

interface CollectedObject {
  readonly cluster: string;
  readonly kind: ReadKind;
  readonly id: string;
  readonly recorded: RecordedObject<unknown>;
}

/** The kinds that are read. */
const SCHEMAS = {
  'v1 Node': nodeSchema,
  'v1 Pod': podSchema,
  'resource.k8s.io/v1 ResourceSlice': resourceSliceSchema,
  'kueue.x-k8s.io/v1beta1 ClusterQueue': clusterQueueSchema,
  'kueue.x-k8s.io/v1beta2 ClusterQueue': clusterQueueSchema,
  'kueue.x-k8s.io/v1beta1 LocalQueue': localQueueSchema,
  'kueue.x-k8s.io/v1beta2 LocalQueue': localQueueSchema,
  'kueue.x-k8s.io/v1beta1 Workload': workloadSchema,
  'kueue.x-k8s.io/v1beta2 Workload': workloadSchema,
  'scheduling.run.ai/v2 Queue': kaiQueueSchema,
  'scheduling.run.ai/v2alpha2 PodGroup': podGroupSchema,
};
type ReadKind = keyof typeof SCHEMAS;
type ReadValue = z.output<(typeof SCHEMAS)[ReadKind]>;

/** The kinds of each list of objects of queues. */
const QUEUE_LISTS: Readonly<Record<keyof QueueObjects, readonly ReadKind[]>> = {
  clusterQueues: ['kueue.x-k8s.io/v1beta1 ClusterQueue', 'kueue.x-k8s.io/v1beta2 ClusterQueue'],
  localQueues: ['kueue.x-k8s.io/v1beta1 LocalQueue', 'kueue.x-k8s.io/v1beta2 LocalQueue'],
  workloads: ['kueue.x-k8s.io/v1beta1 Workload', 'kueue.x-k8s.io/v1beta2 Workload'],
  kaiQueues: ['scheduling.run.ai/v2 Queue'],
  podGroups: ['scheduling.run.ai/v2alpha2 PodGroup'],
};

class ObjectCollector {
  readonly #kept = new Map<string, CollectedObject>();
  readonly #times = new Map<string, string>();
  readonly #ignored = new Map<string, number>();

  constructor(private readonly problems: Diagnostic[]) {}

  add(cluster: string, object: RawObject | Diagnostic): void {
    if (!('value' in object)) {
      this.problems.push(object);
      return;
    }
    const what = `${object.apiVersion} ${object.kind}`;
    if (Object.hasOwn(SCHEMAS, what)) this.#keep(cluster, what as ReadKind, object);
    else this.#ignored.set(what, (this.#ignored.get(what) ?? 0) + 1);
  }

  #keep(cluster: string, kind: ReadKind, { value, place }: RawObject): void {
    const checked = validateAgainst<ReadValue>(SCHEMAS[kind] as z.ZodType<ReadValue>, value);
    if ('findings' in checked) {
      this.problems.push(...checked.findings.map((finding) => relocate(finding, place)));
      return;
    }
    const { namespace, name } = checked.value.metadata;
    const id = idText(namespace, name);
    const key = JSON.stringify([cluster, kind, id]);
    const first = this.#kept.get(key);
    if (first) this.problems.push(describeDuplicate(kind, id, place, first));
    this.#kept.set(key, { cluster, kind, id, recorded: { value: checked.value, place } });
    const time = findNewestTime(value);
    const newest = this.#times.get(cluster);
    if (time !== undefined && (newest === undefined || time > newest)) this.#times.set(cluster, time);
  }

  snapshots(files: ReadonlyMap<string, readonly SourceFile[]>): Snapshot[] {
    const kept = groupBy(this.#kept.values(), ({ cluster }) => cluster);
    return sortedBy(files, ([cluster]) => cluster).map(([cluster, clusterFiles]) => {
      const objects = sortedBy(kept.get(cluster) ?? [], ({ id }) => id);
      const asOf = this.#times.get(cluster);
      return {
        cluster,
        files: clusterFiles.map(({ path }) => path),
        nodes: selectKind<RecordedNode>(objects, 'v1 Node'),
        slices: selectKind<ResourceSlice>(objects, 'resource.k8s.io/v1 ResourceSlice'),
        pods: selectKind<RecordedPod>(objects, 'v1 Pod'),
        ...selectQueues(objects),
        ...(asOf !== undefined && { asOf }),
      };
    });
  }

  ignored(): IgnoredDocuments[] {
    return sortedBy(this.#ignored, ([what]) => what).map(([what, count]) => ({ what, count }));
  }
}

function selectKind<T extends RecordedNode | RecordedPod | ResourceSlice>(
  objects: readonly CollectedObject[],
  kind: ReadKind,
): RecordedObject<T>[] {
  return objects.flatMap((object) => (object.kind === kind ? [object.recorded as RecordedObject<T>] : []));
}

function selectQueues(objects: readonly CollectedObject[]): Pick<Snapshot, 'queues'> {
  const kindsOf = Object.entries(QUEUE_LISTS);
  const lists = kindsOf.map(([list, kinds]) => {
    const found = objects.filter(({ kind }) => kinds.includes(kind));
    return [list, found.map(({ recorded }) => recorded.value)] as const;
  });
  if (lists.every(([, found]) => found.length === 0)) return {};
  return { queues: Object.fromEntries(lists) as unknown as QueueObjects };
}

const NAME_PATH = ['metadata', 'name'] as const;

function describeDuplicate(
  kind: ReadKind,
  id: string,
  place: RawObject['place'],
  { recorded }: CollectedObject,
): Diagnostic {
  return errorAt(
    'duplicate-object',
    place(NAME_PATH),
    `${kind} ${id} is recorded twice, first at ${recorded.place(NAME_PATH)}`,
    'Keep the newer one',
  );
}

/** Paths of the times that a cluster writes into objects; `*` is every item of a list. */
const TIME_PATHS: readonly (readonly string[])[] = [
  ['metadata', 'creationTimestamp'],
  ['metadata', 'managedFields', '*', 'time'],
  ['status', 'conditions', '*', 'lastHeartbeatTime'],
  ['status', 'conditions', '*', 'lastTransitionTime'],
];

/** Kubernetes writes times in UTC, some with a fraction of a second. */
const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/**
 * The newest time in an object, to the second. The kubelet renews a node's heartbeat every five minutes, so a
 * recording with nodes is not much younger than this time.
 *
 * @example
 * findNewestTime({ metadata: { creationTimestamp: '2026-10-01T08:00:00Z' } }); // '2026-10-01T08:00:00Z'
 */
function findNewestTime(object: unknown): string | undefined {
  const times = TIME_PATHS.flatMap((path) => collectValues(object, path)).flatMap((value) => {
    const [, seconds] = typeof value === 'string' ? (UTC_TIME.exec(value) ?? []) : [];
    return seconds === undefined ? [] : [`${seconds}Z`];
  });
  return times.sort().at(-1);
}

function collectValues(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => collectValues(item, rest)) : [];
  if (typeof value !== 'object' || value === null) return [];
  return collectValues(Reflect.get(value, step), rest);
}
