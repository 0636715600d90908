import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/kinds';
import { DEPLOYMENT_LABEL } from '../../api/labels';
import { textAt } from '../../base/json';
import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import type { Fleet } from '../../fleet/fleet';
import { replicaSelectorOf } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { isWorkload } from '../../manifest/kubernetes/workload-kinds';
import type { ClusterManifests } from '../../render/cluster';
import type { ComputedReplica } from '../../replicas/replica';
import { isLost } from '../../scheduler/lost-clusters';
import { OBSERVED_LISTS } from '../doctor/check';
import { examinePools } from '../doctor/examine-pools';
import { checkPoolSizes } from '../doctor/node-pool-checks';
import { type CheckResult, countLevels, type FindingLevel, LEVEL_OF } from '../finding';
import { type Collection, collectionOf, type Listing, objectsOf } from '../listing';
import { formatNamespacedName, type LiveObject } from '../../manifest/kubernetes/live-object';
import { describePickerLoss, judgePicker, type PickerHealth } from '../picker-health';
import { type CacheStatus, type CompletedStaging, judgeCaches, type ObservedCaches } from './cache-status';
import { createFailureFinder, CREATION_FAILURE_REASONS } from './creation-failures';
import { collectDeclaredImages } from './declared-images';
import { type Drift, driftOf } from './drift';
import { findLeftovers, type Leftover } from './leftover-objects';
import { judgeReplicas, type ObservedPods, type ReplicaStatus } from './replica-status';
import { hasRouteStatus, judgeRoute, type RouteStatus } from './route-status';
import { AUTOSCALER_REASONS, findStockouts, type Stockout } from './stockouts';

/** The state of a running cluster as `status` observes it. */
export interface RunningCluster {
  readonly lists: Readonly<Record<keyof typeof STATUS_LISTS, Listing>>;

  /** The objects of queues, by kind. Empty where no snapshot is written. */
  readonly queues: Readonly<Record<string, Listing>>;

  /** Events of autoscalers, one listing for each reason. */
  readonly events: readonly Listing[];

  /** Events of objects that controllers cannot create, one listing for each reason. */
  readonly failures: readonly Listing[];

  /** The objects of each rendered kind, by `kindKeyOf`. */
  readonly objects: ReadonlyMap<string, Listing>;

  /** The completed staging Jobs, and what they staged. */
  readonly stagings: readonly CompletedStaging[];

  /** The objects with the labels of Fleetwright in all namespaces, by `kindKeyOf`. */
  readonly labelled: ReadonlyMap<string, Listing>;
}

/** A cluster with its locked replicas and rendered manifests. */
export interface LockedCluster {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly locate: Locate;

  /** The replicas on the cluster. */
  readonly replicas: readonly ComputedReplica[];
  readonly parts: ClusterManifests;
  readonly manifests: readonly Manifest[];

  /** The IDs of resources whose declarations have errors, so that their manifests are not known. Default: none. */
  readonly unknown?: readonly string[];

  /** The options with which kubectl reaches the cluster, for commands that messages show. */
  readonly kubectlOptions?: readonly string[];
}

/** How a cluster runs what is locked for it. */
export interface ClusterStatus {
  readonly cluster: string;

  /** Why it gives no answer. Absent where it does; otherwise all lists are empty. */
  readonly unreachable?: string;

  /** It is declared lost: its replicas do not count, and no one waits for its answer. Absent: it is not. */
  readonly lost?: true;

  /** How many replicas the lock has here. */
  readonly locked: number;

  /** Empty where pods cannot be seen. */
  readonly replicas: readonly ReplicaStatus[];
  readonly caches: readonly CacheStatus[];
  readonly routes: readonly RouteStatus[];

  /** Whether endpoint pickers answer. Requests bypass one that does not. Empty where pickers cannot be seen. */
  readonly pickers: readonly PickerStatus[];

  /** Whether pools have the nodes that they declare, and these their devices. */
  readonly nodes: readonly NodesStatus[];
  readonly stockouts: readonly Stockout[];

  /** Objects of Fleetwright that are not as they were rendered. */
  readonly drift: readonly Drift[];

  /** Objects and pods of Fleetwright that no declaration accounts for, with the command that removes each. */
  readonly leftovers: readonly Leftover[];

  /** What the user may not read, or what failed while it was read. */
  readonly unseen: readonly UnlistedKind[];

  /** How many of all these there are of each level. */
  readonly totals: Readonly<Record<FindingLevel, number>>;
}

/** Whether an endpoint picker answers. */
export interface PickerStatus {
  readonly level: FindingLevel;

  /** `namespace/name` of its Deployment. */
  readonly picker: string;
  readonly state: PickerHealth['state'];

  /** What it means that it does not answer, as a clause. */
  readonly why?: string;
}

/** Whether a pool has the nodes that it declares, and these their devices. */
export interface NodesStatus {
  readonly level: FindingLevel;

  /** What is so, and what to do about it, as clauses without a full stop. */
  readonly what: string;
  readonly hint?: string;
}

/** Objects that cannot be seen. */
export interface UnlistedKind {
  readonly level: 'unknown';
  readonly what: string;
  readonly why: string;
}

/** The key of a kind in listings: `apps/v1 Deployment`. */
export function kindKeyOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}

type FindLiveObject = (kind: string, id: string) => LiveObject | undefined;

function judgePickers({ manifests }: LockedCluster, running: RunningCluster, find: FindLiveObject): PickerStatus[] {
  const pods = objectsOf(running.lists.pods);
  return manifests
    .filter((one) => isEndpointPicker(one) && isListed(running)(one))
    .map((one) => pickerStatus(one, find(one.kind, formatNamespacedName(one)), pods));
}

/** Compares a running cluster with its locked replicas and manifests. */
export function judgeCluster(locked: LockedCluster, running: RunningCluster): ClusterStatus {
  const { cluster, fleet, replicas, parts } = locked;
  const { lists } = running;
  const live = indexLiveObjects(running);
  const find: FindLiveObject = (kind, id) => live.get(`${kind} ${id}`);
  const findFailure = createFailureFinder(running.failures.flatMap(objectsOf));
  const observed = observePods(locked, running, { find, findFailure });
  const rows = {
    replicas: 'objects' in lists.pods ? judgeReplicas(replicas, observed) : [],
    caches: judgeCaches(parts.caches, {
      find,
      findFailure,
      stagings: running.stagings,
      unseen: unseenKindsOf(running),
    }),
    routes: locked.manifests.filter(hasRouteStatus).flatMap((one) => {
      const object = find(one.kind, formatNamespacedName(one));
      return object ? [judgeRoute(object)] : [];
    }),
    pickers: judgePickers(locked, running, find),
    nodes: checkPoolSizes({ ...locked, seen: { lists }, pools: examinePools({ ...locked, seen: { lists } }) })
      .filter(({ severity }) => severity !== 'unknown')
      .map(nodesStatus),
    stockouts: findStockouts(running.events.flatMap(objectsOf), unscheduledPods(objectsOf(lists.pods)), {
      cluster,
      fleet,
    }),
    drift: locked.manifests
      .filter(isListed(running))
      .flatMap((one) => driftOf(one, find(one.kind, formatNamespacedName(one))) ?? []),
    leftovers: findLeftovers({ ...locked, pods: lists.pods, labelled: running.labelled.values() }),
    unseen: listUnlisted(running),
  };
  return {
    ...identityOf(locked),
    ...rows,
    totals: countLevels(Object.values(rows).flat()),
  };
}

/** The state of the pods of a cluster, and of what they depend on. */
function observePods(
  locked: LockedCluster,
  { lists }: RunningCluster,
  seen: Pick<ObservedCaches, 'find' | 'findFailure'>,
): ObservedPods {
  const { poolLabel } = locked.cluster.spec;
  const nodes = objectsOf(lists.nodes);
  return {
    pods: objectsOf(lists.pods),
    poolOf: new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels?.[poolLabel] ?? ''])),
    ...('objects' in lists.claims && { claims: byId(lists.claims.objects) }),
    images: collectDeclaredImages(locked.manifests),
    explainMissing: (replica) => explainMissing(workloadsOf(replica, locked), seen),
  };
}

/** The workloads that create the pods of a replica. */
function workloadsOf(replica: ComputedReplica, { manifests }: LockedCluster): Manifest[] {
  const { namespace } = replica.deployment.metadata;
  const selector = Object.entries(replicaSelectorOf(replica));
  return manifests.filter(
    ({ kind, metadata }) =>
      isWorkload({ kind }) &&
      metadata.namespace === namespace &&
      selector.every(([label, value]) => metadata.labels[label] === value),
  );
}

/** Why workloads lack pods, as clauses: what they or their controllers report. Drift reports missing workloads. */
function explainMissing(workloads: readonly Manifest[], seen: Pick<ObservedCaches, 'find' | 'findFailure'>): string[] {
  return workloads.flatMap((workload) => {
    const owner = seen.find(workload.kind, formatNamespacedName(workload));
    return (owner && seen.findFailure(owner)) ?? [];
  });
}

/** The status of a cluster that does not answer. */
export function reportUnreachableCluster(locked: LockedCluster, why: string): ClusterStatus {
  const none = {
    replicas: [],
    caches: [],
    routes: [],
    pickers: [],
    nodes: [],
    stockouts: [],
    drift: [],
    leftovers: [],
    unseen: [],
  };
  const identity = identityOf(locked);
  const totals = countLevels([{ level: identity.lost ? 'warning' : 'failure' }]);
  return { ...identity, unreachable: why, ...none, totals };
}

function identityOf({ cluster, replicas }: LockedCluster): Pick<ClusterStatus, 'cluster' | 'lost' | 'locked'> {
  const lost = isLost(cluster.spec) && { lost: true as const };
  return { cluster: cluster.metadata.name, ...lost, locked: replicas.length };
}

function isEndpointPicker({ kind, metadata: { labels } }: Manifest): boolean {
  return kind === 'Deployment' && labels['app.kubernetes.io/component'] === ENDPOINT_PICKER.name;
}

function pickerStatus(picker: Manifest, live: LiveObject | undefined, pods: readonly LiveObject[]): PickerStatus {
  const health = judgePicker(live, pods);
  const identity = { picker: formatNamespacedName(picker), state: health.state };
  if (health.state === 'ready') return { level: 'ok', ...identity };
  return { level: 'failure', ...identity, why: describePickerLoss(health, picker) };
}

function nodesStatus({ severity, message, hint }: CheckResult): NodesStatus {
  return { level: LEVEL_OF[severity], what: message, ...(hint !== undefined && { hint }) };
}

function byId(objects: readonly LiveObject[]): ReadonlyMap<string, LiveObject> {
  return new Map(objects.map((object) => [formatNamespacedName(object), object]));
}

function indexLiveObjects({ objects }: RunningCluster): ReadonlyMap<string, LiveObject> {
  const all = [...objects.values()].flatMap(objectsOf);
  return new Map(all.map((object) => [`${object.kind} ${formatNamespacedName(object)}`, object]));
}

/** Whether the kind of a manifest is listed, so that a missing object is known. */
function isListed({ objects }: RunningCluster): (manifest: Manifest) => boolean {
  return (manifest) => {
    const listing = objects.get(kindKeyOf(manifest));
    return listing !== undefined && ('objects' in listing || listing.missing === 'unserved');
  };
}

/** The rendered kinds of which nothing is known, because they cannot be listed. */
function unseenKindsOf({ objects }: RunningCluster): ReadonlySet<string> {
  const unseen = [...objects].filter(([, one]) => 'missing' in one && one.missing !== 'unserved');
  return new Set(unseen.map(([key]) => key.slice(key.indexOf(' ') + 1)));
}

function unscheduledPods(pods: readonly LiveObject[]): ReadonlyMap<string, LiveObject> {
  return byId(
    pods.filter(
      (pod) => pod.metadata.labels?.[DEPLOYMENT_LABEL] !== undefined && textAt(pod, ['spec', 'nodeName']) === '',
    ),
  );
}

function listUnlisted({ lists, events, failures, objects, labelled }: RunningCluster): UnlistedKind[] {
  const named = [...events, ...failures].map((one) => ['events', one] as const);
  const all = [...Object.entries(lists), ...named, ...objects, ...labelled];
  const unlisted = all.flatMap(([what, listing]): UnlistedKind[] => {
    if (!('missing' in listing) || listing.missing === 'unserved') return [];
    return [{ level: 'unknown', what, why: listing.why }];
  });
  return [...new Map(unlisted.map((one) => [one.what, one])).values()];
}

/** The collections that `status` lists on every cluster, in addition to the rendered kinds. */
export const STATUS_LISTS = {
  nodes: OBSERVED_LISTS.nodes,
  slices: OBSERVED_LISTS.slices,
  pods: OBSERVED_LISTS.pods,
  claims: collectionOf('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims'),
} as const;

/** The autoscaler events about failed scale-ups. */
export const EVENT_LISTS = AUTOSCALER_REASONS.map(eventsWithReason);

/** The events about objects that controllers cannot create. */
export const FAILURE_LISTS = CREATION_FAILURE_REASONS.map(eventsWithReason);

/** The events of a reason. The field selector filters them on the API server. */
function eventsWithReason(reason: string): Collection {
  return collectionOf('v1', 'Event', `events?fieldSelector=reason%3D${reason}`);
}
