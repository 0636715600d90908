import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER_LABEL, DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../../api/labels';
import { validateAgainst } from '../../api/schema/validate';
import { listAt, textAt } from '../../base/json';
import { groupBy, sortedBy } from '../../base/order';
import { idText, pluralize, quoteShellWord } from '../../base/text';
import { replicaSelectorOf } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { shortenName } from '../../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../../replicas/replica';
import { hasEnded } from '../../snapshot/node-info';
import { holdsDevices } from '../../snapshot/pod-requests';
import { podSchema } from '../../snapshot/recorded-objects';
import type { FindingLevel } from '../finding';
import { type Listing, objectsOf } from '../listing';
import { formatNamespacedName, type LiveObject } from '../../manifest/kubernetes/live-object';

/** An object with the labels of Fleetwright that no declaration accounts for. */
export interface Leftover {
  /** A warning where the object runs nothing, is being deleted, or can belong to another fleet. */
  readonly level: FindingLevel;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;

  /** What it holds, or whose it can be, as a clause. */
  readonly why?: string;

  /** The command that removes it. */
  readonly command: string;
}

/** What is declared for a cluster, and what exists on it. */
export interface LeftoverSearch {
  readonly cluster: InferenceCluster;

  /** The options with which kubectl reaches the cluster. Default: none. */
  readonly kubectlOptions?: readonly string[];
  readonly replicas: readonly ComputedReplica[];
  readonly manifests: readonly Manifest[];

  /** The IDs of resources whose declarations have errors: what they declare may be running. Default: none. */
  readonly unknown?: readonly string[];

  /** The objects that Fleetwright labels, by kind. */
  readonly labelled: Iterable<Listing>;
  readonly pods: Listing;
}

/** Finds the objects and pods of Fleetwright that no declaration accounts for, sorted by kind and name. */
export function findLeftovers(search: LeftoverSearch): Leftover[] {
  const isKnown = createKnownTest(search.unknown ?? []);
  const unlocked = objectsOf(search.pods).filter(isUnlockedPod(search.replicas)).filter(isKnown);
  const pods = groupBy(unlocked, (pod) => engineKeyOf(pod));
  const objects = [...search.labelled].flatMap(objectsOf).filter(isUnaccounted(search.manifests)).filter(isKnown);
  const workloads = new Set(objects.filter(({ metadata }) => isEngine(metadata)).map(engineKeyOf));
  // The workload stands for its pods. Pods are reported where their workload cannot be seen or no longer exists.
  const loose = [...pods].flatMap(([key, group]) => (workloads.has(key) ? [] : group));
  const rows = [
    ...objects.map((object) => describeObject(object, pods.get(engineKeyOf(object)) ?? [], search)),
    ...loose.map((pod) => describePod(pod, search)),
  ];
  return sortedBy(rows, ({ kind, namespace, name }) => `${kind} ${idText(namespace, name)}`);
}

/** Creates a test for objects that no resource with errors can account for. No finding may advise to delete others. */
function createKnownTest(unknown: readonly string[]): (object: LiveObject) => boolean {
  const deployments = new Set(unknown.filter((id) => id.startsWith(DEPLOYMENT_PREFIX)).map(deploymentKeyIn));
  const areOthersKnown = unknown.every((id) => id.startsWith(DEPLOYMENT_PREFIX));
  return ({ metadata }) =>
    metadata.labels?.[DEPLOYMENT_LABEL] === undefined ? areOthersKnown : !deployments.has(deploymentKeyOf(metadata));
}

const DEPLOYMENT_PREFIX = 'ModelDeployment ';

function deploymentKeyIn(id: string): string {
  const [namespace = '', name = ''] = id.slice(DEPLOYMENT_PREFIX.length).split('/');
  return deploymentKeyOf({ namespace, labels: { [DEPLOYMENT_LABEL]: shortenName(name) } });
}

function isEngine({ labels }: LiveObject['metadata']): boolean {
  return labels?.[ENGINE_LABEL] !== undefined;
}

/** The engine of a replica that a workload or a pod belongs to. */
function engineKeyOf({ metadata: { namespace, labels = {} } }: LiveObject): string {
  return JSON.stringify([
    namespace,
    ...[DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, ENGINE_LABEL].map((key) => labels[key] ?? ''),
  ]);
}

/** Whether a pod belongs to a replica, or to an engine of a replica, that the lock does not have. */
function isUnlockedPod(replicas: readonly ComputedReplica[]): (pod: LiveObject) => boolean {
  const locked = new Set(
    replicas.flatMap(({ deployment, index, engines }) =>
      // Objects of custom renderers may lack the label with the engine.
      [...engines.map(({ engine }) => ({ [ENGINE_LABEL]: engine.name })), {}].map((engine) => {
        const labels = { ...replicaSelectorOf({ deployment, index }), ...engine };
        return engineKeyOf({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: '', namespace: deployment.metadata.namespace ?? 'default', labels },
        });
      }),
    ),
  );
  return (pod) =>
    pod.metadata.labels?.[DEPLOYMENT_LABEL] !== undefined &&
    !hasEnded(textAt(pod, ['status', 'phase'])) &&
    !locked.has(engineKeyOf(pod));
}

/** Whether no manifest renders an object. Objects of controllers go with their owners. */
function isUnaccounted(manifests: readonly Manifest[]): (object: LiveObject) => boolean {
  const rendered = new Set(manifests.map((one) => `${one.kind} ${formatNamespacedName(one)}`));
  const deployments = new Set(manifests.map(({ metadata }) => deploymentKeyOf(metadata)));
  return (object) => {
    const { kind, metadata } = object;
    if (metadata.labels?.[CLUSTER_LABEL] === undefined || listAt(metadata, ['ownerReferences']).length > 0)
      return false;
    // Pods of earlier revisions are still made from earlier claim templates, which a rollback needs too.
    if (kind === 'ResourceClaimTemplate' && deployments.has(deploymentKeyOf(metadata))) return false;
    return !rendered.has(`${kind} ${formatNamespacedName(object)}`);
  };
}

function deploymentKeyOf({ namespace, labels }: Pick<LiveObject['metadata'], 'namespace' | 'labels'>): string {
  return JSON.stringify([namespace, labels?.[DEPLOYMENT_LABEL]]);
}

/** Kinds that hold neither devices nor traffic, and that no tool prunes. */
const IDLE_KINDS: ReadonlySet<string> = new Set(['Namespace', 'ResourceClaimTemplate']);

function describeObject(object: LiveObject, pods: readonly LiveObject[], search: LeftoverSearch): Leftover {
  const { kind, apiVersion, metadata } = object;
  const labelled = metadata.labels?.[CLUSTER_LABEL] ?? '';
  const isForeign = labelled !== shortenName(search.cluster.metadata.name);
  const reasons = [
    ...(isForeign ? [`it has the label of cluster '${labelled}', so it may belong to another fleet`] : []),
    ...(pods.length > 0 ? [describePods(pods)] : []),
    ...(kind === 'Namespace' ? ['its removal deletes everything in it, including objects of other workloads'] : []),
  ];
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const isIdle = isForeign || IDLE_KINDS.has(kind);
  return toLeftover(object, { isIdle, reasons, what: [`${kind.toLowerCase()}${group}`, metadata.name] }, search);
}

function describePods(pods: readonly LiveObject[]): string {
  const holding = pods.filter((pod) => {
    const checked = validateAgainst(podSchema, pod);
    return 'value' in checked && holdsDevices(checked.value);
  });
  const runs = `${pluralize(pods.length, 'pod')} of it ${pods.length === 1 ? 'exists' : 'exist'}`;
  return holding.length > 0 ? `${runs}, ${holding.length} with devices` : runs;
}

/** The label with which the controller of LeaderWorkerSets names the owner of a pod. */
const LEADER_WORKER_SET_LABEL = 'leaderworkerset.sigs.k8s.io/name';

/** The label of the pods that KServe makes. Another label of theirs is the name of the service. */
const PART_OF_LABEL = 'app.kubernetes.io/part-of';
const KSERVE_PART = 'llminferenceservice';

/** A pod comes back unless its workload is deleted, which its labels or its owner name. */
function describePod(pod: LiveObject, search: LeftoverSearch): Leftover {
  const { name, labels = {} } = pod.metadata;
  const owner = textAt(listAt(pod.metadata, ['ownerReferences'])[0], ['kind']);
  const gang = labels[LEADER_WORKER_SET_LABEL];
  const graph = labels['nvidia.com/dynamo-graph-deployment-name'];
  const selector = [DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, ENGINE_LABEL].flatMap((key) =>
    labels[key] === undefined ? [] : [`${key}=${labels[key]}`],
  );
  const what =
    labels[PART_OF_LABEL] === KSERVE_PART
      ? ['llminferenceservice.serving.kserve.io', labels['app.kubernetes.io/name'] ?? name]
      : graph !== undefined
        ? ['dynamographdeployment.nvidia.com', graph]
        : gang !== undefined
          ? ['leaderworkerset.leaderworkerset.x-k8s.io', gang]
          : owner === 'ReplicaSet'
            ? ['deployment.apps', '-l', selector.join()]
            : ['pod', name];
  return toLeftover(pod, { isIdle: false, reasons: [describePods([pod]).replace(' of it', '')], what }, search);
}

interface LeftoverFacts {
  readonly isIdle: boolean;
  readonly reasons: readonly string[];

  /** The arguments of `kubectl delete` after the namespace. */
  readonly what: readonly string[];
}

function toLeftover(object: LiveObject, { isIdle, reasons, what }: LeftoverFacts, search: LeftoverSearch): Leftover {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const isDeleted = metadata['deletionTimestamp'] !== undefined;
  const why = [...(isDeleted ? ['it is being deleted'] : []), ...reasons].join('; ');
  const command = [
    'kubectl',
    ...(search.kubectlOptions ?? []),
    ...(namespace === undefined ? [] : ['-n', namespace]),
    'delete',
    ...what,
  ];
  return {
    level: isIdle || isDeleted ? 'warning' : 'failure',
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(why !== '' && { why }),
    command: command.map(quoteShellWord).join(' '),
  };
}
