import { bucketSourceOf, cacheNeedOf, type CacheNeed } from '../api/cache/delivery';
import { type BucketSource, splitBucketAddress } from '../api/cache/source';
import { clusterLabelsOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { findUnmetRequirement } from '../api/label-matching';
import type { ModelCache } from '../api/model-cache';
import { sortUnique } from '../base/order';
import type { Fleet } from '../fleet/fleet';

/** The part of a fleet that decides which drivers a cluster needs for caches. Default: no caches. */
export type CachingFleet = Partial<Pick<Fleet, 'caches'>>;

/** Whether a cache that needs this may be on a cluster. Placements do not matter, so a change of the lock does not. */
export function mayHoldCaches(cluster: InferenceCluster, fleet: CachingFleet, need: CacheNeed): boolean {
  return listPossibleCaches(cluster, fleet).some(({ spec }) => cacheNeedOf(spec) === need);
}

/** The folders of buckets that pods on a cluster may mount, sorted: `models/qwen3`. */
export function listMountedBuckets(cluster: InferenceCluster, fleet: CachingFleet, source: BucketSource): string[] {
  const buckets = listPossibleCaches(cluster, fleet).flatMap(({ spec }) => {
    if (bucketSourceOf(spec) !== source) return [];
    const { bucket, folder } = splitBucketAddress((source === 'S3' ? spec.s3 : spec.gcs)?.uri ?? '');
    return [folder === '' ? bucket : `${bucket}/${folder}`];
  });
  return sortUnique(buckets);
}

/** The caches that may be on a cluster, by their selectors. */
export function listPossibleCaches(cluster: InferenceCluster, { caches = [] }: CachingFleet): ModelCache[] {
  const labels = clusterLabelsOf(cluster);
  return caches.filter(({ spec }) => findUnmetRequirement(spec.clusterSelector, labels) === undefined);
}
