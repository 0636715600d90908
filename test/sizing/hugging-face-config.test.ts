import { readModelConfig, totalSizeOf } from '../../src/sizing/hugging-face-config';
import { modelOf } from './truth';

const KNOWN = { repository: 'a/b', source: 'config.json', asOf: '2026-11-20' };

const llama = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 8192,
  intermediate_size: 28_672,
  max_position_embeddings: 131_072,
  num_attention_heads: 64,
  num_hidden_layers: 80,
  num_key_value_heads: 8,
  tie_word_embeddings: false,
  vocab_size: 128_256,
};

const mixture = {
  ...llama,
  architectures: ['Qwen3MoeForCausalLM'],
  hidden_size: 4096,
  head_dim: 128,
  num_hidden_layers: 94,
  num_key_value_heads: 4,
  num_experts: 128,
  num_experts_per_tok: 8,
  moe_intermediate_size: 1536,
  vocab_size: 151_936,
  max_position_embeddings: 40_960,
};

const deepseek = {
  architectures: ['DeepseekV3ForCausalLM'],
  hidden_size: 7168,
  intermediate_size: 18_432,
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  n_shared_experts: 1,
  num_experts_per_tok: 8,
  first_k_dense_replace: 3,
  kv_lora_rank: 512,
  q_lora_rank: 1536,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  num_attention_heads: 128,
  num_key_value_heads: 128,
  num_hidden_layers: 61,
  max_position_embeddings: 163_840,
  vocab_size: 129_280,
  quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
};

const hybrid = {
  architectures: ['Qwen3_5MoeForConditionalGeneration'],
  text_config: {
    hidden_size: 4096,
    head_dim: 256,
    num_attention_heads: 32,
    num_key_value_heads: 2,
    num_hidden_layers: 60,
    layer_types: Array.from({ length: 60 }, (_, i) => (i % 4 === 3 ? 'full_attention' : 'linear_attention')),
    linear_num_key_heads: 16,
    linear_num_value_heads: 64,
    linear_key_head_dim: 128,
    linear_value_head_dim: 128,
    linear_conv_kernel_dim: 4,
    mamba_ssm_dtype: 'float32',
    max_position_embeddings: 262_144,
    vocab_size: 248_320,
  },
};

const same: Record<string, [config: object, repository: string]> = {
  'a dense model': [llama, 'meta-llama/Meta-Llama-3.1-70B'],
  'a mixture': [mixture, 'Qwen/Qwen3-235B-A22B'],
  MLA: [deepseek, 'deepseek-ai/DeepSeek-R1'],
  'linear attention in a nested configuration': [hybrid, 'Qwen/Qwen3.5-397B-A17B'],
};

const blocked: Record<string, [config: object, want: object]> = {
  'blocks of the whole model, and the width of the first layers': [
    deepseek,
    { weightBlock: 128, intermediate: 18_432, quantization: 'fp8' },
  ],
  'blocks of a group of compressed tensors': [
    {
      ...llama,
      quantization_config: {
        quant_method: 'compressed-tensors',
        config_groups: {
          group_0: { weights: { num_bits: 8, type: 'float', strategy: 'block', block_structure: [128, 128] } },
        },
      },
    },
    { weightBlock: 128, intermediate: 28_672, quantization: 'fp8' },
  ],
  'a scale a channel, which is no block': [
    {
      ...llama,
      quantization_config: {
        quant_method: 'compressed-tensors',
        config_groups: { group_0: { weights: { num_bits: 8, type: 'float', strategy: 'channel' } } },
      },
    },
    { weightBlock: undefined, quantization: 'fp8' },
  ],
  'a mixture without dense layers, whose width of layers says nothing': [
    mixture,
    { intermediate: undefined, experts: { routed: 128, perToken: 8, intermediate: 1536 } },
  ],
};

test.each(Object.entries(blocked))('a configuration with %s', (_, [config, want]) => {
  const read = readModelConfig(config as never, { ...KNOWN, weightBytes: 2 ** 30 });
  expect('row' in read && { weightBlock: undefined, intermediate: undefined, ...read.row }).toMatchObject(want);
});

test.each(Object.entries(same))('%s has the row of the catalog', (_, [config, repository]) => {
  const read = readModelConfig(config as never, { ...KNOWN, weightBytes: 2 ** 30 });
  const want = modelOf(repository);
  const { attention, layers, positions, quantization, vocabulary } = want ?? ({} as never);
  const row = 'row' in read ? read.row : read;
  expect(row).toMatchObject({ attention, layers, positions, quantization, vocabulary, weightsGiB: 1 });
  if ('parameters' in row) {
    expect(row.parameters?.total).toBeCloseTo(want?.parameters?.total ?? 0, 1);
    expect(row.parameters?.active).toBeCloseTo(want?.parameters?.active ?? 0, 1);
  }
});

const sliding = {
  ...llama,
  architectures: ['Gemma3ForCausalLM'],
  sliding_window: 1024,
  sliding_window_pattern: 6,
  num_hidden_layers: 62,
};

const attentions: Record<string, [config: object, want: object]> = {
  'every sixth layer of Gemma 3 is full': [sliding, { kind: 'sliding', fullLayers: 10, slidingLayers: 52 }],
  'a window of Mistral is in all layers': [
    { ...llama, architectures: ['MistralForCausalLM'], model_type: 'mistral', sliding_window: 4096 },
    { kind: 'sliding', fullLayers: 0, slidingLayers: 80 },
  ],
  'a window of Qwen2 that is off does not count': [
    { ...llama, architectures: ['Qwen2ForCausalLM'], sliding_window: 4096, use_sliding_window: false },
    { kind: 'gqa' },
  ],
  'a Mamba pattern is counted': [
    {
      ...llama,
      architectures: ['NemotronHForCausalLM'],
      hybrid_override_pattern: 'MEM*EM-',
      mamba_num_heads: 64,
      mamba_head_dim: 64,
      ssm_state_size: 128,
      n_groups: 8,
      conv_kernel: 4,
    },
    { kind: 'hybrid-mamba', attentionLayers: 1, mambaLayers: 3 },
  ],
};

test.each(Object.entries(attentions))('%s', (_, [config, want]) => {
  const read = readModelConfig(config as never, { ...KNOWN, weightBytes: 1 });
  expect(read).toMatchObject({ row: { attention: want } });
});

const quantizations: Record<string, [stated: object | undefined, want: string]> = {
  none: [undefined, 'bf16'],
  'compressed-tensors with floats of eight bits': [
    { quant_method: 'compressed-tensors', config_groups: { group_0: { weights: { num_bits: 8, type: 'float' } } } },
    'fp8',
  ],
  'compressed-tensors with integers of four bits': [
    { quant_method: 'compressed-tensors', config_groups: { group_0: { weights: { num_bits: 4, type: 'int' } } } },
    'int4',
  ],
  'modelopt with NVFP4': [{ quant_method: 'modelopt', quant_algo: 'NVFP4' }, 'nvfp4'],
  'modelopt with FP8': [{ quant_method: 'modelopt', quant_algo: 'FP8' }, 'fp8'],
  AWQ: [{ quant_method: 'awq', bits: 4 }, 'int4'],
  'GPTQ of eight bits': [{ quant_method: 'gptq', bits: 8 }, 'int8'],
};

test.each(Object.entries(quantizations))('weights of %s', (_, [quantization_config, want]) => {
  const read = readModelConfig({ ...llama, ...(quantization_config && { quantization_config }) }, KNOWN);
  expect(read).toMatchObject({ row: { quantization: want } });
});

const refused: Record<string, [config: object, want: object]> = {
  'an architecture that is not known': [
    { ...llama, architectures: ['FutureForCausalLM'] },
    { architecture: 'FutureForCausalLM' },
  ],
  'a configuration without an architecture': [{ ...llama, architectures: undefined }, { architecture: '' }],
  'layers that share a cache': [{ ...sliding, num_kv_shared_layers: 20 }, { architecture: 'Gemma3ForCausalLM' }],
  'figures that are not stated': [
    { ...deepseek, kv_lora_rank: undefined, num_hidden_layers: undefined },
    {
      missing: ['kv_lora_rank', 'num_hidden_layers', 'model.safetensors.index.json (metadata.total_size)'],
    },
  ],
  'a quantization that is not known': [
    { ...llama, quantization_config: { quant_method: 'new' } },
    { missing: ['quantization_config.quant_method (none that is known is stated)'] },
  ],
};

test.each(Object.entries(refused))('%s gives no row', (_, [config, want]) => {
  expect(readModelConfig(config as never, KNOWN)).toEqual(want);
});

test('the sum of the tensors is read from the index', () => {
  expect([totalSizeOf({ metadata: { total_size: 65_527_752_704 } }), totalSizeOf({}), totalSizeOf(null)]).toEqual([
    65_527_752_704,
    undefined,
    undefined,
  ]);
});
