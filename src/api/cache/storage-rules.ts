import { errorAt } from '../../base/diagnostic';
import type { SchemaRule } from '../schema/rules';
import { bucketSourceOf, deliveryOf, type DeliveredSpec } from './delivery';
import { BUCKET_SOURCES, CACHE_SOURCE_BLOCK, type CacheSource, type CacheStorage, COPIED_SOURCES } from './source';

/** The fields of a cache that its storage restricts. */
interface StoredSpec extends DeliveredSpec {
  readonly content: 'Model' | 'LoRA' | 'Tokenizer' | 'Bytes';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly s3?: AccessFields | undefined;
  readonly gcs?: AccessFields | undefined;
  readonly azureBlob?: (AccessFields & { readonly storageAccountId?: string | undefined }) | undefined;
}

interface AccessFields {
  readonly secretRef?: unknown;
  readonly serviceAccountName?: string | undefined;
}

const SOURCES_BY_STORAGE: Readonly<Record<CacheStorage, readonly CacheSource[]>> = {
  // The default, which sources without storage have too.
  SharedFilesystem: [],
  BlockDevice: COPIED_SOURCES,
  ObjectStorageMount: BUCKET_SOURCES,
};

const storageSuitsSource: SchemaRule<StoredSpec> = function* ({ source, storage }) {
  const sources = SOURCES_BY_STORAGE[storage];
  if (sources.length === 0 || sources.includes(source)) return;
  const what = `a cache with source ${source} cannot have storage ${storage}`;
  yield errorAt('contradiction', ['storage'], what, `Remove it. It is for source ${sources.join(' or ')}`);
};

const snapshotNeedsBlockDevice: SchemaRule<StoredSpec> = function* ({ storage, blockDevice }) {
  if (blockDevice === undefined || storage === 'BlockDevice') return;
  const what = `a cache with storage ${storage} takes no field 'blockDevice'`;
  yield errorAt('contradiction', ['blockDevice'], what, "Remove it, or write 'storage: BlockDevice'");
};

/** A mount shows the folder of a bucket as it is. */
const mountHasNoPatterns: SchemaRule<StoredSpec> = function* (spec) {
  if (deliveryOf(spec) !== 'Bucket') return;
  for (const field of ['include', 'exclude'] as const) {
    if (spec[field].length === 0) continue;
    const hint = 'Remove it, and set the address of the bucket to a folder that has only these files';
    yield errorAt('contradiction', [field], `storage ObjectStorageMount takes no field '${field}'`, hint);
  }
};

const READER_OF_MOUNT = {
  s3: 'allow the role of the CSI driver to read the bucket',
  gcs: 'allow the ServiceAccount of the engine to read the bucket',
} as const;

/**
 * The drivers of buckets authenticate with a cloud identity: that of the pod (Cloud Storage FUSE), or that of the driver
 * (Mountpoint for Amazon S3).
 */
const mountUsesCloudIdentity: SchemaRule<StoredSpec> = function* (spec) {
  const source = bucketSourceOf(spec);
  if (source === undefined) return;
  const block = CACHE_SOURCE_BLOCK[source];
  for (const field of ['secretRef', 'serviceAccountName'] as const) {
    if (spec[block]?.[field] === undefined) continue;
    const what = `storage ObjectStorageMount takes no field '${field}'`;
    yield errorAt('contradiction', [block, field], what, `Remove it, and ${READER_OF_MOUNT[block]}`);
  }
};

/** A disk of a pod is filled by the pod itself. */
const podDiskUsesEngineAccount: SchemaRule<StoredSpec> = function* (spec) {
  if (deliveryOf(spec) !== 'PodDisk') return;
  for (const block of ['s3', 'gcs', 'azureBlob'] as const) {
    if (spec[block]?.serviceAccountName === undefined) continue;
    const what = 'the pods of engines stage the files on their own disks, so no other pod reads the bucket';
    const hint = 'Remove it, and set serviceAccountName in the template of the engine instead';
    yield errorAt('contradiction', [block, 'serviceAccountName'], what, hint);
  }
};

/** The identity of a cache is that of its staging Job. */
const identityNeedsJob: SchemaRule<StoredSpec> = function* (spec) {
  if (spec.azureBlob?.storageAccountId === undefined || deliveryOf(spec) === 'Staged') return;
  const what = `storage ${spec.storage} takes no field 'storageAccountId': no Job reads the container`;
  const hint = 'Remove it, and let the ServiceAccount of the engine read the container';
  yield errorAt('contradiction', ['azureBlob', 'storageAccountId'], what, hint);
};

/** The contents that files of at most 1 MiB, or texts, can be. */
const CONTENTS: Readonly<Partial<Record<CacheSource, readonly StoredSpec['content'][]>>> = {
  ConfigMap: ['LoRA', 'Tokenizer', 'Bytes'],
  Inline: ['Tokenizer', 'Bytes'],
};

const contentFitsSource: SchemaRule<StoredSpec> = function* ({ source, content }) {
  const contents = CONTENTS[source];
  if (contents === undefined || contents.includes(content)) return;
  const what = `a cache with source ${source} cannot have content ${content}: a ConfigMap holds at most 1 MiB`;
  yield errorAt('contradiction', ['content'], what, `Set it to ${contents.join(' or ')}, or use another source`);
};

/** The rules between the source, the storage and the content of a cache. */
export const STORAGE_RULES: readonly SchemaRule<StoredSpec>[] = [
  storageSuitsSource,
  snapshotNeedsBlockDevice,
  mountHasNoPatterns,
  mountUsesCloudIdentity,
  podDiskUsesEngineAccount,
  identityNeedsJob,
  contentFitsSource,
];
