import { z } from 'zod';
import { SOURCE_BLOCK, SOURCES } from './cache/source';
import { sourceBlocks } from './cache/source-blocks';
import { placeOfAdapters, sizeOfStaged, suitsSource } from './cache/suits-source';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { rules } from './reading/rule';
import { BOTH_GROUPS, type Group, type ResourceOf } from './resource';
import { chosenBlock } from './shared/chosen-block';
import { formed, text } from './shared/names';
import { labelsOnly } from './shared/selector';

const patterns = z.array(text(512)).max(100).default([]);

const spec = fields(
  {
    source: z.enum(SOURCES).describe('Where the files come from. The block of the same name is required.'),
    ...sourceBlocks,
    content: z
      .enum(['Model', 'LoRA', 'Tokenizer', 'Bytes'])
      .default('Model')
      .describe(
        'What the files are. Model: engines get it as their model. LoRA: an adapter, for loraAdapters. Tokenizer and Bytes are only mounted. Default: Model.',
      ),
    storage: z
      .enum(['SharedFilesystem'])
      .default('SharedFilesystem')
      .describe(
        'What the files lie on. SharedFilesystem: a volume that all nodes of a cluster mount. Default: SharedFilesystem.',
      ),
    sizeGiB: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('The size of the volume on each cluster, in GiB. Twice that of the files lets them change.'),
    stage: z
      .enum(['WherePlaced', 'Everywhere'])
      .optional()
      .describe(
        'WherePlaced: on clusters with a replica that mounts it. Everywhere: on all that clusterSelector selects. Default: WherePlaced, or Everywhere under modelplane.ai.',
      ),
    clusterSelector: labelsOnly.prefault({}).describe('Clusters that the cache may be on. Default: all.'),
    include: patterns.describe(
      "Files to stage, by path: '*.safetensors'. '*' stands for any text, slashes too. Default: all.",
    ),
    exclude: patterns.describe("Files to leave out, by path: 'original/*'. They win over include."),
    verify: fields({
      sha256: formed({
        noun: 'a SHA-256 checksum',
        code: 'bad-checksum',
        pattern: /^[0-9a-f]{64}$/,
        max: 64,
        hint: 'Write its 64 lowercase hexadecimal digits',
      }).describe('The SHA-256 checksum of the file, in lowercase hexadecimal digits.'),
    })
      .optional()
      .describe('For source HTTP: what the file must be.'),
    mountPath: formed({
      noun: 'an absolute path',
      code: 'bad-path',
      pattern: /^\/(?!.*\/\.\.?(\/|$))[^:]*[^/:]$/,
      max: 1024,
      hint: "Begin it with '/', end it without, and leave out '..' and ':'",
    })
      .optional()
      .describe('Where engines find the files. Default: /mnt/models.'),
  },
  {
    artifact: "Write the source in spec, and artifact.kind as 'content'",
    kind: "Write it as 'content'",
    replication: "Write the clusters at spec.clusterSelector, and 'stage: Everywhere' for all of them",
    size: "Write it as 'sizeGiB', a whole number",
  },
).check(
  rules(chosenBlock('cache', 'source', SOURCE_BLOCK)),
  rules(suitsSource, sizeOfStaged, placeOfAdapters),
);

type Declared = z.output<typeof spec>;

/** What a cache declares, with the default that depends on its group. */
export interface ModelCacheSpec extends Declared {
  readonly stage: 'WherePlaced' | 'Everywhere';
}

function finish(declared: Declared, group: Group): ModelCacheSpec {
  return { ...declared, stage: declared.stage ?? (group === 'modelplane.ai' ? 'Everywhere' : 'WherePlaced') };
}

/** Model files that are staged on clusters before engines read them. */
export const modelCache = defineKind(
  {
    kind: 'ModelCache',
    scope: 'Namespaced',
    groups: BOTH_GROUPS,
    description: 'Model files that are staged on clusters before engines read them.',
    spec,
  },
  finish,
);

/** Model files that are staged on clusters. */
export type ModelCache = ResourceOf<'ModelCache', ModelCacheSpec>;

/** The spec of a ModelCache as it is written: what has a default may be left out. */
export type ModelCacheInput = z.input<typeof spec>;
