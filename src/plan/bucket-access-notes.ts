import { deliveryOf } from '../api/cache/delivery';
import type { ModelCache } from '../api/model-cache';

/** The sources that a Job reads with the cloud identity of its pod, unless they name a Secret. */
const BUCKETS = { S3: 's3', GCS: 'gcs' } as const;

/**
 * Describes who must be allowed to read the bucket of a staged cache, as one sentence. Empty if the cache names an
 * account or a Secret: both are among what must exist.
 */
export function describeBucketAccess({ metadata, spec }: ModelCache): string[] {
  if (deliveryOf(spec) !== 'Staged' || (spec.source !== 'S3' && spec.source !== 'GCS')) return [];
  const block = BUCKETS[spec.source];
  const { uri, secretRef, serviceAccountName } = spec[block] ?? {};
  if (uri === undefined || secretRef || serviceAccountName !== undefined) return [];
  return [
    `The Job reads ${uri} as ServiceAccount default of ${metadata.namespace}: give it a cloud identity that may read the bucket, or set ${block}.serviceAccountName or ${block}.secretRef.`,
  ];
}
