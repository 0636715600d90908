import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../api/labels';
import { parseNamespace } from '../api/resource';
import { groupBy } from '../base/order';
import { shortenName } from '../manifest/kubernetes/object-names';
import { isWorkload, WORKLOAD_KINDS } from '../manifest/kubernetes/workload-kinds';
import type { ReplicaChange } from '../plan/replica-moves';
import type { ComputedReplica } from '../replicas/replica';
import { compareRequests } from './changed-requests';
import type { FieldChange } from './field-changes';
import type { ObjectChange, ObjectPair } from './object-changes';

/** The key of a replica, as its objects have it in their labels. */
export function keyOfReplica({ deployment: { metadata }, cluster, index }: ComputedReplica): string {
  return toReplicaKey(metadata.namespace ?? '', shortenName(metadata.name), cluster.metadata.name, index);
}

/** What happens to the workloads of a replica that stays where it is. */
export interface RolledReplica {
  /** The engines whose pods their workload replaces. */
  readonly engines: ReadonlySet<string>;

  /** Whether workloads are deleted and others take their place: no surge keeps the old pods until new ones serve. */
  readonly recreated: boolean;

  /** How what its pods request changes. Undefined: something else of them changes too. */
  readonly requests: ReplicaChange['requests'];
}

/** The replicas whose workloads change, by replica key. */
export type RolledReplicas = ReadonlyMap<string, RolledReplica>;

/** The key of a replica. The name of the deployment is shortened as in labels. */
function toReplicaKey(namespace: string, deployment: string, cluster: string, index: number | string): string {
  return `${namespace}/${deployment} ${cluster}/${index}`;
}

/** The `namespace/name` of a resource, with the name shortened as in labels. */
export function toLabelId(id: string): string {
  const namespace = parseNamespace(id);
  return `${namespace}/${shortenName(id.slice(namespace.length + 1))}`;
}

/** Finds the replicas whose workloads change. The labels of an object identify its replica and engine. */
export function findRolledReplicas(pairs: readonly ObjectPair[]): RolledReplicas {
  const byReplica = groupBy(pairs.flatMap(toWorkloadChange), ({ replica }) => replica);
  return new Map(
    [...byReplica].map(([replica, changes]) => {
      const has = (...actions: WorkloadChange['action'][]): boolean =>
        changes.some((one) => actions.includes(one.action));
      const updated = changes.filter(({ action }) => action === 'change');
      const recreated = has('replace') || (has('create') && has('delete'));
      const requests = recreated ? undefined : compareRequests(updated.flatMap(({ fields }) => fields));
      return [replica, { engines: new Set(updated.map(({ engine }) => engine)), recreated, requests }];
    }),
  );
}

interface WorkloadChange {
  readonly replica: string;
  readonly engine: string;
  readonly action: ObjectChange['action'];

  /** The fields of its pods that change. */
  readonly fields: readonly FieldChange[];
}

function toWorkloadChange({ change, before, after }: ObjectPair): WorkloadChange[] {
  const labels = (after ?? before)?.metadata.labels ?? {};
  const [deployment, index, engine] = [labels[DEPLOYMENT_LABEL], labels[REPLICA_INDEX_LABEL], labels[ENGINE_LABEL]];
  if (deployment === undefined || index === undefined) return [];
  const { action, kind, fields, cluster, namespace = '' } = change;
  const ofPods = fields.filter((field) => isPodTemplateField(kind, field));
  if (action === 'change' ? ofPods.length === 0 : !isWorkload({ kind })) return [];
  const replica = toReplicaKey(namespace, deployment, cluster, index);
  return [{ replica, engine: engine ?? '', action, fields: ofPods }];
}

/** Whether a change of a field replaces pods. For unknown kinds, any field of the spec can affect the pods. */
function isPodTemplateField(kind: string, { path }: FieldChange): boolean {
  const fields = WORKLOAD_KINDS[kind]?.podFields;
  // The copies of a prefill engine, and of a component, are fields of it.
  if (fields) return path[0] === 'spec' && fields.includes(String(path[1])) && path.at(-1) !== 'replicas';
  return path[0] === 'spec' && !KINDS_WITHOUT_PODS.has(kind);
}

/** Rendered kinds that have no engine pods. */
const KINDS_WITHOUT_PODS: ReadonlySet<string> = new Set([
  'LLMInferenceServiceConfig',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ResourceClaimTemplate',
  'ScaledObject',
  'Service',
]);
