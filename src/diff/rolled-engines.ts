import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../api/labels';
import { parseNamespace } from '../api/resource';
import { shortenName } from '../manifest/kubernetes/object-names';
import type { FieldChange } from './field-changes';
import type { ObjectPair } from './object-changes';

/** The spec field of each kind that describes its pods. A change in it replaces the pods. */
const POD_TEMPLATE_FIELDS: Readonly<Record<string, string>> = {
  Deployment: 'template',
  LeaderWorkerSet: 'leaderWorkerTemplate',
};

/** The engines whose pods are replaced, by replica key. */
export type RolledEngines = ReadonlyMap<string, ReadonlySet<string>>;

/** The key of a replica. The name of the deployment is shortened as in labels. */
export function toReplicaKey(namespace: string, deployment: string, cluster: string, index: number | string): string {
  return `${namespace}/${deployment} ${cluster}/${index}`;
}

/** The `namespace/name` of a resource, with the name shortened as in labels. */
export function toLabelId(id: string): string {
  const namespace = parseNamespace(id);
  return `${namespace}/${shortenName(id.slice(namespace.length + 1))}`;
}

/** Finds the engines whose pods a change replaces in place. The labels of an object identify its replica and engine. */
export function findRolledEngines(pairs: readonly ObjectPair[]): RolledEngines {
  const rolled = new Map<string, Set<string>>();
  for (const { change, before, after } of pairs) {
    const labels = after?.metadata.labels ?? {};
    const [deployment, index, engine] = [labels[DEPLOYMENT_LABEL], labels[REPLICA_INDEX_LABEL], labels[ENGINE_LABEL]];
    if (!before || deployment === undefined || index === undefined) continue;
    if (change.action !== 'replace' && !change.fields.some((field) => isPodTemplateField(change.kind, field))) continue;
    const key = toReplicaKey(change.namespace ?? '', deployment, change.cluster, index);
    rolled.set(key, (rolled.get(key) ?? new Set()).add(engine ?? ''));
  }
  return rolled;
}

/** Whether a change of a field replaces pods. For unknown kinds, any field of the spec can affect the pods. */
function isPodTemplateField(kind: string, { path }: FieldChange): boolean {
  const template = POD_TEMPLATE_FIELDS[kind];
  if (template !== undefined) return path[0] === 'spec' && path[1] === template;
  return path[0] === 'spec' && !KINDS_WITHOUT_PODS.has(kind);
}

/** Rendered kinds that have no engine pods. */
const KINDS_WITHOUT_PODS: ReadonlySet<string> = new Set([
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ResourceClaimTemplate',
  'Service',
]);
