import { acceptsRequests, pairPhaseOf } from '../../api/engine-phases';
import type { Engine } from '../../api/engine';
import {
  ALIAS_POD_LABELS,
  CACHE_LABEL,
  CLUSTER_LABEL,
  DEPLOYMENT_LABEL,
  ENGINE_LABEL,
  REPLICA_INDEX_LABEL,
  ROLE_LABEL,
  SERVING_POD_LABEL,
} from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import { type BackendType, KSERVE_SERVING_LABELS } from '../../catalog/backends';
import type { Manifest, ObjectMeta } from './manifest';
import { modelplaneReplicaNameOf, shortenName } from './object-names';

export type Labels = Readonly<Record<string, string>>;

/** The label that marks an object as managed by Fleetwright. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'fleetwright' } as const;

/** The label by which a namespace refuses pods that need more than its Pod Security level. */
export const POD_SECURITY_LEVEL = 'pod-security.kubernetes.io/enforce';

/**
 * The labels with which a namespace enforces a level of the Pod Security Standards, in the modes enforce, audit and
 * warn. See kubernetes.io/docs/concepts/security/pod-security-admission.
 */
export function podSecurityLabelsOf(level: string, version: string): Labels {
  const modes = ['enforce', 'audit', 'warn'].flatMap((mode): [string, string][] => [
    [`pod-security.kubernetes.io/${mode}`, level],
    [`pod-security.kubernetes.io/${mode}-version`, version],
  ]);
  return Object.fromEntries(modes);
}

/** Labels on pods that serve requests. */
export const SERVING_LABELS = { [SERVING_POD_LABEL]: 'true' } as const;

/** Labels on pods that serve one phase. The endpoint picker of llm-d distinguishes the phases by them. */
const PICKER_ROLE = 'llm-d.ai/role';
const PICKER_SERVING = 'llm-d.ai/inference-serving';

/** The labels of serving pods of an engine that serves one phase of a request. Empty for other engines. */
export function phaseLabelsOf(engine: Engine): Labels {
  const phase = pairPhaseOf(engine);
  return phase ? { [PICKER_ROLE]: phase.toLowerCase(), [PICKER_SERVING]: 'true' } : {};
}

/** The label of pods that keep nodes in reserve. They give way to engines, so no plan counts them. */
export const WARM_NODES_LABEL = { 'app.kubernetes.io/component': 'warm-nodes' } as const;

/** Whether labels are those of a pod that keeps a node in reserve. */
export function isWarmNodePod(labels: Labels): boolean {
  return Object.entries({ ...MANAGED_BY, ...WARM_NODES_LABEL }).every(([key, value]) => labels[key] === value);
}

/** The owner of an object: a deployment, and if it applies its replica, engine and role. */
interface LabelSubject {
  readonly deployment: ModelDeployment;
  readonly cluster: string;
  readonly index?: number;
  readonly engine?: string;
  readonly role?: string;
}

/** The labels that Fleetwright sets on an object: those that Kubernetes recommends, then its own. */
export function objectLabelsOf({ deployment, cluster, index, engine, role }: LabelSubject): Labels {
  const { name } = deployment.metadata;
  // Each object of a fleet has these. Spreading what applies takes several times as long as assigning it.
  const labels: Record<string, string> = { 'app.kubernetes.io/name': shortenName(name) };
  if (index !== undefined) labels['app.kubernetes.io/instance'] = shortenName(`${name}-${index}`);
  if (engine !== undefined) labels['app.kubernetes.io/component'] = engine;
  Object.assign(labels, MANAGED_BY);
  labels[DEPLOYMENT_LABEL] = shortenName(name);
  labels[CLUSTER_LABEL] = shortenName(cluster);
  if (index !== undefined) labels[REPLICA_INDEX_LABEL] = String(index);
  if (engine !== undefined) labels[ENGINE_LABEL] = engine;
  if (role !== undefined) labels[ROLE_LABEL] = role;
  return labels;
}

interface AliasPodSubject {
  readonly deployment: ModelDeployment;
  readonly cluster: string;
  readonly index: number;
  readonly pool: string;

  /** Whether the pod serves requests. */
  readonly serves: boolean;
}

/** The labels that tools of the alias group select pods by. Empty for deployments of our group. */
export function aliasPodLabelsOf({ deployment, cluster, index, pool, serves }: AliasPodSubject): Labels {
  if (deployment.group !== 'modelplane.ai') return {};
  const { name } = deployment.metadata;
  return {
    [ALIAS_POD_LABELS.deployment]: shortenName(name),
    [ALIAS_POD_LABELS.pool]: pool,
    ...(serves && { [ALIAS_POD_LABELS.serving]: modelplaneReplicaNameOf(name, cluster, index) }),
  };
}

/** The labels that Fleetwright sets on an object that stages a cache. */
export function cacheLabelsOf(cache: string, cluster: string): Labels {
  return {
    'app.kubernetes.io/name': shortenName(cache),
    'app.kubernetes.io/component': 'cache',
    ...MANAGED_BY,
    [CACHE_LABEL]: shortenName(cache),
    [CLUSTER_LABEL]: shortenName(cluster),
  };
}

interface ReplicaIdentity {
  readonly deployment: ModelDeployment;
  readonly index: number;
}

/** The selector of an engine's workload for its pods. Selectors are immutable, so it does not include the cluster. */
export function podSelectorOf({ deployment, index }: ReplicaIdentity, { engine }: { readonly engine: Engine }): Labels {
  return { ...replicaSelectorOf({ deployment, index }), [ENGINE_LABEL]: engine.name };
}

/** The labels that select all pods of a replica, of all its engines. */
export function replicaSelectorOf({ deployment, index }: ReplicaIdentity): Labels {
  return { ...deploymentSelectorOf(deployment), [REPLICA_INDEX_LABEL]: String(index) };
}

/** The label that selects the pods of all engines of a deployment. */
export function deploymentSelectorOf({ metadata }: ModelDeployment): Labels {
  return { [DEPLOYMENT_LABEL]: shortenName(metadata.name) };
}

/** The label with its name that Kubernetes sets on each namespace. */
export const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/** The label of the leader of a group, by the controller of LeaderWorkerSets. */
const LEADER_LABELS = { 'leaderworkerset.sigs.k8s.io/worker-index': '0' } as const;

/**
 * The labels that the serving pods of engines have, and no others of the deployment: none for workers of Dynamo. KServe
 * gives the labels of a gang to leader and workers alike.
 */
export function servingLabelsOf(
  engines: readonly Pick<Engine, 'members' | 'runtime' | 'phase'>[],
  backend: BackendType,
): Labels {
  if (!engines.some(acceptsRequests)) return {};
  const gangs = engines.filter(({ members }) => members.length > 1).length;
  if (backend !== 'KServe' || gangs === 0) return SERVING_LABELS;
  return gangs === engines.length ? LEADER_LABELS : KSERVE_SERVING_LABELS;
}

/**
 * The labels that select the serving pods of all replicas of a deployment, for clients. For a prefill and decode pair,
 * they select the decode pods: these accept complete requests, and have a prefill pod process the prompt if the
 * endpoint picker decides so.
 */
export function servingSelectorOf(deployment: ModelDeployment, backend: BackendType): Labels {
  const { engines, serving } = deployment.spec.template.spec;
  const pair = serving.mode === 'PrefillDecode';
  return {
    ...deploymentSelectorOf(deployment),
    ...servingLabelsOf(engines, backend),
    ...(pair && { [PICKER_ROLE]: 'decode' }),
  };
}

/**
 * The labels with which an endpoint picker selects the pods of a deployment. For a prefill and decode pair, they
 * select both roles, which the picker distinguishes.
 *
 * @param serving the selector of the serving pods, of all replicas or of one
 */
export function pickerEndpointSelectorOf(serving: Labels): Labels {
  const { [PICKER_ROLE]: _, ...labels } = serving;
  return labels;
}

export function pickerPodSelectorOf(name: string): Labels {
  return { 'app.kubernetes.io/instance': name };
}

/**
 * Merges the labels of Fleetwright with those of users. Later user labels override earlier ones. Fleetwright's labels
 * come first and override all, because selectors rely on them.
 */
export function mergeUserLabels(labels: Labels, ...userLabels: readonly Labels[]): Labels {
  const given = userLabels.filter(hasEntries);
  return given.length === 0 ? labels : { ...labels, ...Object.assign({}, ...given), ...labels };
}

function hasEntries(labels: Labels): boolean {
  for (const _ in labels) return true;
  return false;
}

/** The annotation with options of Argo CD for one object. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** The option by which Argo CD prunes an object after it has applied everything else, and all of that is healthy. */
export const PRUNE_LAST = 'PruneLast=true';

/**
 * Annotations on objects that no tool may prune when their manifest disappears. Argo CD keeps these objects and does
 * not report them as out of sync. Flux keeps them too.
 */
export const NEVER_PRUNED = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  [SYNC_OPTIONS]: 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/** Whether no tool may prune an object. */
export function isNeverPruned({ metadata: { annotations = {} } }: Pick<Manifest, 'metadata'>): boolean {
  return Object.entries(NEVER_PRUNED).every(([key, value]) => annotations[key] === value);
}

/**
 * The annotation with the sync wave of an object. Argo CD waits until all objects of a wave are healthy before it
 * applies the next wave. Objects without the annotation are in wave 0, before the first workloads in wave 1.
 * Namespaces and caches have earlier waves.
 */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * The sync wave of routes: after the waves of all workloads, of which a deployment has at most one for each replica. A
 * route to missing replicas is harmless: gateways check the health of replicas before they send requests.
 */
export const ROUTES_WAVE = '10000';

/** The pod annotation with a digest of configuration that pods read at startup: a new digest replaces the pods. */
export const CONFIG_DIGEST = 'fleetwright.dev/config-digest';

/**
 * The pod annotation with kinds that pods look up only at startup: once a kind is available, a changed annotation
 * replaces the pods.
 */
export const KINDS_AT_START = 'fleetwright.dev/started-with';

/** The metadata of an object of a deployment: its namespace, the given labels, and the replica labels of the user. */
export function objectMetaOf({ metadata, spec }: ModelDeployment, name: string, labels: Labels): ObjectMeta {
  return {
    name,
    // The schema sets the namespace of every ModelDeployment. Default: `default`.
    namespace: metadata.namespace ?? 'default',
    labels: mergeUserLabels(labels, spec.template.metadata.labels),
  };
}
