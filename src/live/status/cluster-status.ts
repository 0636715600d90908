import { DEPLOYMENT } from '../../api/labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/locate';
import type { Fleet } from '../../fleet';
import type { ClusterManifests } from '../../render/cluster';
import type { Manifest } from '../../render/manifest';
import type { ComputedReplica } from '../../render/replica';
import { sizeFindings } from '../doctor/pools';
import { countLevels, type Level, type Said } from '../finding';
import { idOf, type Listing, type LiveObject, objectsIn, textAt } from '../live-object';
import { type CacheStatus, cacheStatuses, type StagedFacts } from './cache-status';
import { type Drift, driftOf } from './drift';
import { type ReplicaStatus, replicaStatuses } from './replica-status';
import { isJudged, routeStatus, type RouteStatus } from './route-status';
import { type Stockout, stockouts } from './stockouts';
import type { STATUS_LISTS } from './status-lists';

/** What a running cluster shows to `status`. */
export interface RunningCluster {
  readonly lists: Readonly<Record<keyof typeof STATUS_LISTS, Listing>>;

  /** What autoscalers tell, a listing for each reason. */
  readonly events: readonly Listing[];

  /** The objects of each kind that is rendered there, by `kindKey`. */
  readonly objects: ReadonlyMap<string, Listing>;

  /** What the markers of staged caches say, by the id of the Job. */
  readonly staged: ReadonlyMap<string, StagedFacts>;
}

/** What is locked for a cluster. */
export interface LockedCluster {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly locate: Locate;

  /** Those on the cluster. */
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
  readonly nodes: readonly Said[];
  readonly stockouts: readonly Stockout[];

  /** Objects of ours that are not as they were rendered. */
  readonly drift: readonly Drift[];

  /** What whoever asks may not see, or what broke while it was asked for. */
  readonly unseen: readonly Unseen[];

  /** How many of all these there are of each level. */
  readonly totals: Readonly<Record<Level, number>>;
}

/** Objects that cannot be seen. */
export interface Unseen {
  readonly level: 'unknown' | 'failure';

  /** Their kind. */
  readonly what: string;
  readonly why: string;
}

/** By what the objects of a kind are found: `apps/v1 Deployment`. */
export function kindKey({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}

/** Compares a running cluster with what is locked for it. */
export function clusterStatus(locked: LockedCluster, running: RunningCluster): ClusterStatus {
  const { cluster, fleet, replicas, parts } = locked;
  const { lists } = running;
  const poolOf = new Map(
    objectsIn(lists.nodes).map(({ metadata }) => [
      metadata.name,
      metadata.labels?.[cluster.spec.poolLabel] ?? '',
    ]),
  );
  const seen = 'objects' in lists.pods;
  const claims = 'objects' in lists.claims && { claims: byId(lists.claims.objects) };
  const surroundings = { pods: objectsIn(lists.pods), poolOf, ...claims };
  const live = liveObjects(running);
  const find = (kind: string, id: string): LiveObject | undefined => live.get(`${kind} ${id}`);
  const rows = {
    replicas: seen ? replicaStatuses(replicas, surroundings) : [],
    caches: cacheStatuses(parts.caches, find, running.staged),
    routes: locked.manifests.filter(isJudged).flatMap((one) => {
      const object = find(one.kind, idOf(one));
      return object ? [routeStatus(object)] : [];
    }),
    nodes: sizeFindings({ ...locked, lists }).filter(({ level }) => level !== 'unknown'),
    stockouts: stockouts(running.events.flatMap(objectsIn), waitingPods(objectsIn(lists.pods)), {
      cluster,
      fleet,
    }),
    drift: locked.manifests.filter(isSeen(running)).flatMap((one) => {
      return driftOf(one, find(one.kind, idOf(one))) ?? [];
    }),
    unseen: unseenIn(running),
  };
  const here = { cluster: cluster.metadata.name, locked: replicas.length };
  return { ...here, ...rows, totals: countLevels(Object.values(rows).flat()) };
}

/** A cluster that gives no answer. */
export function unreachableCluster({ cluster, replicas }: LockedCluster, why: string): ClusterStatus {
  const none = { replicas: [], caches: [], routes: [], nodes: [], stockouts: [], drift: [], unseen: [] };
  const here = { cluster: cluster.metadata.name, unreachable: why, locked: replicas.length };
  return { ...here, ...none, totals: countLevels([{ level: 'failure' }]) };
}

function byId(objects: readonly LiveObject[]): ReadonlyMap<string, LiveObject> {
  return new Map(objects.map((object) => [idOf(object), object]));
}

function liveObjects({ objects }: RunningCluster): ReadonlyMap<string, LiveObject> {
  const all = [...objects.values()].flatMap(objectsIn);
  return new Map(all.map((object) => [`${object.kind} ${idOf(object)}`, object]));
}

/** Of a kind that may not be listed nobody knows what is missing. A kind that is not served has no objects. */
function isSeen({ objects }: RunningCluster): (manifest: Manifest) => boolean {
  return (manifest) => {
    const listing = objects.get(kindKey(manifest));
    return listing !== undefined && ('objects' in listing || listing.missing === 'unserved');
  };
}

function waitingPods(pods: readonly LiveObject[]): ReadonlyMap<string, LiveObject> {
  return byId(
    pods.filter(
      (pod) => pod.metadata.labels?.[DEPLOYMENT] !== undefined && textAt(pod, ['spec', 'nodeName']) === '',
    ),
  );
}

function unseenIn({ lists, events, objects }: RunningCluster): Unseen[] {
  const all = [...Object.entries(lists), ...events.map((one) => ['events', one] as const), ...objects];
  const told = all.flatMap(([what, listing]): Unseen[] => {
    if (!('missing' in listing) || listing.missing === 'unserved') return [];
    return [{ level: listing.missing === 'forbidden' ? 'unknown' : 'failure', what, why: listing.why }];
  });
  return [...new Map(told.map((one) => [one.what, one])).values()];
}
