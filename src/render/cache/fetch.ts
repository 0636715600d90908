import { fileNameOf } from '../../api/cache/file-name';
import { HUB_ENDPOINT } from '../../api/air-gapped';
import type { Mirror } from '../../api/mirror';
import type { ModelCache } from '../../api/model-cache';
import type { JsonObject } from '../manifest';
import { HTTP, HUGGING_FACE } from './scripts';
import type { StagedCache, StagedSource } from './staged';

/** The program that fetches the files of a cache into its working directory. */
export interface Fetch {
  /** The program and its arguments, as Kubernetes reads them. */
  readonly args: readonly string[];
  readonly env: readonly JsonObject[];

  /** The account that reads, where it is not the namespace's own. */
  readonly serviceAccountName?: string;
}

type Spec = ModelCache['spec'];

/** How each source is fetched. */
const FETCHES: Readonly<Record<StagedSource, (spec: Spec, mirror: Mirror) => Fetch>> = {
  HuggingFace: ({ huggingFace: { repo = '', revision, authSecret } = {}, include, exclude }, mirror) => ({
    args: ['python3', '-c', HUGGING_FACE],
    env: [
      ...variable('REPO', repo),
      ...variable('REVISION', revision),
      ...variable('INCLUDE', JSON.stringify(include)),
      ...variable('EXCLUDE', JSON.stringify(exclude)),
      ...secret('HF_TOKEN', authSecret),
      ...variable(HUB_ENDPOINT, mirror.huggingFace),
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
    args: ['sh', '-c', HTTP],
    env: [
      ...variable('URL', url),
      ...variable('FILE', fileName ?? fileNameOf(url)),
      ...variable('SHA256', verify?.sha256),
      ...secret('AUTHORIZATION', secretRef),
    ],
  }),
};

/** How the files of a cache are fetched on a cluster that may have a mirror of where they are. */
export function fetchOf({ cache, source }: StagedCache, mirror: Mirror): Fetch {
  return FETCHES[source](cache.spec, mirror);
}

/**
 * A copy that compares checksums where the store has them, and skips what is there. No file of settings: all of
 * them are in the environment.
 */
function rclone(remote: string, include: readonly string[], exclude: readonly string[]): string[] {
  const filters = [
    ...exclude.map((pattern) => `- ${anchored(pattern)}`),
    ...include.map((pattern) => `+ ${anchored(pattern)}`),
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
    ...filters.map((filter) => literal(`--filter=${filter}`)),
    literal(remote),
    '.',
  ];
}

/** A pattern over whole paths, in which `*` stands for slashes too, as rclone writes it. */
function anchored(pattern: string): string {
  return `/${pattern.replaceAll(/[{}]/g, '\\$&').replaceAll(/\*+/g, '**')}`;
}

function variable(name: string, value: string | undefined): JsonObject[] {
  return value === undefined ? [] : [{ name, value: literal(value) }];
}

function secret(
  name: string,
  ref: { readonly name: string; readonly key: string } | undefined,
): JsonObject[] {
  return ref ? [{ name, valueFrom: { secretKeyRef: { name: ref.name, key: ref.key } } }] : [];
}

/** A text that Kubernetes hands on as it is: it reads `$(NAME)` as a variable, and `$$` as `$`. */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$');
}
