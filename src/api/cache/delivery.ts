import {
  BUCKET_SOURCES,
  type BucketSource,
  type CacheSource,
  type CacheStorage,
  COPIED_SOURCES,
  type CopiedSource,
} from './source';

/**
 * How the files of a cache reach the pods that mount it.
 *
 * - `Staged`: a Job copies them to a volume that all nodes of a cluster mount.
 * - `PodDisk`: an init container of each pod copies them to a disk of the pod.
 * - `Snapshot`: a volume made of a snapshot, which many nodes mount read-only.
 * - `Claim`: a claim that exists.
 * - `Bucket`: a CSI driver mounts the bucket.
 * - `Image`: the container runtime mounts an image.
 * - `ConfigMap`: a ConfigMap that exists. `Inline`: a ConfigMap that is rendered.
 */
export type CacheDelivery = 'Staged' | 'PodDisk' | 'Snapshot' | 'Claim' | 'Bucket' | 'Image' | 'ConfigMap' | 'Inline';

/** The fields of a cache that decide how its files reach pods. */
export interface DeliveredSpec {
  readonly source: CacheSource;
  readonly storage: CacheStorage;
  readonly blockDevice?: { readonly snapshot?: unknown } | undefined;
}

const DELIVERY_BY_SOURCE: Readonly<Record<Exclude<CacheSource, CopiedSource>, CacheDelivery>> = {
  ExistingPVC: 'Claim',
  OCI: 'Image',
  ConfigMap: 'ConfigMap',
  Inline: 'Inline',
};

const DELIVERY_BY_STORAGE: Readonly<Record<CacheStorage, (spec: Pick<DeliveredSpec, 'blockDevice'>) => CacheDelivery>> =
  {
    SharedFilesystem: () => 'Staged',
    BlockDevice: ({ blockDevice }) => (blockDevice?.snapshot === undefined ? 'PodDisk' : 'Snapshot'),
    ObjectStorageMount: () => 'Bucket',
  };

/** How the files of a cache reach pods: by its source and, for sources that can be copied, by its storage. */
export function deliveryOf(spec: DeliveredSpec): CacheDelivery {
  const { source } = spec;
  return isCopiedSource(source) ? DELIVERY_BY_STORAGE[spec.storage](spec) : DELIVERY_BY_SOURCE[source];
}

export function isCopiedSource(source: CacheSource): source is CopiedSource {
  return COPIED_SOURCES.some((one) => one === source);
}

/** The source of the bucket that pods mount, or nothing for a cache of another delivery. */
export function bucketSourceOf(spec: DeliveredSpec): BucketSource | undefined {
  return deliveryOf(spec) === 'Bucket' ? BUCKET_SOURCES.find((one) => one === spec.source) : undefined;
}

/** What a cluster must offer for the pods on it to mount a cache. */
export type CacheNeed =
  | 'SharedFilesystem'
  | 'BlockDevice'
  | 'BlockSnapshots'
  | 'S3Mounts'
  | 'GCSMounts'
  | 'ImageVolumes';

const NEED_BY_BUCKET: Readonly<Record<BucketSource, CacheNeed>> = { S3: 'S3Mounts', GCS: 'GCSMounts' };

const NEED_BY_DELIVERY: Readonly<Record<CacheDelivery, CacheNeed | undefined>> = {
  Staged: 'SharedFilesystem',
  PodDisk: 'BlockDevice',
  Snapshot: 'BlockSnapshots',
  Claim: undefined,
  Bucket: undefined,
  Image: 'ImageVolumes',
  ConfigMap: undefined,
  Inline: undefined,
};

/** What a cluster must offer for a cache. Nothing if every cluster can mount it. */
export function cacheNeedOf(spec: DeliveredSpec): CacheNeed | undefined {
  const bucket = bucketSourceOf(spec);
  return bucket === undefined ? NEED_BY_DELIVERY[deliveryOf(spec)] : NEED_BY_BUCKET[bucket];
}
