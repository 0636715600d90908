import { textAt, valueAt } from '../base/json';
import { sortedBy } from '../base/order';
import { redact } from '../base/redaction';
import { type LiveObject, formatNamespacedName } from '../manifest/kubernetes/live-object';
import { formatDocuments } from '../manifest/format-yaml';

/**
 * The paths of the recorded fields of each kind; `*` is every item of a list. Snapshots contain no other
 * fields, because the environment of pods may hold secrets.
 */
const RECORDED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Node: [
    'spec.unschedulable',
    'spec.taints',
    'status.allocatable',
    'status.conditions.*.type',
    'status.conditions.*.status',
    'status.conditions.*.lastHeartbeatTime',
    'status.conditions.*.lastTransitionTime',
  ],
  Pod: [
    'spec.nodeName',
    'spec.containers.*.name',
    'spec.containers.*.resources',
    'spec.initContainers.*.name',
    'spec.initContainers.*.resources',
    'spec.initContainers.*.restartPolicy',
    'spec.overhead',
    'spec.resources',
    'spec.resourceClaims.*.name',
    'status.phase',
  ],
  ResourceSlice: ['spec'],
  ClusterQueue: ['spec.resourceGroups', 'status.flavorsReservation'],
  LocalQueue: ['spec.clusterQueue'],
  Workload: [
    'spec.podSets.*.template.metadata.labels',
    'status.admission.clusterQueue',
    'status.admission.podSetAssignments.*.resourceUsage',
  ],
  Queue: ['spec.resources', 'status.allocatedNonPreemptible'],
  PodGroup: ['spec.queue', 'status.resourcesStatus.allocatedNonPreemptible'],
};

const RECORDED_METADATA = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
];

/** Formats a snapshot of a cluster in the form of `kubectl get nodes,pods,resourceslices -A -o yaml`. */
export function formatSnapshotYaml(objects: readonly LiveObject[]): string {
  const kept = sortedBy(objects, (object) => `${object.kind} ${formatNamespacedName(object)}`).map((object) => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...pickFields(object, [...RECORDED_METADATA, ...groupNameOf(object), ...(RECORDED_FIELDS[object.kind] ?? [])]),
  }));
  return redact(formatDocuments(kept, 'Recorded by fleetwright status.'));
}

/** The annotation in which KAI names the group of a pod, if it has one. */
function groupNameOf({ metadata }: LiveObject): string[] {
  return textAt(metadata, ['annotations', 'pod-group-name']) === '' ? [] : ['metadata.annotations.pod-group-name'];
}

/** Returns a copy of plain data with only the fields at some paths. */
function pickFields(value: unknown, paths: readonly string[]): Record<string, unknown> {
  const heads = new Map<string, string[]>();
  for (const path of paths) {
    const [head = '', ...rest] = path.split('.');
    heads.set(head, [...(heads.get(head) ?? []), rest.join('.')]);
  }
  return Object.fromEntries(
    [...heads].flatMap(([key, rest]) => {
      const field = valueAt(value, [key]);
      if (field === undefined || field === null) return [];
      return [[key, rest.includes('') ? field : pickFromValue(field, rest)]];
    }),
  );
}

function pickFromValue(value: unknown, paths: readonly string[]): unknown {
  if (!Array.isArray(value)) return pickFields(value, paths);
  const inner = paths.map((path) => path.replace(/^\*\./, ''));
  return value.map((item) => pickFields(item, inner));
}
