import { resourceId } from '../api/kinds';
import type { Locate } from '../api/locate';
import { FleetwrightError } from '../errors';
import { sharedStorageClass } from '../render/cache/storage-class';
import type { Holding } from './cache-notes';

/**
 * Refuses a cache that a replica mounts on a cluster that cannot hold it. New replicas are kept off such a cluster;
 * those that are there stay, and their pods would wait for a volume for ever.
 *
 * @throws FleetwrightError with every such cluster
 */
export function refuseUnstageable(held: readonly Holding[], locate: Locate): void {
  const problems = held.flatMap(({ cache, clusters }) =>
    clusters
      .filter((cluster) => cache.spec.source !== 'ExistingPVC' && sharedStorageClass(cluster) === undefined)
      .map((cluster) => ({
        code: 'cache-without-storage',
        where: locate(cluster, ['spec', 'storage']),
        what: `replicas on ${resourceId(cluster)} mount ${resourceId(cache)}, and the cluster declares no shared file system`,
        hint: 'Name its class at spec.storage.sharedFilesystem.storageClassName, or move the replicas away with a taint',
      })),
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
}
