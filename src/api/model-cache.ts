import { z } from 'zod';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { rules } from './reading/rule';
import { BOTH_GROUPS, type ResourceOf } from './resource';
import { chosenBlock } from './shared/chosen-block';
import { secretKey } from './shared/secret-key';
import { labelsOnly } from './shared/selector';

const huggingFace = fields(
  {
    repo: z.string().min(1).describe('The repository: Qwen/Qwen3-8B.'),
    revision: z
      .string()
      .min(1)
      .optional()
      .describe("A branch, tag or commit. Default: the repository's own."),
    authSecret: secretKey('HF_TOKEN')
      .optional()
      .describe(
        'The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN.',
      ),
  },
  { tokenSecretRef: "Write it as 'authSecret'" },
);

const spec = fields(
  {
    source: z
      .enum(['HuggingFace'])
      .describe('Where the files come from. The block of the same name is required.'),
    huggingFace: huggingFace.optional().describe('For source HuggingFace.'),
    sizeGiB: z.int().min(1).max(100_000).describe('The size of the volume on each cluster, in GiB.'),
    clusterSelector: labelsOnly.prefault({}).describe('Clusters that the cache may be on. Default: all.'),
  },
  {
    artifact:
      "Write 'source: HuggingFace' and 'huggingFace' in spec; every file of a repository is staged, whatever its kind",
    kind: 'Remove it; every file of a repository is staged, whatever its kind',
    storage: 'Remove it; a cluster names its storage class at spec.storage.sharedFilesystem.storageClassName',
    replication: 'Write the clusters at spec.clusterSelector',
    size: "Write it as 'sizeGiB', a whole number",
  },
).check(rules(chosenBlock('cache', 'source', { HuggingFace: 'huggingFace' })));

/** Model files that are staged on clusters before engines read them. */
export const modelCache = defineKind({
  kind: 'ModelCache',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  description: 'Model files that are staged on clusters before engines read them.',
  spec,
});

/** Model files that are staged on clusters. */
export type ModelCache = ResourceOf<'ModelCache', z.output<typeof spec>>;

/** The spec of a ModelCache as it is written: what has a default may be left out. */
export type ModelCacheInput = z.input<typeof spec>;
