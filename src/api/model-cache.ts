import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { isCopiedSource } from './cache/delivery';
import { folderInVolume } from './cache/mounted-source-schema';
import { CACHE_SOURCE_BLOCK, CACHE_SOURCES, CACHE_STORAGES, type CacheSource, COPIED_SOURCES } from './cache/source';
import { cacheSize, sourceBlocks } from './cache/source-schema';
import { STORAGE_RULES } from './cache/storage-rules';
import { BOTH_GROUPS, type Group, type ResourceOf } from './resource';
import { fields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { clusterLabels } from './schema/label-selector';
import { describeMissingField, requireChosenBlock, rules, type SchemaRule } from './schema/rules';
import { nonEmptyText, referencedName, stringFormat } from './schema/string-formats';
import { IN_CACHE } from './kubernetes-spellings';

const blockDevice = fields({
  snapshot: fields({
    name: referencedName.describe('The VolumeSnapshot, in the namespace of the cache, on each cluster.'),
    path: folderInVolume.optional().describe('The folder of the volume that is mounted. Default: all of it.'),
  })
    .optional()
    .describe(
      'A snapshot of a disk with the files, of which each cluster makes a volume that many nodes read. Nothing is staged. Default: a disk for each pod, onto which an init container stages the files.',
    ),
});

const patterns = z.array(nonEmptyText(512)).max(100).default([]);

const spec = fields(
  {
    source: z.enum(CACHE_SOURCES).describe('The source of the files. The block of the same name is required.'),
    ...sourceBlocks,
    content: withDefault(
      z.enum(['Model', 'LoRA', 'Tokenizer', 'Bytes']),
      'Model',
      'The content of the files. Model: engines load it as their model. LoRA: an adapter, for loraAdapters. Tokenizer and Bytes are only mounted.',
    ),
    storage: withDefault(
      z.enum(CACHE_STORAGES),
      'SharedFilesystem',
      'The storage of the files. SharedFilesystem: a volume that all nodes of a cluster mount. BlockDevice: a disk for each pod, or a snapshot that many nodes read. ObjectStorageMount: the bucket itself, which pods mount; nothing is staged. Sources that need no storage ignore it.',
    ),
    blockDevice: blockDevice.optional().describe('For storage BlockDevice.'),
    sizeGiB: cacheSize
      .optional()
      .describe(
        'The size of the volume on each cluster, in GiB. Allow twice the size of the files if they can change. The default startup budget of engines grows with it.',
      ),
    stage: z
      .enum(['WherePlaced', 'Everywhere'])
      .optional()
      .describe(
        'WherePlaced: stages on clusters with a replica that mounts it. Everywhere: stages on all clusters that clusterSelector selects. Default: WherePlaced, or Everywhere under modelplane.ai.',
      ),
    clusterSelector: clusterLabels.prefault({}).describe('The clusters that may have the cache. Default: all.'),
    include: patterns.describe(
      "Files to stage, by path: '*.safetensors'. '*' matches any text, including slashes. Default: all.",
    ),
    exclude: patterns.describe("Files to leave out, by path: 'original/*'. They take precedence over include."),
    verify: fields({
      sha256: stringFormat({
        noun: 'a SHA-256 checksum',
        code: 'bad-checksum',
        pattern: /^[0-9a-f]{64}$/,
        max: 64,
        hint: 'Use its 64 lowercase hexadecimal digits',
      }).describe('The SHA-256 checksum of the file, in lowercase hexadecimal digits.'),
    })
      .optional()
      .describe('For source HTTP: checks of the file.'),
    mountPath: stringFormat({
      noun: 'an absolute path',
      code: 'bad-path',
      pattern: /^\/(?!.*\/\.\.?(\/|$))[^:]*[^/:]$/,
      max: 1024,
      hint: "Begin it with '/', do not end it with '/', and do not use '..' or ':'",
    })
      .optional()
      .describe('The path at which engines find the files. Default: /mnt/models.'),
  },
  {
    ...IN_CACHE,
    artifact: "Move the source to spec, and set 'content' to artifact.kind",
    kind: "Use 'content' instead",
    replication: "Use spec.clusterSelector for the clusters, with 'stage: Everywhere' for all of them",
    size: "Use 'sizeGiB', a whole number",
  },
).check(rules(requireChosenBlock('cache', 'source', CACHE_SOURCE_BLOCK)));

type Declared = z.output<typeof spec>;

const FIELDS_BY_SOURCE: readonly { readonly field: keyof Declared; readonly sources: readonly CacheSource[] }[] = [
  { field: 'include', sources: ['HuggingFace', 'S3', 'GCS', 'AzureBlob'] },
  { field: 'exclude', sources: ['HuggingFace', 'S3', 'GCS', 'AzureBlob'] },
  { field: 'verify', sources: ['HTTP'] },
  { field: 'sizeGiB', sources: COPIED_SOURCES },
  { field: 'blockDevice', sources: COPIED_SOURCES },
];

const fieldsSuitSource: SchemaRule<Declared> = function* (declared) {
  for (const { field, sources } of FIELDS_BY_SOURCE) {
    const value = declared[field];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (!isSet || sources.includes(declared.source)) continue;
    const what = `a cache with source ${declared.source} takes no field '${field}'`;
    yield errorAt('contradiction', [field], what, `Remove it. It is for source ${sources.join(' or ')}`);
  }
};

const volumeHasSize: SchemaRule<Declared> = function* (declared) {
  const { source, storage } = declared;
  // A bucket has no limit, and a ConfigMap, an image and a claim have sizes of their own.
  if (!isCopiedSource(source) || storage === 'ObjectStorageMount' || sizeOf(declared) !== undefined) return;
  yield describeMissingField(['sizeGiB'], `A cache with source ${source} needs it`);
};

const sizesAgree: SchemaRule<Declared> = function* ({ sizeGiB, huggingFace }) {
  const other = huggingFace?.sizeGiB;
  if (sizeGiB === undefined || other === undefined || sizeGiB === other) return;
  const what = `the size is ${other} GiB here and ${sizeGiB} GiB at spec.sizeGiB`;
  yield errorAt('contradiction', ['huggingFace', 'sizeGiB'], what, 'Remove one of the two');
};

function sizeOf({ sizeGiB, huggingFace }: Declared): number | undefined {
  return sizeGiB ?? huggingFace?.sizeGiB;
}

/** Checks that adapters set no mount path: an engine can mount several adapters, at fixed paths. */
const adaptersHaveNoMountPath: SchemaRule<Declared> = function* ({ content, mountPath }) {
  if (content !== 'LoRA' || mountPath === undefined) return;
  const hint = 'Remove it. Adapters are mounted at /mnt/adapters/NAME, by their name in the deployment';
  yield errorAt('contradiction', ['mountPath'], "a cache with content LoRA takes no field 'mountPath'", hint);
};

/** The spec of a cache, with the default that depends on its group, and its size in one place: spec.sizeGiB. */
export interface ModelCacheSpec extends Declared {
  readonly stage: 'WherePlaced' | 'Everywhere';
}

function finish(declared: Declared, group: Group): ModelCacheSpec {
  const stage = declared.stage ?? (group === 'modelplane.ai' ? 'Everywhere' : 'WherePlaced');
  const { huggingFace } = declared;
  if (huggingFace?.sizeGiB === undefined) return { ...declared, stage };
  const { sizeGiB, ...rest } = huggingFace;
  return { ...declared, huggingFace: rest, sizeGiB: declared.sizeGiB ?? sizeGiB, stage };
}

export const modelCache = defineKind(
  {
    kind: 'ModelCache',
    scope: 'Namespaced',
    groups: BOTH_GROUPS,
    description: 'Model files that are staged on clusters before engines read them.',
    spec: spec.check(rules(fieldsSuitSource, volumeHasSize, sizesAgree, adaptersHaveNoMountPath, ...STORAGE_RULES)),
  },
  finish,
);

/** Model files that are staged on clusters. */
export type ModelCache = ResourceOf<'ModelCache', ModelCacheSpec>;

export type ModelCacheInput = z.input<typeof spec>;
