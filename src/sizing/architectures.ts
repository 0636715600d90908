import type { Attention } from '../catalog/models/model-row';
import type { ConfigFields } from './config-fields';

/** Reads the attention of a configuration. Undefined where the architecture has variants that no formula is for. */
type AttentionReader = (config: ConfigFields) => Attention | undefined;

/** Architectures whose attention is known, as in `architectures` of a `config.json`. */
export const ATTENTION_READERS: Readonly<Record<string, AttentionReader>> = {
  ...readAs(readGrouped, [
    'LlamaForCausalLM',
    'Llama4ForCausalLM',
    'Llama4ForConditionalGeneration',
    'MistralForCausalLM',
    'MixtralForCausalLM',
    'Qwen2ForCausalLM',
    'Qwen2MoeForCausalLM',
    'Qwen2VLForConditionalGeneration',
    'Qwen2_5_VLForConditionalGeneration',
    'Qwen3ForCausalLM',
    'Qwen3MoeForCausalLM',
    'Qwen3VLForConditionalGeneration',
    'Qwen3VLMoeForConditionalGeneration',
    'Phi3ForCausalLM',
    'GraniteForCausalLM',
    'GraniteMoeForCausalLM',
    'Glm4MoeForCausalLM',
    'MiMoForCausalLM',
    'MiniMaxM2ForCausalLM',
    'Olmo2ForCausalLM',
    'Starcoder2ForCausalLM',
    'LlavaForConditionalGeneration',
  ]),
  Mistral3ForConditionalGeneration: (config) =>
    config.optional('kv_lora_rank') ? readLatent(config) : readGrouped(config),
  ...readAs(readLatent, [
    'DeepseekV2ForCausalLM',
    'DeepseekV3ForCausalLM',
    'KimiK2ForCausalLM',
    'KimiK25ForConditionalGeneration',
    'MistralLarge3ForCausalLM',
  ]),
  ...readAs(readIndexed, ['DeepseekV32ForCausalLM', 'GlmMoeDsaForCausalLM']),
  ...readAs(readSliding, [
    'GptOssForCausalLM',
    'Gemma3ForCausalLM',
    'Gemma3ForConditionalGeneration',
    'Gemma4ForCausalLM',
    'Gemma4ForConditionalGeneration',
  ]),
  ...readAs(readHybridLinear, [
    'Qwen3NextForCausalLM',
    'Qwen3_5ForCausalLM',
    'Qwen3_5ForConditionalGeneration',
    'Qwen3_5MoeForCausalLM',
    'Qwen3_5MoeForConditionalGeneration',
  ]),
  NemotronHForCausalLM: readHybridMamba,
  ...readAs(
    (): Attention => ({ kind: 'none' }),
    ['BertModel', 'BertForMaskedLM', 'XLMRobertaModel', 'NomicBertModel', 'RobertaModel'],
  ),
};

function readAs(reader: AttentionReader, names: readonly string[]): Record<string, AttentionReader> {
  return Object.fromEntries(names.map((name) => [name, reader]));
}

/** `head_dim` if it is stated. */
function headDimOf(config: ConfigFields): number {
  return config.optional('head_dim') ?? config.number('hidden_size') / config.number('num_attention_heads');
}

/** A configuration without KV heads has as many as query heads. */
function kvHeadsOf(config: ConfigFields): number {
  return config.optional('num_key_value_heads') ?? config.number('num_attention_heads');
}

/** A window in a model whose layers are all alike counts only where the configuration turns it on. */
function readGrouped(config: ConfigFields): Attention | undefined {
  const heads = { kvHeads: kvHeadsOf(config), headDim: headDimOf(config) };
  const slidingWindow = config.optional('sliding_window');
  const positions = config.optional('max_position_embeddings') ?? Infinity;
  const kinds = config.texts('layer_types')?.includes('sliding_attention') ?? false;
  if (kinds) return readSliding(config);
  const always = config.text('model_type') === 'mistral';
  const isOn = always || config.flag('use_sliding_window');
  if (slidingWindow === undefined || slidingWindow >= positions || !isOn) return { kind: 'gqa', ...heads };
  return { kind: 'sliding', fullLayers: 0, slidingLayers: config.number('num_hidden_layers'), slidingWindow, ...heads };
}

function readLatent(config: ConfigFields): Attention {
  return {
    kind: 'mla',
    kvLoraRank: config.number('kv_lora_rank'),
    qkRopeHeadDim: config.number('qk_rope_head_dim'),
  };
}

function readIndexed(config: ConfigFields): Attention {
  return {
    kind: 'mla+indexer',
    kvLoraRank: config.number('kv_lora_rank'),
    qkRopeHeadDim: config.number('qk_rope_head_dim'),
    indexHeadDim: config.number('index_head_dim'),
  };
}

/** Models that share a cache between layers have no formula. */
function readSliding(config: ConfigFields): Attention | undefined {
  if (config.optional('num_kv_shared_layers') !== undefined) return undefined;
  const fullLayers = countLayers(config, 'full_attention', 'sliding_window_pattern');
  const globalKvHeads = config.optional('num_global_key_value_heads');
  const globalHeadDim = config.optional('global_head_dim');
  return {
    kind: 'sliding',
    fullLayers,
    slidingLayers: config.number('num_hidden_layers') - fullLayers,
    slidingWindow: config.number('sliding_window'),
    kvHeads: kvHeadsOf(config),
    headDim: headDimOf(config),
    ...(globalKvHeads !== undefined && { globalKvHeads }),
    ...(globalHeadDim !== undefined && { globalHeadDim }),
  };
}

/** The layers of a kind, as they are listed, or every n-th where a period is stated. */
function countLayers(config: ConfigFields, kind: string, period: string): number {
  const listed = config.texts('layer_types');
  if (listed) return listed.filter((one) => one === kind).length;
  const every = config.optional(period);
  if (every === undefined) config.addMissing('layer_types');
  return Math.floor(config.number('num_hidden_layers') / (every ?? 1));
}

/** float32 takes four bytes. Without a statement, the state has the dtype of the model. */
function stateBytesOf(config: ConfigFields): number {
  const dtype = config.text('mamba_ssm_dtype') ?? config.text('mamba_ssm_cache_dtype');
  return dtype === 'float32' ? 4 : 2;
}

function readHybridLinear(config: ConfigFields): Attention {
  const attentionLayers = countLayers(config, 'full_attention', 'full_attention_interval');
  return {
    kind: 'hybrid-linear',
    attentionLayers,
    linearLayers: config.number('num_hidden_layers') - attentionLayers,
    kvHeads: kvHeadsOf(config),
    headDim: headDimOf(config),
    linear: {
      keyHeads: config.number('linear_num_key_heads'),
      valueHeads: config.number('linear_num_value_heads'),
      keyDim: config.number('linear_key_head_dim'),
      valueDim: config.number('linear_value_head_dim'),
      conv: config.number('linear_conv_kernel_dim'),
      stateBytes: stateBytesOf(config),
    },
  };
}

/** In the pattern, `*` is a layer of attention and `M` a Mamba layer. */
function readHybridMamba(config: ConfigFields): Attention {
  const pattern = config.text('hybrid_override_pattern');
  if (pattern === undefined) config.addMissing('hybrid_override_pattern');
  const count = (letter: string): number => (pattern ?? '').split(letter).length - 1;
  return {
    kind: 'hybrid-mamba',
    attentionLayers: count('*'),
    mambaLayers: count('M'),
    kvHeads: kvHeadsOf(config),
    headDim: headDimOf(config),
    mamba: {
      heads: config.number('mamba_num_heads'),
      headDim: config.number('mamba_head_dim'),
      state: config.number('ssm_state_size'),
      groups: config.number('n_groups'),
      conv: config.number('conv_kernel'),
      stateBytes: stateBytesOf(config),
    },
  };
}
