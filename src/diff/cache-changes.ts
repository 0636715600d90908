import { cacheReferencesOf } from '../api/cache/cache-references';
import { qualifiedNameOf } from '../api/resource';
import { compareText } from '../base/order';
import { locateCaches } from '../replicas/cache-clusters';
import { cacheFolderOf } from '../replicas/staged-caches';
import { type Cause, dedupeCauses, type DiffContext, isNotNodeCount, selectCauses } from './causes';
import type { FleetState } from './fleet-state';

/** What happens to the files of a cache on one cluster. */
export interface CacheChange {
  /** `namespace/name`. */
  readonly cache: string;
  readonly cluster: string;

  /** `restage`: other files are staged beside those that are there. */
  readonly action: 'stage' | 'restage' | 'drop';

  /** What is copied. Absent where nothing is, or nobody says how much. */
  readonly sizeGiB?: number;

  /** The declarations that it comes from. Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/** Compares the staged caches of two states: caches to stage, to stage again and to drop, by cache and cluster. */
export function diffCaches(before: FleetState, after: FleetState, context: DiffContext): CacheChange[] {
  const users = cacheUsersOf(before, after);
  const [was, is] = [stagedCachesOf(before), stagedCachesOf(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return keys.flatMap((key): CacheChange[] => {
    const [old, now] = [was.get(key), is.get(key)];
    const staged = now ?? old;
    if (!staged || old?.folder === now?.folder) return [];
    const { cache, cluster, sizeGiB } = staged;
    const action = !now ? 'drop' : old ? 'restage' : 'stage';
    const declared = selectCauses(context.changed.get(`ModelCache ${cache}`), () => true);
    const causes = action === 'restage' ? declared : [...declared, ...findLocationCauses(staged, users, context)];
    return [{ cache, cluster, action, ...(now && sizeGiB !== undefined && { sizeGiB }), causes }];
  });
}

/**
 * Why a cache becomes needed on a cluster, or is no longer needed: changes of the cluster, and of the replicas on it.
 */
function findLocationCauses(
  { cache, cluster }: StagedCache,
  users: CacheUsers,
  { changed, deployments }: DiffContext,
): Cause[] {
  const moved = deployments
    .filter(({ deployment }) => users.get(deployment)?.has(cache))
    .flatMap(({ changes }) => changes.filter((change) => change.cluster === cluster))
    .flatMap(({ causes }) => causes);
  const all = [...selectCauses(changed.get(`InferenceCluster ${cluster}`), isNotNodeCount), ...moved];
  return dedupeCauses(all);
}

/** The caches that each deployment mounts in either state, by deployment ID. */
type CacheUsers = ReadonlyMap<string, ReadonlySet<string>>;

function cacheUsersOf(before: FleetState, after: FleetState): CacheUsers {
  if (before.decision.fleet.caches.length + after.decision.fleet.caches.length === 0) return new Map();
  const users = new Map<string, Set<string>>();
  for (const one of [...before.decision.fleet.deployments, ...after.decision.fleet.deployments]) {
    const id = qualifiedNameOf(one);
    const mounted = users.get(id) ?? new Set();
    for (const { name } of cacheReferencesOf(one)) mounted.add(`${one.metadata.namespace}/${name}`);
    users.set(id, mounted);
  }
  return users;
}

interface StagedCache {
  readonly cache: string;
  readonly cluster: string;
  readonly folder: string;
  readonly sizeGiB: number | undefined;
}

/** The caches that a state stages, by cache and cluster. Caches on existing PVCs are not staged. */
function stagedCachesOf({ decision: { fleet, replicas } }: FleetState): ReadonlyMap<string, StagedCache> {
  const all = locateCaches(fleet, replicas).flatMap(({ cache, clusters }): [string, StagedCache][] => {
    if (cache.spec.source === 'ExistingPVC') return [];
    const files = { cache: qualifiedNameOf(cache), folder: cacheFolderOf(cache), sizeGiB: cache.spec.sizeGiB };
    return clusters.map(({ metadata: { name } }) => [`${files.cache} ${name}`, { ...files, cluster: name }]);
  });
  return new Map(all);
}
