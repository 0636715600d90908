import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../api/labels';
import { parseNamespace } from '../api/resource';
import { shortenName } from '../manifest/kubernetes/object-names';
import type { FieldChange } from './field-changes';
import type { ObjectPair } from './object-changes';

/** Where pods of a kind are described: a change there replaces them. */
const POD_TEMPLATE_FIELDS: Readonly<Record<string, string>> = {
  Deployment: 'template',
  LeaderWorkerSet: 'leaderWorkerTemplate',
};

/** The engines of replicas whose pods are replaced, by the key of the replica. */
export type RolledEngines = ReadonlyMap<string, ReadonlySet<string>>;

/** Which replica of a deployment: its name is as labels have it. */
export function toReplicaKey(
  namespace: string,
  deployment: string,
  cluster: string,
  index: number | string,
): string {
  return `${namespace}/${deployment} ${cluster}/${index}`;
}

/** A deployment or another resource by `namespace/name`, with the name as labels have it. */
export function toLabelId(id: string): string {
  const namespace = parseNamespace(id);
  return `${namespace}/${shortenName(id.slice(namespace.length + 1))}`;
}

/** The engines whose pods a change replaces where they are. Labels of an object say whose it is. */
export function findRolledEngines(pairs: readonly ObjectPair[]): RolledEngines {
  const rolled = new Map<string, Set<string>>();
  for (const { change, before, after } of pairs) {
    const labels = after?.metadata.labels ?? {};
    const [deployment, index, engine] = [
      labels[DEPLOYMENT_LABEL],
      labels[REPLICA_INDEX_LABEL],
      labels[ENGINE_LABEL],
    ];
    if (!before || deployment === undefined || index === undefined) continue;
    if (change.action !== 'replace' && !change.fields.some((field) => isPodTemplateField(change.kind, field)))
      continue;
    const key = toReplicaKey(change.namespace ?? '', deployment, change.cluster, index);
    rolled.set(key, (rolled.get(key) ?? new Set()).add(engine ?? ''));
  }
  return rolled;
}

/** Of kinds that we do not know, any field of the spec may be of the pods. */
function isPodTemplateField(kind: string, { path }: FieldChange): boolean {
  const template = POD_TEMPLATE_FIELDS[kind];
  if (template !== undefined) return path[0] === 'spec' && path[1] === template;
  return path[0] === 'spec' && !KINDS_WITHOUT_PODS.has(kind);
}

/** Kinds of ours that have no pods of an engine. */
const KINDS_WITHOUT_PODS: ReadonlySet<string> = new Set([
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ResourceClaimTemplate',
  'Service',
]);
