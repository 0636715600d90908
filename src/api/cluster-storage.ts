import { decapitalize } from '../base/text';
import type { CacheNeed } from './cache/delivery';
import { DISK_CLASSES } from './cloud-providers';
import { BUCKET_SOURCES, type BucketSource, type CacheStorage } from './cache/source';
import { hasSharedStorage } from './cluster-labels';
import type { InferenceCluster } from './inference-cluster';
import { kubernetesMinorOf } from './kubernetes-features';

type Source = InferenceCluster['spec']['cluster']['source'];

/** The storage class of disks for single nodes that is made with a cluster on EKS, which has none with gp3. */
export const BLOCK_STORAGE_CLASS = 'fleetwright-block';

/**
 * The storage class of disks by cloud. GKE: the class of SSD persistent disks that every cluster with the driver has
 * (GKE documentation, "Persistent volumes and dynamic provisioning"). AKS: the class of SSD disks that every cluster has
 * (AKS documentation, "Storage options for applications").
 */
const BLOCK_CLASSES: Readonly<Partial<Record<Source, string>>> = {
  GKE: 'premium-rwo',
  EKS: BLOCK_STORAGE_CLASS,
  AKS: 'managed-csi-premium',
};

/** The storage class of disks for single nodes. Undefined if the cluster has none. */
export function blockStorageClassOf({ spec }: InferenceCluster): string | undefined {
  const { source, gke } = spec.cluster;
  const hasDriver = source !== 'GKE' || gke?.addons.persistentDisk !== false;
  return spec.storage.blockDevice?.storageClassName ?? (hasDriver ? BLOCK_CLASSES[source] : undefined);
}

/** Whether a storage class is one that the cloud of a cluster creates in it. */
export function hasDiskClass({ spec }: InferenceCluster, name: string): boolean {
  const { source, gke } = spec.cluster;
  return gke?.addons.persistentDisk !== false && DISK_CLASSES[source]?.includes(name) === true;
}

/**
 * Whether many nodes can read one disk: persistent disks of Google can be attached read-only to many, EBS volumes with
 * a file system to one (EBS user guide, Multi-Attach).
 */
function readsSnapshots(cluster: InferenceCluster): boolean {
  const { source } = cluster.spec.cluster;
  const isShared = cluster.spec.storage.blockDevice?.manyReaders ?? source === 'GKE';
  return isShared && blockStorageClassOf(cluster) !== undefined;
}

/** The buckets that pods can mount by cloud: of its own object storage, with the driver that it offers as an add-on. */
const MOUNTS_BY_CLOUD: Readonly<Partial<Record<Source, BucketSource>>> = { GKE: 'GCS', EKS: 'S3' };

/** Whether pods can mount buckets of a source: the cloud of the cluster has a driver for it, or the cluster declares it. */
function mountsBuckets(source: BucketSource): Offer {
  return ({ spec }) =>
    MOUNTS_BY_CLOUD[spec.cluster.source] === source ||
    spec.storage.objectStorageMount?.sources.includes(source) === true;
}

/** Whether the driver for the buckets of a source is installed with a cluster that Fleetwright creates. */
export function installsBucketDriver({ spec }: InferenceCluster, source: BucketSource): boolean {
  return MOUNTS_BY_CLOUD[spec.cluster.source] === source;
}

/** The CSI driver that mounts the buckets of each source. */
export const BUCKET_DRIVERS: Readonly<Record<BucketSource, string>> = {
  S3: 's3.csi.aws.com',
  GCS: 'gcsfuse.csi.storage.gke.io',
};

/** The sources whose buckets pods on a cluster can mount. */
export function mountableSourcesOf(cluster: InferenceCluster): BucketSource[] {
  return BUCKET_SOURCES.filter((source) => mountsBuckets(source)(cluster));
}

/** The first minor version of Kubernetes 1 that mounts images as volumes by default (KEP-4639, kube_features.go). */
export const IMAGE_VOLUMES_SINCE = 35;

type Offer = (cluster: InferenceCluster) => boolean;

const OFFERS: Readonly<Record<CacheNeed, Offer>> = {
  SharedFilesystem: hasSharedStorage,
  BlockDevice: (cluster) => blockStorageClassOf(cluster) !== undefined,
  BlockSnapshots: readsSnapshots,
  S3Mounts: mountsBuckets('S3'),
  GCSMounts: mountsBuckets('GCS'),
  ImageVolumes: (cluster) => (kubernetesMinorOf(cluster) ?? Infinity) >= IMAGE_VOLUMES_SINCE,
};

/** What a cluster offers to caches. A cluster of unknown version mounts images. */
export function cacheOffersOf(cluster: InferenceCluster): ReadonlySet<CacheNeed> {
  const all = Object.entries(OFFERS) as [CacheNeed, Offer][];
  return new Set(all.filter(([, offers]) => offers(cluster)).map(([need]) => need));
}

/** Whether pods on a cluster can mount what needs this. */
export function offersToCaches(cluster: InferenceCluster, need: CacheNeed | undefined): boolean {
  return need === undefined || OFFERS[need](cluster);
}

/** What a cluster lacks for a cache, and how to cure it, for messages. */
interface Lack {
  /** As in `the cluster declares no shared file system`. */
  readonly what: string;

  /** What the cluster has to declare, as an imperative. */
  readonly cure: string;

  /** The path in the cluster where it is declared. */
  readonly path: readonly string[];
}

export const LACKS: Readonly<Record<CacheNeed, Lack>> = {
  SharedFilesystem: {
    what: 'declares no shared file system',
    cure: 'Set spec.storage.sharedFilesystem.storageClassName',
    path: ['spec', 'storage'],
  },
  BlockDevice: {
    what: 'declares no storage class for disks',
    cure: 'Set spec.storage.blockDevice.storageClassName',
    path: ['spec', 'storage'],
  },
  BlockSnapshots: {
    what: 'declares no disks that several nodes can read',
    cure: "If its disks support that, set spec.storage.blockDevice to their class and 'manyReaders: true'",
    path: ['spec', 'storage'],
  },
  S3Mounts: {
    what: 'declares no driver that mounts S3 buckets',
    cure: "Install s3.csi.aws.com, and set spec.storage.objectStorageMount to 'sources: [S3]'",
    path: ['spec', 'storage'],
  },
  GCSMounts: {
    what: 'declares no driver that mounts Cloud Storage buckets',
    cure: "Install gcsfuse.csi.storage.gke.io, and set spec.storage.objectStorageMount to 'sources: [GCS]'",
    path: ['spec', 'storage'],
  },
  ImageVolumes: {
    what: `has a Kubernetes version before 1.${IMAGE_VOLUMES_SINCE}, which does not mount images by default`,
    cure: `Use Kubernetes 1.${IMAGE_VOLUMES_SINCE} or later`,
    path: ['spec', 'cluster'],
  },
};

/** The fields of a cache that name its storage. */
interface StoredSpec {
  readonly storage: CacheStorage;
  readonly sizeGiB?: number | undefined;
  readonly blockDevice?: unknown;
}

/**
 * How to cure that clusters lack what a cache needs, as an imperative: the cache may use the shared file system that one of
 * them has, or they declare what it asks for.
 */
export function cureLack(need: CacheNeed, cache: StoredSpec, clusters: readonly InferenceCluster[]): string {
  const { cure } = LACKS[need];
  const shared = clusters.find(hasSharedStorage);
  if (cache.storage === 'SharedFilesystem' || !shared) return cure;
  const removed = `'storage: ${cache.storage}'${cache.blockDevice === undefined ? '' : " and 'blockDevice'"}`;
  const added = cache.sizeGiB === undefined ? ", and set 'sizeGiB'" : '';
  return `Remove ${removed} from the cache${added}, because ${shared.metadata.name} has a shared file system. Or ${decapitalize(cure)}`;
}
