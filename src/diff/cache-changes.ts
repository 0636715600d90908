import { cacheRefs } from '../api/cache/refs';
import { qualifiedName } from '../api/resource';
import { compareText } from '../order';
import { holdings } from '../plan/cache-notes';
import { folderOf } from '../render/cache/staged';
import { type Cause, causesIn, distinctCauses, isNoSize } from './causes';
import type { State } from './state';
import type { Told } from './told';

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

/** What is staged, staged again, and not needed any more, by cache and cluster. */
export function cacheChanges(before: State, after: State, told: Told): CacheChange[] {
  const users = usersOf(before, after);
  const [was, is] = [staged(before), staged(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return keys.flatMap((key): CacheChange[] => {
    const [old, now] = [was.get(key), is.get(key)];
    const one = now ?? old;
    if (!one || old?.folder === now?.folder) return [];
    const { cache, cluster, sizeGiB } = one;
    const action = !now ? 'drop' : old ? 'restage' : 'stage';
    const own = causesIn(told.changed.get(`ModelCache ${cache}`), () => true);
    const causes = action === 'restage' ? own : [...own, ...causesOfPlace(one, users, told)];
    return [{ cache, cluster, action, ...(now && sizeGiB !== undefined && { sizeGiB }), causes }];
  });
}

/** Why a cache is needed on a cluster, or not any more: the cluster, and replicas that come or go there. */
function causesOfPlace({ cache, cluster }: Staged, users: Users, { changed, deployments }: Told): Cause[] {
  const moved = deployments
    .filter(({ deployment }) => users.get(deployment)?.has(cache))
    .flatMap(({ changes }) => changes.filter((change) => change.cluster === cluster))
    .flatMap(({ causes }) => causes);
  const all = [...causesIn(changed.get(`InferenceCluster ${cluster}`), isNoSize), ...moved];
  return distinctCauses(all);
}

/** The caches that a deployment mounts, before or after, by its id. */
type Users = ReadonlyMap<string, ReadonlySet<string>>;

function usersOf(before: State, after: State): Users {
  if (before.decision.fleet.caches.length + after.decision.fleet.caches.length === 0) return new Map();
  const users = new Map<string, Set<string>>();
  for (const one of [...before.decision.fleet.deployments, ...after.decision.fleet.deployments]) {
    const id = qualifiedName(one);
    const mounted = users.get(id) ?? new Set();
    for (const { name } of cacheRefs(one)) mounted.add(`${one.metadata.namespace}/${name}`);
    users.set(id, mounted);
  }
  return users;
}

interface Staged {
  readonly cache: string;
  readonly cluster: string;
  readonly folder: string;
  readonly sizeGiB: number | undefined;
}

function staged({ decision: { fleet, replicas } }: State): ReadonlyMap<string, Staged> {
  const all = holdings(fleet, replicas).flatMap(({ cache, clusters }): [string, Staged][] => {
    if (cache.spec.source === 'ExistingPVC') return [];
    const files = { cache: qualifiedName(cache), folder: folderOf(cache), sizeGiB: cache.spec.sizeGiB };
    return clusters.map(({ metadata: { name } }) => [`${files.cache} ${name}`, { ...files, cluster: name }]);
  });
  return new Map(all);
}
