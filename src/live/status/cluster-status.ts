import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/kinds';
import { DEPLOYMENT_LABEL } from '../../api/labels';
import { textAt } from '../../base/json';
import type { Fleet } from '../../fleet/fleet';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { ClusterManifests } from '../../render/cluster';
import type { ComputedReplica } from '../../replicas/replica';
import { OBSERVED_LISTS } from '../doctor/check';
import { checkPoolSizes } from '../doctor/node-pool-checks';
import { type CheckResult, countLevels, type FindingLevel, LEVEL_OF } from '../finding';
import { collectionOf, formatNamespacedName, type Listing, type LiveObject, objectsOf } from '../live-object';
import { type CacheStatus, judgeCaches, type StagedFacts } from './cache-status';
import { type Drift, driftOf } from './drift';
import { judgeReplicas, type ReplicaStatus } from './replica-status';
import { hasRouteStatus, judgeRoute, type RouteStatus } from './route-status';
import { AUTOSCALER_REASONS, findStockouts, type Stockout } from './stockouts';

/** The state of a running cluster as `status` observes it. */
export interface RunningCluster {
  readonly lists: Readonly<Record<keyof typeof STATUS_LISTS, Listing>>;

  /** Events of autoscalers, one listing for each reason. */
  readonly events: readonly Listing[];

  /** The objects of each rendered kind, by `kindKeyOf`. */
  readonly objects: ReadonlyMap<string, Listing>;

  /** The markers of staged caches, by the ID of the Job. */
  readonly staged: ReadonlyMap<string, StagedFacts>;
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
}

/** How a cluster runs what is locked for it. */
export interface ClusterStatus {
  readonly cluster: string;

  /** Why it gives no answer. Absent where it does; otherwise all lists are empty. */
  readonly unreachable?: string;

  /** How many replicas the lock has here. */
  readonly locked: number;

  /** Empty where pods cannot be seen. */
  readonly replicas: readonly ReplicaStatus[];
  readonly caches: readonly CacheStatus[];
  readonly routes: readonly RouteStatus[];

  /** Whether pools have the nodes that they declare, and these their devices. */
  readonly nodes: readonly NodesStatus[];
  readonly stockouts: readonly Stockout[];

  /** Objects of ours that are not as they were rendered. */
  readonly drift: readonly Drift[];

  /** What whoever asks may not see, or what broke while it was asked for. */
  readonly unseen: readonly UnlistedKind[];

  /** How many of all these there are of each level. */
  readonly totals: Readonly<Record<FindingLevel, number>>;
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

/** Compares a running cluster with its locked replicas and manifests. */
export function judgeCluster(locked: LockedCluster, running: RunningCluster): ClusterStatus {
  const { cluster, fleet, replicas, parts } = locked;
  const { lists } = running;
  const poolOf = new Map(
    objectsOf(lists.nodes).map(({ metadata }) => [metadata.name, metadata.labels?.[cluster.spec.poolLabel] ?? '']),
  );
  const claims = 'objects' in lists.claims && { claims: byId(lists.claims.objects) };
  const observed = { pods: objectsOf(lists.pods), poolOf, ...claims };
  const live = indexLiveObjects(running);
  const find = (kind: string, id: string): LiveObject | undefined => live.get(`${kind} ${id}`);
  const rows = {
    replicas: 'objects' in lists.pods ? judgeReplicas(replicas, observed) : [],
    caches: judgeCaches(parts.caches, { find, facts: running.staged, unseen: unseenKindsOf(running) }),
    routes: locked.manifests.filter(hasRouteStatus).flatMap((one) => {
      const object = find(one.kind, formatNamespacedName(one));
      return object ? [judgeRoute(object)] : [];
    }),
    nodes: checkPoolSizes({ ...locked, seen: { lists } })
      .filter(({ severity }) => severity !== 'unknown')
      .map(nodesStatus),
    stockouts: findStockouts(running.events.flatMap(objectsOf), unscheduledPods(objectsOf(lists.pods)), {
      cluster,
      fleet,
    }),
    drift: locked.manifests
      .filter(isListed(running))
      .flatMap((one) => driftOf(one, find(one.kind, formatNamespacedName(one))) ?? []),
    unseen: listUnlisted(running),
  };
  return {
    cluster: cluster.metadata.name,
    locked: replicas.length,
    ...rows,
    totals: countLevels(Object.values(rows).flat()),
  };
}

/** The status of a cluster that does not answer. */
export function reportUnreachableCluster({ cluster, replicas }: LockedCluster, why: string): ClusterStatus {
  const none = { replicas: [], caches: [], routes: [], nodes: [], stockouts: [], drift: [], unseen: [] };
  const identity = { cluster: cluster.metadata.name, unreachable: why, locked: replicas.length };
  return { ...identity, ...none, totals: countLevels([{ level: 'failure' }]) };
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

function listUnlisted({ lists, events, objects }: RunningCluster): UnlistedKind[] {
  const all = [...Object.entries(lists), ...events.map((one) => ['events', one] as const), ...objects];
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

/** The autoscaler events about failed scale-ups. The field selector filters them on the API server. */
export const EVENT_LISTS = AUTOSCALER_REASONS.map((reason) =>
  collectionOf('v1', 'Event', `events?fieldSelector=reason%3D${reason}`),
);
