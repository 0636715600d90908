/**
 * What a runtime accepts as the value of some flags. Count: a whole number of 1 or more. Length: a count, also as `8k`.
 * Share: a number above 0, up to 1. Otherwise the words, of which some releases may have more.
 */
export interface FlagValues {
  readonly flags: readonly string[];
  readonly accepts: 'Count' | 'Length' | 'Share' | readonly string[];

  /** Other values that it accepts. */
  readonly or?: readonly string[];

  /** Whether every release has the same words. Default: a further word may be one of another release. */
  readonly final?: true;
}

/** The number formats of vLLM and of SGLang, which took them over. */
const DTYPES = ['auto', 'half', 'float16', 'bfloat16', 'float', 'float32'] as const;

/** `CacheDType` of vllm/config/cache.py, in its main branch: releases have some of them. */
const VLLM_CACHE_DTYPES = [
  'auto',
  'float16',
  'bfloat16',
  'fp8',
  'fp8_e4m3',
  'fp8_e5m2',
  'fp8_inc',
  'fp8_ds_mla',
  'nvfp4_ds_mla',
  'turboquant_k8v4',
  'turboquant_4bit_nc',
  'turboquant_k3v4_nc',
  'turboquant_3bit_nc',
  'int4_per_token_head',
  'int8_per_token_head',
  'fp8_per_token_head',
  'nvfp4',
  'nvfp4_4over6',
] as const;

/** vLLM. Facts: docs.vllm.ai, CLI reference of `vllm serve`; `QuantizationMethods` of 0.23.0, and of earlier releases. */
export const VLLM_VALUES: readonly FlagValues[] = [
  { flags: ['--tensor-parallel-size', '-tp'], accepts: 'Count' },
  { flags: ['--pipeline-parallel-size', '-pp'], accepts: 'Count' },
  { flags: ['--data-parallel-size', '-dp'], accepts: 'Count' },
  { flags: ['--max-num-seqs'], accepts: 'Length' },
  { flags: ['--max-num-batched-tokens'], accepts: 'Length' },
  { flags: ['--max-model-len'], accepts: 'Length', or: ['auto', '-1'] },
  { flags: ['--gpu-memory-utilization'], accepts: 'Share' },
  { flags: ['--dtype'], accepts: DTYPES, final: true },
  { flags: ['--kv-cache-dtype'], accepts: VLLM_CACHE_DTYPES },
  { flags: ['--runner'], accepts: ['auto', 'generate', 'pooling', 'draft'] },
  {
    flags: ['--quantization', '-q'],
    accepts: [
      'auto-round',
      'auto_gptq',
      'awq',
      'awq_marlin',
      'bitblas',
      'bitsandbytes',
      'compressed-tensors',
      'cpu_awq',
      'deepseek_v4_fp8',
      'deepspeedfp',
      'experts_int8',
      'fbgemm_fp8',
      'fp8',
      'fp8_per_block',
      'fp8_per_tensor',
      'fp_quant',
      'gguf',
      'gpt_oss_mxfp4',
      'gptq',
      'gptq_bitblas',
      'gptq_marlin',
      'gptq_marlin_24',
      'hqq',
      'humming',
      'inc',
      'int8_per_channel_weight_only',
      'ipex',
      'modelopt',
      'modelopt_fp4',
      'modelopt_mixed',
      'modelopt_mxfp8',
      'moe_wna16',
      'mxfp4',
      'mxfp8',
      'online',
      'petit_nvfp4',
      'ptpc_fp8',
      'quark',
      'rtn',
      'torchao',
      'tpu_int8',
    ],
    or: ['None', 'none'],
  },
];

/** SGLang. Facts: docs.sglang.ai, server arguments. */
export const SGLANG_VALUES: readonly FlagValues[] = [
  { flags: ['--tp-size', '--tensor-parallel-size', '--tp'], accepts: 'Count' },
  { flags: ['--pp-size', '--pipeline-parallel-size', '--pp'], accepts: 'Count' },
  { flags: ['--dp-size', '--data-parallel-size', '--dp'], accepts: 'Count' },
  { flags: ['--context-length'], accepts: 'Count' },
  { flags: ['--mem-fraction-static'], accepts: 'Share' },
  { flags: ['--dtype'], accepts: DTYPES, final: true },
  { flags: ['--kv-cache-dtype'], accepts: ['auto', 'fp8_e5m2', 'fp8_e4m3', 'bf16', 'bfloat16', 'fp4_e2m1'] },
];
