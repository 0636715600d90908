import { bucketSourceOf, type CacheDelivery, deliveryOf } from '../api/cache/delivery';
import { type BucketSource, splitBucketAddress } from '../api/cache/source';
import { BUCKET_DRIVERS, blockStorageClassOf } from '../api/cluster-storage';
import type { FleetSettings } from '../api/fleet-settings';
import { addRegistry } from '../api/image-names';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import { sharedStorageClassOf } from '../fleet/hardware/shared-storage';
import type { JsonObject } from '../manifest/kubernetes/manifest';
import { cacheClaimNameOf, cacheVolumeNameOf } from '../manifest/kubernetes/object-names';
import { formatResourceAmount } from '../scheduler/compile/resource-requests';
import { identityLabelsOf } from './azure-blob';
import { cacheEgressOf } from './cache-egress';
import { cacheFolderOf, cacheImageOf, type StageableCache, toPodStagedCache, toStageableCache } from './staged-caches';

/** The volume of a cache in a pod, and what the pod needs to mount it. */
export interface CacheVolume {
  /** The claim that is mounted. Absent for volumes that are no claim. */
  readonly claimName?: string;

  /** The source of the volume in the pod: `{ persistentVolumeClaim: { claimName: ... } }`. */
  readonly volumeSource: JsonObject;

  /** The folder of the volume that engines mount. Absent: all of it. */
  readonly folder?: string;

  /** Set if engines cannot write to it. */
  readonly readOnly?: true;

  /** Set if the claim or the ConfigMap is rendered with the cache. */
  readonly rendered?: true;

  /** The image that stages the files. Absent if they are not staged. */
  readonly stagedBy?: string;

  /** Set if each pod stages the files on a disk of its own. */
  readonly stagedInPod?: StageableCache;

  /** The Secret with which the pod pulls the image of the volume. */
  readonly pullSecret?: string;

  /** The rules that the NetworkPolicy of the pod needs if the user restricts egress. */
  readonly egress?: readonly JsonObject[];

  /** Labels of the pod with which the container that stages the files gets its identity. */
  readonly podLabels?: Readonly<Record<string, string>>;

  /** Annotations of the pod that the driver of the volume requires. */
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

/** The cluster on which a cache is mounted, and the settings of the fleet. */
export interface MountContext {
  readonly cluster: InferenceCluster;
  readonly settings?: FleetSettings | undefined;
}

type DescribeVolume = (cache: ModelCache, context: MountContext) => CacheVolume;

const VOLUMES: Readonly<Record<CacheDelivery, DescribeVolume>> = {
  Staged: (cache, { cluster, settings }) => {
    const { source } = toStageableCache(cache) ?? deliveryError(cache);
    const stagedBy = cacheImageOf(source, settings);
    const claimName = cacheClaimNameOf(cache.metadata, sharedStorageClassOf(cluster));
    return { ...ofClaim(claimName), folder: cacheFolderOf(cache), rendered: true, stagedBy };
  },
  PodDisk: (cache, { cluster, settings }) => {
    const stagedInPod = toPodStagedCache(cache) ?? deliveryError(cache);
    const spec = { accessModes: ['ReadWriteOnce'], ...diskOf(cache, cluster) };
    const podLabels = identityLabelsOf(cache.spec);
    return {
      volumeSource: { ephemeral: { volumeClaimTemplate: { spec } } },
      folder: cacheFolderOf(cache),
      stagedBy: cacheImageOf(stagedInPod.source, settings),
      stagedInPod,
      ...(Object.keys(podLabels).length > 0 && { podLabels }),
    };
  },
  Snapshot: (cache, { cluster }) => {
    const path = cache.spec.blockDevice?.snapshot?.path;
    const claimName = snapshotClaimNameOf(cache, cluster);
    return { ...ofClaim(claimName, true), ...(path !== undefined && { folder: path }), rendered: true };
  },
  Claim: ({ spec }) => {
    const { claimName = '', path } = spec.existingPVC ?? {};
    return { ...ofClaim(claimName), ...(path !== undefined && { folder: path }) };
  },
  Bucket: (cache, context) => BUCKET_VOLUMES[bucketSourceOf(cache.spec) ?? deliveryError(cache)](cache, context),
  Image: ({ spec: { oci } }, { settings }) => {
    const { image = '', path, pullPolicy, pullSecretRef } = oci ?? {};
    const reference = addRegistry(image, settings?.spec.defaults.imageRegistry);
    return {
      volumeSource: { image: { reference, ...(pullPolicy && { pullPolicy }) } },
      ...(path !== undefined && { folder: path }),
      readOnly: true,
      ...(pullSecretRef && { pullSecret: pullSecretRef.name }),
    };
  },
  ConfigMap: ({ spec: { configMap } }) => {
    const { name = '', items = [] } = configMap ?? {};
    return { volumeSource: { configMap: { name, ...(items.length > 0 && { items }) } }, readOnly: true };
  },
  Inline: (cache) => {
    return { volumeSource: { configMap: { name: inlineConfigMapNameOf(cache) } }, readOnly: true, rendered: true };
  },
};

const BUCKET_VOLUMES: Readonly<Record<BucketSource, DescribeVolume>> = {
  // Mountpoint mounts claims only, of volumes that name the bucket.
  S3: (cache) => ({ ...ofClaim(bucketVolumeNameOf(cache), true), rendered: true }),
  GCS: ({ spec: { gcs } }) => {
    const { bucket, folder } = splitBucketAddress(gcs?.uri ?? '');
    const mountOptions = ['implicit-dirs', ...(folder === '' ? [] : [`only-dir=${folder}`])].join(',');
    return {
      volumeSource: {
        csi: { driver: BUCKET_DRIVERS.GCS, readOnly: true, volumeAttributes: { bucketName: bucket, mountOptions } },
      },
      readOnly: true,
      podAnnotations: { 'gke-gcsfuse/volumes': 'true' },
    };
  },
};

/** The volume of a cache in the pods on a cluster. */
export function describeCacheVolume(cache: ModelCache, context: MountContext): CacheVolume {
  const egress = cacheEgressOf(cache);
  return { ...VOLUMES[deliveryOf(cache.spec)](cache, context), ...(egress.length > 0 && { egress }) };
}

/** The name of the PersistentVolume and the claim of a bucket of S3. */
export function bucketVolumeNameOf({ metadata, spec }: ModelCache): string {
  const { uri = '', region, endpoint } = spec.s3 ?? {};
  return cacheVolumeNameOf(metadata, JSON.stringify([uri, region ?? '', endpoint ?? '']));
}

/** The name of the claim that is made of a snapshot. */
export function snapshotClaimNameOf(cache: ModelCache, cluster: InferenceCluster): string {
  return cacheVolumeNameOf(
    cache.metadata,
    JSON.stringify([cache.spec.blockDevice?.snapshot?.name, diskOf(cache, cluster)]),
  );
}

/** The name of the ConfigMap with the files of a cache with source Inline. */
export function inlineConfigMapNameOf({ metadata, spec }: ModelCache): string {
  const files = Object.entries(spec.inline?.files ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return cacheVolumeNameOf(metadata, JSON.stringify(files));
}

/** The storage class and the size of a disk with the files of a cache. */
export function diskOf({ spec }: ModelCache, cluster: InferenceCluster): JsonObject {
  const storageClassName = blockStorageClassOf(cluster);
  const storage = formatResourceAmount('memory', (spec.sizeGiB ?? 0) * 2 ** 30);
  return { ...(storageClassName !== undefined && { storageClassName }), resources: { requests: { storage } } };
}

function ofClaim(claimName: string, readOnly = false): CacheVolume {
  return {
    claimName,
    volumeSource: { persistentVolumeClaim: { claimName, ...(readOnly && { readOnly }) } },
    ...(readOnly && { readOnly }),
  };
}

function deliveryError({ metadata, spec }: ModelCache): never {
  throw new Error(`bug: the cache '${metadata.name}' with source ${spec.source} is not delivered as computed`);
}
