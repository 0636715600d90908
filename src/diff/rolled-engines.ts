import { DEPLOYMENT, ENGINE, REPLICA_INDEX } from '../api/labels';
import { namespaceIn } from '../api/resource';
import { fitted } from '../render/names';
import type { FieldChange } from './field-changes';
import type { ObjectPair } from './object-changes';

/** Where pods of a kind are described: a change there replaces them. */
const TEMPLATES: Readonly<Record<string, string>> = {
  Deployment: 'template',
  LeaderWorkerSet: 'leaderWorkerTemplate',
};

/** The engines of replicas whose pods are replaced, by the key of the replica. */
export type RolledEngines = ReadonlyMap<string, ReadonlySet<string>>;

/** Which replica of a deployment: its name is as labels have it. */
export function replicaKey(
  namespace: string,
  deployment: string,
  cluster: string,
  index: number | string,
): string {
  return `${namespace}/${deployment} ${cluster}/${index}`;
}

/** A deployment or another resource by `namespace/name`, with the name as labels have it. */
export function labelledId(id: string): string {
  const namespace = namespaceIn(id);
  return `${namespace}/${fitted(id.slice(namespace.length + 1))}`;
}

/** The engines whose pods a change replaces where they are. Labels of an object say whose it is. */
export function rolledEngines(pairs: readonly ObjectPair[]): RolledEngines {
  const rolled = new Map<string, Set<string>>();
  for (const { change, before, after } of pairs) {
    const labels = after?.metadata.labels ?? {};
    const [deployment, index, engine] = [labels[DEPLOYMENT], labels[REPLICA_INDEX], labels[ENGINE]];
    if (!before || deployment === undefined || index === undefined) continue;
    if (change.action !== 'replace' && !change.fields.some((field) => isOfPods(change.kind, field))) continue;
    const key = replicaKey(change.namespace ?? '', deployment, change.cluster, index);
    rolled.set(key, (rolled.get(key) ?? new Set()).add(engine ?? ''));
  }
  return rolled;
}

/** Of kinds that we do not know, any field of the spec may be of the pods. */
function isOfPods(kind: string, { path }: FieldChange): boolean {
  const template = TEMPLATES[kind];
  if (template !== undefined) return path[0] === 'spec' && path[1] === template;
  return path[0] === 'spec' && !WITHOUT_PODS.has(kind);
}

/** Kinds of ours that have no pods of an engine. */
const WITHOUT_PODS: ReadonlySet<string> = new Set([
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ResourceClaimTemplate',
  'Service',
]);
