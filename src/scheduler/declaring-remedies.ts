import type { CacheNeed } from '../api/cache/delivery';
import { findUnmetRequirement } from '../api/label-matching';
import { completeCluster } from './changed-demands';
import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
import type { Placement } from './placement';
import { fitsOn } from './remedies';
import type { DeclaringRemedy, Rejection, StorageToDeclare } from './schedule-result';
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
 * Finds the first cluster that would take one more replica if it declared what caches and failure domains need of it:
 * storage, and the label of `spreadBy`. All that one cluster lacks is one remedy.
 */
export function findDeclaringRemedies(
  deployment: CompiledDeployment,
  rejections: readonly Rejection[],
  state: SchedulingState,
): DeclaringRemedy[] {
  for (const { cluster: name, reason } of rejections) {
    const cluster = state.clusters.get(name);
    const lacksLabel = reason.filter === 'spread' && reason.limit === 'no-domain';
    if (!cluster || (reason.filter !== 'cache' && !lacksLabel)) continue;
    const storage = listMissingStorage(deployment.demand, cluster);
    const { domainKey } = deployment.placement;
    const label = domainKey === undefined || Object.hasOwn(cluster.labels, domainKey) ? undefined : domainKey;
    const completed = completeCluster(cluster, storage, label);
    if ((storage.length === 0 && label === undefined) || !hasRoom(deployment, { cluster, completed }, state)) continue;
    return [{ kind: 'declare', cluster: name, storage, ...(label !== undefined && { label }) }];
  }
  return [];
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
    const tried = reschedule(clusters.map((one) => (one === cluster ? completeCluster(one, storage, undefined) : one)));
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
      const helps =
        storage.length > 0 && fitsOn(completeCluster(cluster, storage, undefined), deployment.demand, state);
      return helps ? [{ cluster, storage, deployment }] : [];
    }),
  );
}
