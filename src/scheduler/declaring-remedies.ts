import type { CacheNeed } from '../api/cache/delivery';
import { findUnmetRequirement } from '../api/label-matching';
import { completeCluster } from './changed-demands';
import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
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
