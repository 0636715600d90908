import { createHash } from 'node:crypto';
import { SOURCE_BLOCK } from '../../api/cache/source';
import type { ModelCache } from '../../api/model-cache';

/** Where files come from that are copied to a cluster. */
export type StagedSource = Exclude<ModelCache['spec']['source'], 'ExistingPVC'>;

/** A cache whose files are copied to clusters, and the source that it names. */
export interface StagedCache {
  readonly cache: ModelCache;
  readonly source: StagedSource;
}

/** The cache, if its files are copied. Those of an existing claim are there already. */
export function stagedCache(cache: ModelCache): StagedCache | undefined {
  const { source } = cache.spec;
  return source === 'ExistingPVC' ? undefined : { cache, source };
}

/** Where a Secret is and which account reads does not change what is read. */
const NOT_OF_THE_FILES: ReadonlySet<string> = new Set(['authSecret', 'secretRef', 'serviceAccountName']);

/**
 * The folder of the volume that holds the files of a cache: ten hexadecimal digits over all that decides which
 * files they are. Another revision is another folder, so it is staged while replicas still read the last one.
 */
export function folderOf({ spec }: ModelCache): string {
  const { source, include, exclude, verify } = spec;
  const block = Object.entries(spec[SOURCE_BLOCK[source]] ?? {})
    .filter(([field]) => !NOT_OF_THE_FILES.has(field))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = JSON.stringify([source, block, include, exclude, verify?.sha256 ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 10);
}
