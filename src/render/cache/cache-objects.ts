import { bucketSourceOf, type CacheDelivery, deliveryOf } from '../../api/cache/delivery';
import { splitBucketAddress } from '../../api/cache/source';
import { BUCKET_DRIVERS } from '../../api/cluster-storage';
import type { ModelCache } from '../../api/model-cache';
import { SYNC_WAVE } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { bucketVolumeNameOf, diskOf, inlineConfigMapNameOf, snapshotClaimNameOf } from '../../replicas/cache-volumes';
import { toStageableCache } from '../../replicas/staged-caches';
import type { ClusterContext } from '../routing/routing-object';
import { renderCacheMetadata } from './cache-metadata';
import { renderStagedCache } from './staged-cache';

type RenderObjects = (cache: ModelCache, context: ClusterContext) => Manifest[];

const OBJECTS: Readonly<Record<CacheDelivery, RenderObjects>> = {
  Staged: (cache, context) => {
    const staged = toStageableCache(cache);
    return staged ? renderStagedCache(staged, context) : [];
  },
  // Each pod makes its disk.
  PodDisk: () => [],
  Snapshot: (cache, context) => [renderSnapshotClaim(cache, context)],
  Claim: () => [],
  Bucket: (cache, context) => (bucketSourceOf(cache.spec) === 'S3' ? renderBucketVolume(cache, context) : []),
  Image: () => [],
  ConfigMap: () => [],
  Inline: (cache, context) => [renderConfigMap(cache, context)],
};

/** Renders the objects of a cache on a cluster. Caches that pods mount where they are have none. */
export function renderCacheObjects(cache: ModelCache, context: ClusterContext): Manifest[] {
  return OBJECTS[deliveryOf(cache.spec)](cache, context);
}

/**
 * A claim that is bound with its first pod has to be in the wave of the first workloads: Argo CD would wait for it in an
 * earlier one.
 */
const WAVE_OF_FIRST_PODS = { [SYNC_WAVE]: '1' } as const;

function renderSnapshotClaim(cache: ModelCache, context: ClusterContext): Manifest {
  const name = cache.spec.blockDevice?.snapshot?.name ?? '';
  const metadata = renderCacheMetadata(cache, context, snapshotClaimNameOf(cache, context.cluster));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, annotations: WAVE_OF_FIRST_PODS },
    spec: {
      accessModes: ['ReadOnlyMany'],
      ...diskOf(cache, context.cluster),
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name },
    },
  };
}

/** A size that Kubernetes requires. Buckets have none. */
const BUCKET_SIZE = '1Ti';

/**
 * Renders the volume of a bucket of S3, and its claim: Mountpoint has no other volumes. Nothing is deleted with them
 * (docs/STATIC_PROVISIONING.md in github.com/awslabs/mountpoint-s3-csi-driver).
 */
function renderBucketVolume(cache: ModelCache, context: ClusterContext): Manifest[] {
  const ofClaim = renderCacheMetadata(cache, context, bucketVolumeNameOf(cache));
  const { namespace = 'default', ...metadata } = ofClaim;
  const { name } = metadata;
  const { bucket } = splitBucketAddress(cache.spec.s3?.uri ?? '');
  const size = { storage: BUCKET_SIZE };
  const common = { accessModes: ['ReadOnlyMany'], storageClassName: '' };
  const csi = { driver: BUCKET_DRIVERS.S3, volumeHandle: name, volumeAttributes: { bucketName: bucket } };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata,
      spec: {
        ...common,
        capacity: size,
        persistentVolumeReclaimPolicy: 'Retain',
        // No other claim can take the volume.
        claimRef: { namespace, name },
        mountOptions: mountOptionsOf(cache),
        csi,
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: ofClaim,
      spec: { ...common, volumeName: name, resources: { requests: size } },
    },
  ];
}

/** Options of Mountpoint. Engines of any user read the files. */
function mountOptionsOf({ spec: { s3 } }: ModelCache): string[] {
  const { folder } = splitBucketAddress(s3?.uri ?? '');
  return [
    'read-only',
    'allow-other',
    ...(folder === '' ? [] : [`prefix ${folder}/`]),
    ...(s3?.region === undefined ? [] : [`region ${s3.region}`]),
    ...(s3?.endpoint === undefined ? [] : [`endpoint-url ${s3.endpoint}`, 'force-path-style']),
  ];
}

function renderConfigMap(cache: ModelCache, context: ClusterContext): Manifest {
  const files: JsonObject = { ...cache.spec.inline?.files };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: renderCacheMetadata(cache, context, inlineConfigMapNameOf(cache)),
    // The name includes a digest of the files, so that pods see other files only with a rollout.
    immutable: true,
    data: files,
  };
}
