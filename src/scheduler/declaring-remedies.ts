import type { CacheNeed } from '../api/cache/delivery';
import { findUnmetRequirement } from '../api/label-matching';
import { findMissingLoadMetrics, type MissingLoadMetrics } from '../api/load-metrics';
import { completeCluster, type Declarations } from './changed-demands';
import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
import type { Placement } from './placement';
import { fitsOn } from './remedy-proposal';
import type { Rejection } from './reason';
import type { DeclaringRemedy, StorageToDeclare } from './remedy';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

/** Declaring one of these changes nothing on a cluster that has it. A version of Kubernetes is not declared into being. */
const DECLARABLE: ReadonlySet<CacheNeed> = new Set<StorageToDeclare>([
  'SharedFilesystem',
  'BlockDevice',
  'BlockSnapshots',
  'S3Mounts',
  'GCSMounts',
]);

/**
 * Finds the first cluster that would take one more replica if it declared what caches, failure domains and autoscalers
 * need of it: storage, the label of `spreadBy`, load metrics, and the HTTP add-on of KEDA. All that one cluster lacks
 * is one remedy.
 */
export function findDeclaringRemedies(
  deployment: CompiledDeployment,
  rejections: readonly Rejection[],
  state: SchedulingState,
): DeclaringRemedy[] {
  for (const name of listDeclarable(rejections)) {
    const cluster = state.clusters.get(name);
    if (!cluster) continue;
    const missing = listMissing(deployment, cluster);
    const { storage, ...others } = missing;
    if (storage.length === 0 && Object.keys(others).length === 0) continue;
    if (!hasRoom(deployment, { cluster, completed: completeCluster(cluster, missing) }, state)) continue;
    return [{ kind: 'declare', cluster: name, ...missing }];
  }
  return [];
}

/**
 * Lists the clusters with a rejection by a filter that they pass once they declare what they have. Thousands of deployments
 * with the same demand share the rejections, which are as many in a large fleet.
 */
function listDeclarable(rejections: readonly Rejection[]): readonly string[] {
  const known = DECLARABLE_CLUSTERS.get(rejections) ?? rejections.filter(isByDeclared).map(({ cluster }) => cluster);
  DECLARABLE_CLUSTERS.set(rejections, known);
  return known;
}

const DECLARABLE_CLUSTERS = new WeakMap<readonly Rejection[], readonly string[]>();

function isByDeclared({ reason }: Rejection): boolean {
  return reason.filter === 'spread' ? reason.limit === 'no-domain' : DECLARED.has(reason.filter);
}

const DECLARED: ReadonlySet<Rejection['reason']['filter']> = new Set(['cache', 'monitoring']);

function listMissing({ demand, placement }: CompiledDeployment, cluster: CompiledCluster): Declarations {
  const { domainKey } = placement;
  const label = domainKey === undefined || Object.hasOwn(cluster.labels, domainKey) ? undefined : domainKey;
  const monitoring = findUnmeasured(demand, cluster);
  const storage = listMissingStorage(demand, cluster);
  const lacksAddOn = !cluster.load.kedaHttpAddOn && demand.engines.some(({ load }) => load?.waits);
  return {
    storage,
    ...(label !== undefined && { label }),
    ...(monitoring && { monitoring }),
    ...(lacksAddOn && { kedaHttpAddOn: true as const }),
  };
}

/** All that engines lack: a cluster without metrics has no series either. */
function findUnmeasured({ engines }: ReplicaDemand, { load }: CompiledCluster): MissingLoadMetrics | undefined {
  const lacks = engines.flatMap((one) => (one.load && findMissingLoadMetrics(one.load, load)) ?? []);
  return lacks.includes('metrics') ? 'metrics' : lacks[0];
}

function listMissingStorage({ caches }: ReplicaDemand, { labels, offers }: CompiledCluster): StorageToDeclare[] {
  const needs = caches.flatMap(({ selector, needs: need }) => {
    const isWanted = need !== undefined && !offers.has(need) && DECLARABLE.has(need);
    return isWanted && !findUnmetRequirement(selector, labels) ? [need as StorageToDeclare] : [];
  });
  return [...new Set(needs)].sort();
}

interface Completion {
  readonly cluster: CompiledCluster;
  readonly completed: CompiledCluster;
}

function hasRoom(deployment: CompiledDeployment, { cluster, completed }: Completion, state: SchedulingState): boolean {
  const placed = [...state.clustersOf(deployment)].map((one) => (one === cluster ? completed : one));
  const isOpen = new TopologySpread(deployment, placed).findLimit(completed) === undefined;
  return isOpen && fitsOn(completed, deployment.demand, state);
}

/** Schedules a fleet again with other clusters. */
type Reschedule = (clusters: readonly CompiledCluster[]) => SchedulingState;

/** The most clusters for which a fleet is scheduled again. */
const MOST_RESCHEDULED = 4;

/** The most replicas to place in all of these runs together. */
const RESCHEDULED_REPLICAS = 20_000;

/**
 * Finds storage to declare on a cluster so that a new replica of another deployment has a place there, which leaves room
 * for one without a place. The fleet is scheduled again with each declaration, a few times at most. Replicas of the lock
 * do not move, so their places are not considered.
 */
export function findFreeingRemedies(
  state: SchedulingState,
  isNew: (placement: Placement) => boolean,
  reschedule: Reschedule,
): ReadonlyMap<string, DeclaringRemedy> {
  const { clusters, deployments } = state.model;
  const found = new Map<string, DeclaringRemedy>();
  const short = deployments.filter((one) => state.missing(one) > 0);
  const most = Math.min(MOST_RESCHEDULED, RESCHEDULED_REPLICAS / Math.max(1, state.placements().length));
  for (const { cluster, storage, deployment } of listStorageToDeclare(state, isNew).slice(0, most)) {
    const tried = reschedule(clusters.map((one) => (one === cluster ? completeCluster(one, { storage }) : one)));
    if (deployments.some((one) => tried.missing(one) > state.missing(one))) continue;
    for (const one of short) {
      if (one === deployment || found.has(one.id) || tried.missing(one) === state.missing(one)) continue;
      found.set(one.id, { kind: 'declare', cluster: cluster.name, storage, frees: deployment.id });
    }
  }
  return found;
}

interface StorageOnCluster {
  readonly cluster: CompiledCluster;
  readonly storage: readonly StorageToDeclare[];
  readonly deployment: CompiledDeployment;
}

/** The storage that a cluster would have to declare to take replicas that are new in this run. */
function listStorageToDeclare(state: SchedulingState, isNew: (placement: Placement) => boolean): StorageOnCluster[] {
  const placedNow = state.model.deployments.filter(
    (one) => one.demand.caches.length > 0 && state.staying(one).some(({ placement }) => isNew(placement)),
  );
  return placedNow.flatMap((deployment) =>
    state.model.clusters.flatMap((cluster) => {
      const storage = listMissingStorage(deployment.demand, cluster);
      const helps = storage.length > 0 && fitsOn(completeCluster(cluster, { storage }), deployment.demand, state);
      return helps ? [{ cluster, storage, deployment }] : [];
    }),
  );
}
