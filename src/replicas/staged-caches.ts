import { createHash } from 'node:crypto';
import { CACHE_SOURCE_BLOCK } from '../api/cache/source';
import type { FleetSettings } from '../api/fleet-settings';
import { addRegistry } from '../api/image-registry';
import type { ModelCache } from '../api/model-cache';

/** Where files come from that are copied to a cluster. */
export type StagedSource = Exclude<ModelCache['spec']['source'], 'ExistingPVC'>;

/** A cache whose files are copied to clusters, and the source that it names. */
export interface StageableCache {
  readonly cache: ModelCache;
  readonly source: StagedSource;
}

/** The cache, if its files are copied. Those of an existing claim are there already. */
export function toStageableCache(cache: ModelCache): StageableCache | undefined {
  const { source } = cache.spec;
  return source === 'ExistingPVC' ? undefined : { cache, source };
}

/** Where a Secret is and which account reads does not change what is read. */
const FIELDS_WITHOUT_EFFECT_ON_FILES: ReadonlySet<string> = new Set([
  'authSecret',
  'secretRef',
  'serviceAccountName',
]);

/**
 * The folder of the volume that holds the files of a cache: ten hexadecimal digits over all that decides which
 * files they are. Another revision is another folder, so it is staged while replicas still read the last one.
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
 * Public images that hold what stages each source, at a version, so that nothing is installed at run time.
 *
 * - kserve/storage-initializer: Debian with Python and huggingface_hub (python/storage in github.com/kserve/kserve).
 * - rclone/rclone: Alpine with rclone (its Dockerfile in github.com/rclone/rclone).
 * - curlimages/curl: Alpine with curl (github.com/curl/curl-container).
 */
const DEFAULT_IMAGES: Readonly<Record<StagedSource, string>> = {
  HuggingFace: 'kserve/storage-initializer:v0.20.0',
  S3: 'rclone/rclone:1.75.1',
  GCS: 'rclone/rclone:1.75.1',
  HTTP: 'curlimages/curl:8.16.0',
};

/** The field of `Fleet.spec.defaults.cacheImages` for each source. */
const SETTINGS_FIELD = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  HTTP: 'http',
} as const satisfies Record<StagedSource, string>;

/** The image that stages a source: the fleet's, or ours, from the fleet's registry. */
export function cacheImageOf(source: StagedSource, settings: FleetSettings | undefined): string {
  const { cacheImages, imageRegistry } = settings?.spec.defaults ?? {};
  return addRegistry(cacheImages?.[SETTINGS_FIELD[source]] ?? DEFAULT_IMAGES[source], imageRegistry);
}
