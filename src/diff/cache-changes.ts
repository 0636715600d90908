import { qualifiedName } from '../api/resource';
import { compareText } from '../order';
import { holdings } from '../plan/cache-notes';
import { folderOf } from '../render/cache/staged';
import type { State } from './state';

/** What happens to the files of a cache on one cluster. */
export interface CacheChange {
  /** `namespace/name`. */
  readonly cache: string;
  readonly cluster: string;

  /** `restage`: other files are staged beside those that are there. */
  readonly action: 'stage' | 'restage' | 'drop';

  /** What is copied. Absent where nothing is, or nobody says how much. */
  readonly sizeGiB?: number;
}

/** What is staged, staged again, and not needed any more, by cache and cluster. */
export function cacheChanges(before: State, after: State): CacheChange[] {
  const [was, is] = [staged(before), staged(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return keys.flatMap((key): CacheChange[] => {
    const [old, now] = [was.get(key), is.get(key)];
    if (!now) return old ? [{ cache: old.cache, cluster: old.cluster, action: 'drop' }] : [];
    if (old?.folder === now.folder) return [];
    const { cache, cluster, sizeGiB } = now;
    return [{ cache, cluster, action: old ? 'restage' : 'stage', ...(sizeGiB !== undefined && { sizeGiB }) }];
  });
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
