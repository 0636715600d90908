import { withRegistry } from '../../api/image';
import type { StagedSource } from './staged';
import type { FleetSettings } from '../../api/fleet';

/**
 * Public images that hold what stages each source, at a version, so that nothing is installed at run time.
 *
 * - kserve/storage-initializer: Debian with Python and huggingface_hub (python/storage in github.com/kserve/kserve).
 * - rclone/rclone: Alpine with rclone (its Dockerfile in github.com/rclone/rclone).
 * - curlimages/curl: Alpine with curl (github.com/curl/curl-container).
 */
const HOUSE_IMAGES: Readonly<Record<StagedSource, string>> = {
  HuggingFace: 'kserve/storage-initializer:v0.20.0',
  S3: 'rclone/rclone:1.75.1',
  GCS: 'rclone/rclone:1.75.1',
  HTTP: 'curlimages/curl:8.16.0',
};

/** The field of `Fleet.spec.defaults.cacheImages` for each source. */
const FIELD = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  HTTP: 'http',
} as const satisfies Record<StagedSource, string>;

/** The image that stages a source: the fleet's, or ours, from the fleet's registry. */
export function cacheImage(source: StagedSource, settings: FleetSettings | undefined): string {
  const { cacheImages, imageRegistry } = settings?.spec.defaults ?? {};
  return withRegistry(cacheImages?.[FIELD[source]] ?? HOUSE_IMAGES[source], imageRegistry);
}
