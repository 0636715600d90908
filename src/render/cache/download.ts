import { fileNameOf, splitBlobAddress } from '../../api/cache/source';
import { HUGGING_FACE_ENDPOINT } from '../../api/image-names';
import type { Mirror } from '../../api/mirror';
import type { ModelCache } from '../../api/model-cache';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { blobAccountOf } from '../../replicas/azure-blob';
import type { StageableCache, StagedSource } from '../../replicas/staged-caches';
import { HTTP_SCRIPT, HUGGING_FACE_SCRIPT } from './staging-scripts';

interface Download {
  readonly args: readonly string[];
  readonly env: readonly JsonObject[];

  /** The service account that reads the source. Absent: the default account of the namespace. */
  readonly serviceAccountName?: string;
}

type Spec = ModelCache['spec'];

type DescribeDownload = (spec: Spec, mirror: Mirror, account?: string) => Download;

const DOWNLOADS: Readonly<Record<StagedSource, DescribeDownload>> = {
  HuggingFace: ({ huggingFace: { repo = '', revision, authSecret } = {}, include, exclude }, mirror) => ({
    args: ['python3', '-c', HUGGING_FACE_SCRIPT],
    env: [
      ...variableOf('REPO', repo),
      ...variableOf('REVISION', revision),
      ...variableOf('INCLUDE', JSON.stringify(include)),
      ...variableOf('EXCLUDE', JSON.stringify(exclude)),
      ...secretOf('HF_TOKEN', authSecret),
      ...variableOf(HUGGING_FACE_ENDPOINT, mirror.huggingFace),
      ...variableOf('HF_HOME', '/tmp/huggingface'),
      ...variableOf('HF_HUB_DISABLE_PROGRESS_BARS', '1'),
      ...variableOf('HF_HUB_DISABLE_TELEMETRY', '1'),
    ],
  }),
  S3: ({ s3: { uri = '', region, endpoint, secretRef, serviceAccountName } = {}, include, exclude }) => ({
    args: rcloneArgsOf(`:s3:${uri.replace('s3://', '')}`, include, exclude),
    env: [
      ...variableOf('RCLONE_S3_PROVIDER', endpoint === undefined ? 'AWS' : 'Other'),
      ...variableOf('RCLONE_S3_ENV_AUTH', 'true'),
      ...variableOf('RCLONE_S3_REGION', region),
      ...variableOf('RCLONE_S3_ENDPOINT', endpoint),
      ...secretOf('AWS_ACCESS_KEY_ID', secretRef && { ...secretRef, key: 'access_key' }),
      ...secretOf('AWS_SECRET_ACCESS_KEY', secretRef && { ...secretRef, key: 'secret_key' }),
    ],
    ...(serviceAccountName !== undefined && { serviceAccountName }),
  }),
  GCS: ({ gcs: { uri = '', secretRef, serviceAccountName } = {}, include, exclude }) => ({
    args: rcloneArgsOf(`:gcs:${uri.replace('gs://', '')}`, include, exclude),
    env: [
      ...variableOf('RCLONE_GCS_ENV_AUTH', secretRef ? undefined : 'true'),
      ...secretOf('RCLONE_GCS_SERVICE_ACCOUNT_CREDENTIALS', secretRef),
    ],
    ...(serviceAccountName !== undefined && { serviceAccountName }),
  }),
  AzureBlob: ({ azureBlob: { uri = '', secretRef } = {}, include, exclude }, _, account) => ({
    args: rcloneArgsOf(`:azureblob:${remotePathOf(uri)}`, include, exclude),
    env: [
      ...variableOf('RCLONE_AZUREBLOB_ACCOUNT', splitBlobAddress(uri).account),
      ...variableOf('RCLONE_AZUREBLOB_ENV_AUTH', secretRef ? undefined : 'true'),
      ...secretOf('RCLONE_AZUREBLOB_KEY', secretRef),
    ],
    ...(account !== undefined && { serviceAccountName: account }),
  }),
  HTTP: ({ http: { url = '', fileName, secretRef } = {}, verify }) => ({
    args: ['sh', '-c', HTTP_SCRIPT],
    env: [
      ...variableOf('URL', url),
      ...variableOf('FILE', fileName ?? fileNameOf(url)),
      ...variableOf('SHA256', verify?.sha256),
      ...secretOf('AUTHORIZATION', secretRef),
    ],
  }),
};

export function downloadOf({ cache, source }: StageableCache, mirror: Mirror): Download {
  return DOWNLOADS[source](cache.spec, mirror, blobAccountOf(cache));
}

function remotePathOf(uri: string): string {
  const { container, folder } = splitBlobAddress(uri);
  return folder === '' ? container : `${container}/${folder}`;
}

/** Compares checksums if the store has them, and skips files that exist. All settings are environment variables. */
function rcloneArgsOf(remote: string, include: readonly string[], exclude: readonly string[]): string[] {
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

/** Converts a pattern over whole paths to rclone syntax. `*` also matches slashes. */
function toRclonePattern(pattern: string): string {
  return `/${pattern.replaceAll(/[{}]/g, '\\$&').replaceAll(/\*+/g, '**')}`;
}

function variableOf(name: string, value: string | undefined): JsonObject[] {
  return value === undefined ? [] : [{ name, value: escapeVariables(value) }];
}

function secretOf(name: string, ref: { readonly name: string; readonly key: string } | undefined): JsonObject[] {
  return ref ? [{ name, valueFrom: { secretKeyRef: { name: ref.name, key: ref.key } } }] : [];
}

/** Escapes a text for Kubernetes, which expands `$(NAME)` and reads `$$` as `$`. */
function escapeVariables(text: string): string {
  return text.replaceAll('$', '$$$$');
}
