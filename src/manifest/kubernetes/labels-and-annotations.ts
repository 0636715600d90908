import type { Engine } from '../../api/engine';
import {
  CACHE_LABEL,
  CLUSTER_LABEL,
  DEPLOYMENT_LABEL,
  ENGINE_LABEL,
  REPLICA_INDEX_LABEL,
  ROLE_LABEL,
  SERVING_POD_LABEL,
} from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ObjectMeta } from './manifest';
import { shortenName } from './object-names';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Whom cluster tools shall ask about an object. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'fleetwright' } as const;

/**
 * What a namespace refuses, warns of and notes: pods below a level of the Pod Security Standards.
 * See kubernetes.io/docs/concepts/security/pod-security-admission.
 */
export function podSecurityLabelsOf(level: string, version: string): Labels {
  const modes = ['enforce', 'audit', 'warn'].flatMap((mode): [string, string][] => [
    [`pod-security.kubernetes.io/${mode}`, level],
    [`pod-security.kubernetes.io/${mode}-version`, version],
  ]);
  return Object.fromEntries(modes);
}

/** On pods that answer requests. */
export const SERVING_LABELS = { [SERVING_POD_LABEL]: 'true' } as const;

/** On pods that take one phase: by these the endpoint picker of llm-d tells them apart. */
const PICKER_ROLE = 'llm-d.ai/role';
const PICKER_SERVING = 'llm-d.ai/inference-serving';

/** The labels of serving pods of an engine that takes one phase of a request. */
export function phaseLabelsOf({ phase }: Engine): Labels {
  return phase ? { [PICKER_ROLE]: phase.toLowerCase(), [PICKER_SERVING]: 'true' } : {};
}

/** What an object is for, as narrow as it is: the deployment, and where it applies replica, engine and role. */
interface LabelSubject {
  readonly deployment: ModelDeployment;
  readonly cluster: string;
  readonly index?: number;
  readonly engine?: string;
  readonly role?: string;
}

/** Our labels of an object: those that Kubernetes recommends, then those of our own. */
export function objectLabelsOf({ deployment, cluster, index, engine, role }: LabelSubject): Labels {
  const { name } = deployment.metadata;
  return {
    'app.kubernetes.io/name': shortenName(name),
    ...(index !== undefined && { 'app.kubernetes.io/instance': shortenName(`${name}-${index}`) }),
    ...(engine !== undefined && { 'app.kubernetes.io/component': engine }),
    ...MANAGED_BY,
    [DEPLOYMENT_LABEL]: shortenName(name),
    [CLUSTER_LABEL]: shortenName(cluster),
    ...(index !== undefined && { [REPLICA_INDEX_LABEL]: String(index) }),
    ...(engine !== undefined && { [ENGINE_LABEL]: engine }),
    ...(role !== undefined && { [ROLE_LABEL]: role }),
  };
}

/** Our labels of an object that stages a cache. */
export function cacheLabelsOf(cache: string, cluster: string): Labels {
  return {
    'app.kubernetes.io/name': shortenName(cache),
    'app.kubernetes.io/component': 'cache',
    ...MANAGED_BY,
    [CACHE_LABEL]: shortenName(cache),
    [CLUSTER_LABEL]: shortenName(cluster),
  };
}

/** A replica by its deployment and its number. */
interface ReplicaIdentity {
  readonly deployment: ModelDeployment;
  readonly index: number;
}

/** The labels by which the workload of an engine finds its pods. Immutable, so none of them says where it runs. */
export function podSelectorOf(
  { deployment, index }: ReplicaIdentity,
  { engine }: { readonly engine: Engine },
): Labels {
  return {
    [DEPLOYMENT_LABEL]: shortenName(deployment.metadata.name),
    [REPLICA_INDEX_LABEL]: String(index),
    [ENGINE_LABEL]: engine.name,
  };
}

/** The labels by which the pods of a replica are known: those of all its engines. */
export function replicaSelectorOf({ deployment, index }: ReplicaIdentity): Labels {
  return { [DEPLOYMENT_LABEL]: shortenName(deployment.metadata.name), [REPLICA_INDEX_LABEL]: String(index) };
}

/** The label by which the pods of all engines of a deployment are known. */
export function deploymentSelectorOf({ metadata }: ModelDeployment): Labels {
  return { [DEPLOYMENT_LABEL]: shortenName(metadata.name) };
}

/** The label by which Kubernetes itself names a namespace. */
export const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * The labels by which clients find the serving pods of all replicas of a deployment. Of a pair those that decode:
 * they take whole requests, and have the prompt read elsewhere where the endpoint picker says so.
 */
export function servingSelectorOf({ metadata, spec }: ModelDeployment): Labels {
  const pair = spec.template.spec.serving.mode === 'PrefillDecode';
  return {
    [DEPLOYMENT_LABEL]: shortenName(metadata.name),
    ...SERVING_LABELS,
    ...(pair && { [PICKER_ROLE]: 'decode' }),
  };
}

/**
 * The labels by which an endpoint picker finds the pods of a deployment: of a pair both halves, which it tells apart by
 * their role.
 */
export function pickerEndpointSelectorOf(deployment: string, replica: number | undefined): Labels {
  return {
    [DEPLOYMENT_LABEL]: shortenName(deployment),
    ...SERVING_LABELS,
    ...(replica !== undefined && { [REPLICA_INDEX_LABEL]: String(replica) }),
  };
}

/** The label by which the pods of an endpoint picker are known. */
export function pickerPodSelectorOf(name: string): Labels {
  return { 'app.kubernetes.io/instance': name };
}

/**
 * Our labels and those of users, of which later ones win over earlier ones. Ours stand first, and win, because
 * selectors rely on them.
 */
export function mergeUserLabels(ours: Labels, ...users: readonly Labels[]): Labels {
  return { ...ours, ...Object.assign({}, ...users), ...ours };
}

/**
 * On objects that no tool may prune when their manifest goes. Argo CD leaves them and calls nothing out of sync; Flux
 * leaves them.
 */
export const NEVER_PRUNED = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/**
 * When Argo CD applies an object, and waits until it is healthy before it goes on. Objects without it are in wave 0,
 * so what workloads need is there before the first of them, which is in wave 1. Namespaces and caches come earlier.
 */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * The wave of routes: behind those of all workloads, of which a deployment has at most one a replica. A route to
 * replicas that are not there yet, or not any more, would do no harm: gateways ask before they send.
 */
export const ROUTES_WAVE = '10000';

/** On pods: a digest of configuration that they read when they start, so that a new one replaces them. */
export const CONFIG_DIGEST = 'fleetwright.dev/config-digest';

/** On pods: kinds that they look for only when they start, so that new ones replace them once a kind is there. */
export const KINDS_AT_START = 'fleetwright.dev/started-with';

/** The metadata of an object that is made for a deployment: its namespace, our labels, and those of its replicas. */
export function objectMetaOf({ metadata, spec }: ModelDeployment, name: string, ours: Labels): ObjectMeta {
  return {
    name,
    // Every ModelDeployment has one: `default` where the user named none.
    namespace: metadata.namespace ?? 'default',
    labels: mergeUserLabels(ours, spec.template.metadata.labels),
  };
}
