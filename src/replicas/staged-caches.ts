import { createHash } from 'node:crypto';
import { deliveryOf, isCopiedSource } from '../api/cache/delivery';
import { CACHE_SOURCE_BLOCK, type CopiedSource } from '../api/cache/source';
import type { FleetSettings } from '../api/fleet-settings';
import { addRegistry } from '../api/image-names';
import type { ModelCache } from '../api/model-cache';

/** A source of files that are copied to a cluster. */
export type StagedSource = CopiedSource;

/** A cache whose files are copied, and the source that it names. */
export interface StageableCache {
  readonly cache: ModelCache;
  readonly source: StagedSource;
}

/** The cache, if a Job copies its files to a volume of the cluster. */
export function toStageableCache(cache: ModelCache): StageableCache | undefined {
  return deliveryOf(cache.spec) === 'Staged' ? toCopiedCache(cache) : undefined;
}

/** The cache, if each pod that mounts it copies its files to a disk of its own. */
export function toPodStagedCache(cache: ModelCache): StageableCache | undefined {
  return deliveryOf(cache.spec) === 'PodDisk' ? toCopiedCache(cache) : undefined;
}

function toCopiedCache(cache: ModelCache): StageableCache | undefined {
  const { source } = cache.spec;
  return isCopiedSource(source) ? { cache, source } : undefined;
}

/** The Secret and the account that read a source do not change the files. */
const FIELDS_WITHOUT_EFFECT_ON_FILES: ReadonlySet<string> = new Set([
  'authSecret',
  'secretRef',
  'serviceAccountName',
  'storageAccountId',
  'pullPolicy',
  'pullSecretRef',
]);

/**
 * The folder of the volume that holds the files of a cache: a digest, in ten hexadecimal digits, of everything that
 * decides which files they are. Another revision has another folder, so it is staged while replicas still read the
 * last one.
 */
export function cacheFolderOf({ spec }: ModelCache): string {
  const { source, include, exclude, verify } = spec;
  const block = Object.entries(spec[CACHE_SOURCE_BLOCK[source]] ?? {})
    .filter(([field]) => !FIELDS_WITHOUT_EFFECT_ON_FILES.has(field))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = JSON.stringify([source, block, include, exclude, verify?.sha256 ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 10);
}

/**
 * Public images with the tools that stage each source, at a fixed version, so that nothing is installed at
 * run time.
 *
 * - kserve/storage-initializer: Debian with Python and huggingface_hub (python/storage in github.com/kserve/kserve).
 * - rclone/rclone: Alpine with rclone (its Dockerfile in github.com/rclone/rclone).
 * - curlimages/curl: Alpine with curl (github.com/curl/curl-container).
 */
const DEFAULT_IMAGES: Readonly<Record<StagedSource, string>> = {
  HuggingFace: 'kserve/storage-initializer:v0.20.0',
  S3: 'rclone/rclone:1.75.1',
  GCS: 'rclone/rclone:1.75.1',
  AzureBlob: 'rclone/rclone:1.75.1',
  HTTP: 'curlimages/curl:8.16.0',
};

/** The image that stages a source: that of the fleet or the default one, from the registry of the fleet. */
export function cacheImageOf(source: StagedSource, settings: FleetSettings | undefined): string {
  const { cacheImages, imageRegistry } = settings?.spec.defaults ?? {};
  return addRegistry(cacheImages?.[CACHE_SOURCE_BLOCK[source]] ?? DEFAULT_IMAGES[source], imageRegistry);
}
