import type { Engine } from '../api/engine';
import { CACHE, CLUSTER, DEPLOYMENT, ENGINE, REPLICA_INDEX, ROLE, SERVING } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import { fitted } from './names';
import type { ComputedEngine, ComputedReplica } from './replica';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Whom cluster tools shall ask about an object. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'fleetwright' } as const;

/**
 * What a namespace refuses, warns of and notes: pods below a level of the Pod Security Standards.
 * See kubernetes.io/docs/concepts/security/pod-security-admission.
 */
export function podSecurityLabels(level: string, version: string): Labels {
  const modes = ['enforce', 'audit', 'warn'].flatMap((mode): [string, string][] => [
    [`pod-security.kubernetes.io/${mode}`, level],
    [`pod-security.kubernetes.io/${mode}-version`, version],
  ]);
  return Object.fromEntries(modes);
}

/** On pods that answer requests. */
export const SERVES = { [SERVING]: 'true' } as const;

/** On pods that take one phase: by these the endpoint picker of llm-d tells them apart. */
const PICKER_ROLE = 'llm-d.ai/role';
const PICKER_SERVING = 'llm-d.ai/inference-serving';

/** The labels of serving pods of an engine that takes one phase of a request. */
export function phaseLabels({ phase }: Engine): Labels {
  return phase ? { [PICKER_ROLE]: phase.toLowerCase(), [PICKER_SERVING]: 'true' } : {};
}

/** What an object is for, as narrow as it is: the deployment, and where it applies replica, engine and role. */
interface Subject {
  readonly deployment: ModelDeployment;
  readonly cluster: string;
  readonly index?: number;
  readonly engine?: string;
  readonly role?: string;
}

/** Our labels of an object: those that Kubernetes recommends, then those of our own. */
export function labelsOf({ deployment, cluster, index, engine, role }: Subject): Labels {
  const { name } = deployment.metadata;
  return {
    'app.kubernetes.io/name': fitted(name),
    ...(index !== undefined && { 'app.kubernetes.io/instance': fitted(`${name}-${index}`) }),
    ...(engine !== undefined && { 'app.kubernetes.io/component': engine }),
    ...MANAGED_BY,
    [DEPLOYMENT]: fitted(name),
    [CLUSTER]: fitted(cluster),
    ...(index !== undefined && { [REPLICA_INDEX]: String(index) }),
    ...(engine !== undefined && { [ENGINE]: engine }),
    ...(role !== undefined && { [ROLE]: role }),
  };
}

/** Our labels of an object that stages a cache. */
export function cacheLabels(cache: string, cluster: string): Labels {
  return {
    'app.kubernetes.io/name': fitted(cache),
    'app.kubernetes.io/component': 'cache',
    ...MANAGED_BY,
    [CACHE]: fitted(cache),
    [CLUSTER]: fitted(cluster),
  };
}

/** The labels by which the workload of an engine finds its pods. Immutable, so none of them says where it runs. */
export function podSelector({ deployment, index }: ComputedReplica, { engine }: ComputedEngine): Labels {
  return {
    [DEPLOYMENT]: fitted(deployment.metadata.name),
    [REPLICA_INDEX]: String(index),
    [ENGINE]: engine.name,
  };
}

/** The labels by which the pods of a replica are known: those of all its engines. */
export function replicaSelector({ deployment, index }: ComputedReplica): Labels {
  return { [DEPLOYMENT]: fitted(deployment.metadata.name), [REPLICA_INDEX]: String(index) };
}

/** The label by which the pods of all engines of a deployment are known. */
export function deploymentSelector({ metadata }: ModelDeployment): Labels {
  return { [DEPLOYMENT]: fitted(metadata.name) };
}

/** The label by which Kubernetes itself names a namespace. */
export const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/**
 * The labels by which clients find the serving pods of all replicas of a deployment. Of a pair those that decode:
 * they take whole requests, and have the prompt read elsewhere where the endpoint picker says so.
 */
export function servingSelector({ metadata, spec }: ModelDeployment): Labels {
  const pair = spec.template.spec.serving.mode === 'PrefillDecode';
  return { [DEPLOYMENT]: fitted(metadata.name), ...SERVES, ...(pair && { [PICKER_ROLE]: 'decode' }) };
}

/**
 * The labels by which an endpoint picker finds the pods of a deployment: of a pair both halves, which it tells apart by
 * their role.
 */
export function pickedSelector(deployment: string, replica: number | undefined): Labels {
  return {
    [DEPLOYMENT]: fitted(deployment),
    ...SERVES,
    ...(replica !== undefined && { [REPLICA_INDEX]: String(replica) }),
  };
}

/** The label by which the pods of an endpoint picker are known. */
export function pickerSelector(name: string): Labels {
  return { 'app.kubernetes.io/instance': name };
}

/**
 * Our labels and those of users, of which later ones win over earlier ones. Ours stand first, and win, because
 * selectors rely on them.
 */
export function withUserLabels(ours: Labels, ...users: readonly Labels[]): Labels {
  return { ...ours, ...Object.assign({}, ...users), ...ours };
}
