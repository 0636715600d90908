import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { ATTENTION_FIELDS, ATTENTION_KINDS, OPTIONAL_ATTENTION_FIELDS } from '../catalog/models/attention-fields';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { Attention, ModelRow, Quantization } from '../catalog/models/model-row';
import { sourced as hardwareSource } from './catalogue-file';
import { fields } from './schema/fields';
import { checkDistinct } from './schema/list';
import { integer } from './schema/quantity';
import { describeMissingField, rules, type SchemaRule } from './schema/rules';
import { date, nonEmptyText, stringFormat } from './schema/string-formats';

const QUANTIZATIONS = ['bf16', 'fp8', 'mxfp8', 'int8', 'int4', 'mxfp4', 'nvfp4'] as const satisfies Quantization[];

/** The fields of every row that state its source. */
const sourced = {
  ...hardwareSource,
  source: nonEmptyText(253).describe('The source of the row: config.json of the repository.'),
};

/** The name of a repository, as on Hugging Face, or of a folder of the user. */
const repositoryName = stringFormat({
  noun: 'the name of a repository',
  code: 'bad-name',
  pattern: /^[A-Za-z0-9][-A-Za-z0-9._]*(\/[A-Za-z0-9][-A-Za-z0-9._]*)?$/,
  max: 193,
  hint: "Use OWNER/NAME, as in 'Qwen/Qwen3-32B'",
});

const count = (most = 1_000_000): z.ZodInt => integer(1, most);
const stateBytes = integer(1, 8).describe('Bytes of each number of the state: 4 for float32, else 2.');

const linear = fields({
  keyHeads: count().describe('linear_num_key_heads.'),
  valueHeads: count().describe('linear_num_value_heads.'),
  keyDim: count().describe('linear_key_head_dim.'),
  valueDim: count().describe('linear_value_head_dim.'),
  conv: count().describe('linear_conv_kernel_dim.'),
  stateBytes,
});

const mamba = fields({
  heads: count().describe('mamba_num_heads.'),
  headDim: count().describe('mamba_head_dim.'),
  state: count().describe('ssm_state_size.'),
  groups: count().describe('n_groups.'),
  conv: count().describe('conv_kernel.'),
  stateBytes,
});

/** Requires the fields of the kind, and rejects those of other kinds. */
const fieldsOfKind: SchemaRule<{ readonly kind: Attention['kind'] }> = function* (value) {
  const { kind, ...given } = value;
  const needed = ATTENTION_FIELDS[kind];
  const known = [...needed, ...(OPTIONAL_ATTENTION_FIELDS[kind] ?? [])];
  const present = Object.entries(given).flatMap(([name, one]) => (one === undefined ? [] : [name]));
  for (const name of needed) {
    if (!present.includes(name)) yield describeMissingField([name], `Attention of kind ${kind} needs it`);
  }
  for (const name of present.filter((one) => !known.includes(one))) {
    const hint = known.length > 0 ? `Use ${known.join(', ')}` : 'Remove it';
    yield errorAt('contradiction', [name], `attention of kind ${kind} has no '${name}'`, hint);
  }
};

const attention = fields({
  kind: z
    .enum(ATTENTION_KINDS)
    .describe(
      'What the layers store of a token. gqa: keys and values (also MHA and MQA). mla: one compressed vector. mla+indexer: the same with a sparse indexer. sliding: some layers store a window. hybrid-linear, hybrid-mamba: some layers store a state. none: an encoder. unknown: no formula is known.',
    ),
  kvHeads: count().optional().describe('num_key_value_heads.'),
  headDim: count().optional().describe('head_dim, or hidden_size divided by num_attention_heads.'),
  kvLoraRank: count().optional().describe('kv_lora_rank.'),
  qkRopeHeadDim: count().optional().describe('qk_rope_head_dim.'),
  indexHeadDim: count().optional().describe('index_head_dim.'),
  fullLayers: integer(0, 10_000).optional().describe('Layers with full attention.'),
  slidingLayers: count().optional().describe('Layers with a sliding window.'),
  slidingWindow: count(100_000_000).optional().describe('sliding_window.'),
  globalKvHeads: count().optional().describe('KV heads of the full layers. Default: kvHeads.'),
  globalHeadDim: count().optional().describe('Head size of the full layers. Default: headDim.'),
  attentionLayers: count().optional().describe('Layers with attention.'),
  linearLayers: count().optional().describe('Layers with linear attention.'),
  mambaLayers: count().optional().describe('Mamba-2 layers.'),
  linear: linear.optional().describe('The state of a layer with linear attention.'),
  mamba: mamba.optional().describe('The state of a Mamba-2 layer.'),
  note: nonEmptyText(253).optional().describe('A description of an unknown attention.'),
})
  .check(rules(fieldsOfKind))
  .transform((value) => value as Attention);

const billions = z.number().gt(0).max(1_000_000);

const modelFacts = {
  revision: nonEmptyText(64).optional().describe('The commit of the repository. Default: not stated.'),
  parameters: fields({
    total: billions.describe('All parameters, in billions: 32.76.'),
    active: billions.describe('Those that a token uses, in billions.'),
  })
    .optional()
    .describe('The number of parameters. Default: unknown.'),
  layers: count(10_000).describe('num_hidden_layers.'),
  hidden: count().optional().describe('hidden_size. Default: unknown.'),
  heads: count(10_000).optional().describe('num_attention_heads, which TP must divide. Default: unknown.'),
  attention: attention.describe('What the layers store of a token, which determines the size of the KV cache.'),
  vocabulary: count(100_000_000).optional().describe('vocab_size. Default: unknown.'),
  tied: z.boolean().optional().describe('tie_word_embeddings. Default: false.'),
  experts: fields({
    routed: count().describe('Experts of a layer.'),
    perToken: count().describe('Experts that a token uses.'),
    shared: count().optional().describe('Experts that every token uses. Default: none.'),
    intermediate: count().optional().describe('The width of an expert. Default: unknown.'),
  })
    .optional()
    .describe('The experts of a mixture. Default: none.'),
  intermediate: count().optional().describe('intermediate_size of layers without experts. Default: unknown.'),
  weightBlock: count(65_536)
    .optional()
    .describe('The side of blocks of weights that share a scale, as weight_block_size: 128. Default: no blocks.'),
  positions: count(1_000_000_000).describe('max_position_embeddings, the longest context.'),
  quantization: z.enum(QUANTIZATIONS).describe('How weights are stored: bf16, fp8.'),
  weightsGiB: z
    .number()
    .gt(0)
    .max(1_000_000)
    .optional()
    .describe('Weights in GiB: the sum of the tensors. Default: computed from the parameters.'),
};

/** The schema of a complete row. */
export const modelRow = fields({
  repository: repositoryName.describe('Qwen/Qwen3-32B'),
  ...modelFacts,
  ...sourced,
}) satisfies z.ZodType<ModelRow>;

const overridingRow = fields({ repository: repositoryName.describe('Qwen/Qwen3-32B') })
  .extend(fields(modelFacts).partial().shape)
  .extend(sourced);

const positive = z.number().gt(0);

/** The schema of a measurement. */
const measuredRow = fields({
  repository: repositoryName.describe('The model: Qwen/Qwen3-32B.'),
  gpu: nonEmptyText(63).describe('The GPU, as the catalog names it: h200.'),
  tp: count(1024).describe('GPUs that share each layer.'),
  pp: count(1024).optional().describe('Stages that share the layers. Default: 1.'),
  dp: count(1024).optional().describe('Copies of the attention. Default: 1.'),
  engine: nonEmptyText(63).optional().describe('The engine and its version: vllm@0.20. Default: not stated.'),
  concurrency: positive.describe('Requests that ran at once.'),
  inputTokens: positive.describe('Tokens of a prompt, on average.'),
  outputTokens: positive.describe('Tokens of an answer, on average.'),
  requestsPerSecond: positive.describe('Requests that were answered in a second.'),
  outputTokensPerSecond: positive.describe('Tokens that were written in a second.'),
  timeToFirstTokenMs: positive.optional().describe('The median time to the first token, in milliseconds.'),
  timePerOutputTokenMs: positive.optional().describe('The median time of each further token, in milliseconds.'),
  source: nonEmptyText(253).describe('The file that contains it, and the tool that wrote the file.'),
  asOf: date.optional().describe('The day of the measurement. Default: not stated.'),
}) satisfies z.ZodType<MeasuredRow>;

/** The schema of the file that `Fleet.spec.models` names: models that extend or correct ours, and measurements. */
export const modelCatalogueFile = fields({
  models: z
    .array(overridingRow)
    .check(checkDistinct(({ repository }: { readonly repository: string }) => repository, 'the model', 'repository'))
    .max(1000)
    .default([])
    .describe('Models. A row with the repository of a built-in row overrides the fields that it sets. Default: none.'),
  measurements: z
    .array(measuredRow)
    .max(10_000)
    .default([])
    .describe("Measured speeds, as 'fleetwright fit --measured' adds them. Default: none."),
}).describe('Models that extend or correct the catalog of Fleetwright, and measured speeds.');
