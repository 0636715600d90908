import { trimTrailing } from '../../base/text';

export const CACHE_SOURCES = [
  'HuggingFace',
  'S3',
  'GCS',
  'AzureBlob',
  'HTTP',
  'ExistingPVC',
  'OCI',
  'ConfigMap',
  'Inline',
] as const;
export type CacheSource = (typeof CACHE_SOURCES)[number];

/** The field of the spec with the settings of each source. */
export const CACHE_SOURCE_BLOCK = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  AzureBlob: 'azureBlob',
  HTTP: 'http',
  ExistingPVC: 'existingPVC',
  OCI: 'oci',
  ConfigMap: 'configMap',
  Inline: 'inline',
} as const satisfies Record<CacheSource, string>;

/** The sources whose files are copied to a volume. Pods mount those of other sources where they are. */
export const COPIED_SOURCES = [
  'HuggingFace',
  'S3',
  'GCS',
  'AzureBlob',
  'HTTP',
] as const satisfies readonly CacheSource[];
export type CopiedSource = (typeof COPIED_SOURCES)[number];

/** The sources whose buckets pods can mount. */
export const BUCKET_SOURCES = ['S3', 'GCS'] as const satisfies readonly CacheSource[];
export type BucketSource = (typeof BUCKET_SOURCES)[number];

/** The storage of files that are copied, or of a bucket. */
export const CACHE_STORAGES = ['SharedFilesystem', 'BlockDevice', 'ObjectStorageMount'] as const;
export type CacheStorage = (typeof CACHE_STORAGES)[number];

/** Where the files of a cache come from. */
export interface CacheOrigin {
  /** The repository or the address of the bucket. Absent: the source has none. */
  readonly from?: string;

  /** The revision of the repository. Absent: its default branch, or the source has none. */
  readonly revision?: string;
}

/** The blocks of sources that name a repository or a bucket. */
interface NamedSources {
  readonly huggingFace?: { readonly repo: string; readonly revision?: string | undefined } | undefined;
  readonly s3?: { readonly uri: string } | undefined;
  readonly gcs?: { readonly uri: string } | undefined;
}

/** The repository or the bucket of a cache. */
export function cacheOriginOf({ huggingFace, s3, gcs }: NamedSources): CacheOrigin {
  const from = huggingFace?.repo ?? s3?.uri ?? gcs?.uri;
  const revision = huggingFace?.revision;
  return { ...(from !== undefined && { from }), ...(revision !== undefined && { revision }) };
}

/** The bucket of an address `s3://` or `gs://`, and the folder in it, which is empty for the whole bucket. */
export function splitBucketAddress(uri: string): { readonly bucket: string; readonly folder: string } {
  const [, bucket = '', folder = ''] = /^[a-z0-9]+:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? [];
  return { bucket, folder: trimTrailing(folder, '/') };
}

/** The storage account and the container of an address in Azure Blob Storage, and the folder in it, which can be empty. */
export function splitBlobAddress(uri: string) {
  const [, account = '', container = '', folder = ''] =
    /^https:\/\/([^.]+)\.blob\.core\.windows\.net\/([^/]+)\/?(.*)$/s.exec(uri) ?? [];
  return { account, container, folder: trimTrailing(folder, '/') };
}

/** The file name at the end of the path of a URL. Undefined if the path does not end in a file name. */
export function fileNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = decodePart(new URL(url).pathname.split('/').at(-1) ?? '');
  return isFileName(name) ? name : undefined;
}

/** Whether a text is a valid file name: not empty, without slash and NUL, and not only dots. */
export function isFileName(name: string): boolean {
  return name !== '' && !/^\.+$|[/\0]/.test(name);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
