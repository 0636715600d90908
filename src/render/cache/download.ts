import { fileNameOf } from '../../api/cache/source';
import { HUGGING_FACE_ENDPOINT } from '../../api/image-registry';
import type { Mirror } from '../../api/mirror';
import type { ModelCache } from '../../api/model-cache';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { StageableCache, StagedSource } from '../../replicas/staged-caches';
import { HTTP_SCRIPT, HUGGING_FACE_SCRIPT } from './staging-scripts';

/** The program that fetches the files of a cache into its working directory. */
export interface Download {
  /** The program and its arguments, as Kubernetes reads them. */
  readonly args: readonly string[];
  readonly env: readonly JsonObject[];

  /** The account that reads, where it is not the namespace's own. */
  readonly serviceAccountName?: string;
}

type Spec = ModelCache['spec'];

/** How each source is fetched. */
const DOWNLOADS: Readonly<Record<StagedSource, (spec: Spec, mirror: Mirror) => Download>> = {
  HuggingFace: ({ huggingFace: { repo = '', revision, authSecret } = {}, include, exclude }, mirror) => ({
    args: ['python3', '-c', HUGGING_FACE_SCRIPT],
    env: [
      ...variable('REPO', repo),
      ...variable('REVISION', revision),
      ...variable('INCLUDE', JSON.stringify(include)),
      ...variable('EXCLUDE', JSON.stringify(exclude)),
      ...secret('HF_TOKEN', authSecret),
      ...variable(HUGGING_FACE_ENDPOINT, mirror.huggingFace),
      ...variable('HF_HOME', '/tmp/huggingface'),
      ...variable('HF_HUB_DISABLE_PROGRESS_BARS', '1'),
      ...variable('HF_HUB_DISABLE_TELEMETRY', '1'),
    ],
  }),
  S3: ({ s3: { uri = '', region, endpoint, secretRef, serviceAccountName } = {}, include, exclude }) => ({
    args: rclone(`:s3:${uri.replace('s3://', '')}`, include, exclude),
    env: [
      ...variable('RCLONE_S3_PROVIDER', endpoint === undefined ? 'AWS' : 'Other'),
      ...variable('RCLONE_S3_ENV_AUTH', 'true'),
      ...variable('RCLONE_S3_REGION', region),
      ...variable('RCLONE_S3_ENDPOINT', endpoint),
      ...secret('AWS_ACCESS_KEY_ID', secretRef && { ...secretRef, key: 'access_key' }),
      ...secret('AWS_SECRET_ACCESS_KEY', secretRef && { ...secretRef, key: 'secret_key' }),
    ],
    ...(serviceAccountName !== undefined && { serviceAccountName }),
  }),
  GCS: ({ gcs: { uri = '', secretRef, serviceAccountName } = {}, include, exclude }) => ({
    args: rclone(`:gcs:${uri.replace('gs://', '')}`, include, exclude),
    env: [
      ...variable('RCLONE_GCS_ENV_AUTH', secretRef ? undefined : 'true'),
      ...secret('RCLONE_GCS_SERVICE_ACCOUNT_CREDENTIALS', secretRef),
    ],
    ...(serviceAccountName !== undefined && { serviceAccountName }),
  }),
  HTTP: ({ http: { url = '', fileName, secretRef } = {}, verify }) => ({
    args: ['sh', '-c', HTTP_SCRIPT],
    env: [
      ...variable('URL', url),
      ...variable('FILE', fileName ?? fileNameOf(url)),
      ...variable('SHA256', verify?.sha256),
      ...secret('AUTHORIZATION', secretRef),
    ],
  }),
};

/** How the files of a cache are fetched on a cluster that may have a mirror of where they are. */
export function downloadOf({ cache, source }: StageableCache, mirror: Mirror): Download {
  return DOWNLOADS[source](cache.spec, mirror);
}

/**
 * A copy that compares checksums where the store has them, and skips what is there. No file of settings: all of
 * them are in the environment.
 */
function rclone(remote: string, include: readonly string[], exclude: readonly string[]): string[] {
  const filters = [
    ...exclude.map((pattern) => `- ${toRclonePattern(pattern)}`),
    ...include.map((pattern) => `+ ${toRclonePattern(pattern)}`),
    ...(include.length > 0 ? ['- **'] : []),
  ];
  return [
    'rclone',
    'copy',
    '--config=/dev/null',
    '--inplace',
    '--transfers=8',
    '--stats=1m',
    '--stats-one-line',
    '--verbose',
    ...filters.map((filter) => escapeVariables(`--filter=${filter}`)),
    escapeVariables(remote),
    '.',
  ];
}

/** A pattern over whole paths, in which `*` stands for slashes too, as rclone writes it. */
function toRclonePattern(pattern: string): string {
  return `/${pattern.replaceAll(/[{}]/g, '\\$&').replaceAll(/\*+/g, '**')}`;
}

function variable(name: string, value: string | undefined): JsonObject[] {
  return value === undefined ? [] : [{ name, value: escapeVariables(value) }];
}

function secret(
  name: string,
  ref: { readonly name: string; readonly key: string } | undefined,
): JsonObject[] {
  return ref ? [{ name, valueFrom: { secretKeyRef: { name: ref.name, key: ref.key } } }] : [];
}

/** A text that Kubernetes hands on as it is: it reads `$(NAME)` as a variable, and `$$` as `$`. */
function escapeVariables(text: string): string {
  return text.replaceAll('$', '$$$$');
}
