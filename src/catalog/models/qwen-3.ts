import type { ModelRow } from './model-row';
import { AICONFIGURATOR, CARDS, KAITO, LITGPT, RUNS } from './model-sources';

const qwen317B = {
  parameters: { total: 1.72, active: 1.72 },
  layers: 28,
  hidden: 2048,
  heads: 16,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 151936,
  tied: true,
} as const;

const qwen3235BA22B = {
  parameters: { total: 235.09, active: 22.19 },
  layers: 94,
  hidden: 4096,
  heads: 64,
  attention: { kind: 'gqa', kvHeads: 4, headDim: 128 },
  vocabulary: 151936,
  experts: { routed: 128, perToken: 8, intermediate: 1536 },
} as const;

const qwen330BA3B = {
  parameters: { total: 30.53, active: 3.35 },
  layers: 48,
  hidden: 2048,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 4, headDim: 128 },
  vocabulary: 151936,
  experts: { routed: 128, perToken: 8, intermediate: 768 },
} as const;

const qwen332B = {
  parameters: { total: 32.76, active: 32.76 },
  layers: 64,
  hidden: 5120,
  intermediate: 25600,
  heads: 64,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 151936,
} as const;

const qwen38B = {
  parameters: { total: 8.19, active: 8.19 },
  layers: 36,
  hidden: 4096,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 151936,
} as const;

const qwen34B = {
  parameters: { total: 4.02, active: 4.02 },
  layers: 36,
  hidden: 2560,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 151936,
  tied: true,
} as const;

const qwen3Coder480B = {
  parameters: { total: 480.15, active: 35.47 },
  layers: 62,
  hidden: 6144,
  heads: 96,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 151936,
  experts: { routed: 160, perToken: 8, intermediate: 2560 },
  positions: 262144,
} as const;

/** fp8 weights of which blocks share a scale. */
const FP8_BLOCKS = { quantization: 'fp8', weightBlock: 128 } as const;

/** Qwen3 models whose layers all keep keys and values. */
export const QWEN_3_MODELS: readonly ModelRow[] = [
  {
    ...AICONFIGURATOR,
    repository: 'Qwen/Qwen3-0.6B',
    parameters: { total: 0.6, active: 0.6 },
    layers: 28,
    hidden: 1024,
    heads: 16,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    vocabulary: 151936,
    tied: true,
    positions: 40960,
    quantization: 'bf16',
    weightsGiB: 1.12,
  },
  { ...AICONFIGURATOR, ...qwen317B, repository: 'Qwen/Qwen3-1.7B', positions: 40960, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...qwen317B, repository: 'Qwen/Qwen3-VL-2B-Instruct', positions: 262144, quantization: 'bf16' },
  {
    ...AICONFIGURATOR,
    ...qwen3235BA22B,
    repository: 'Qwen/Qwen3-235B-A22B',
    positions: 40960,
    quantization: 'bf16',
    weightsGiB: 438.4,
  },
  { ...AICONFIGURATOR, ...qwen3235BA22B, ...FP8_BLOCKS, repository: 'Qwen/Qwen3-235B-A22B-FP8', positions: 40960 },
  {
    ...RUNS,
    ...qwen3235BA22B,
    repository: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
    positions: 262144,
    quantization: 'bf16',
    weightsGiB: 438.4,
  },
  {
    ...CARDS,
    ...qwen3235BA22B,
    ...FP8_BLOCKS,
    repository: 'Qwen/Qwen3-235B-A22B-Instruct-2507-FP8',
    positions: 262144,
  },
  {
    ...AICONFIGURATOR,
    ...qwen3235BA22B,
    repository: 'Qwen/Qwen3-VL-235B-A22B-Instruct',
    positions: 262144,
    quantization: 'bf16',
  },
  {
    ...RUNS,
    ...qwen3235BA22B,
    ...FP8_BLOCKS,
    repository: 'Qwen/Qwen3-VL-235B-A22B-Instruct-FP8',
    positions: 262144,
    weightsGiB: 223.48,
  },
  {
    ...RUNS,
    ...qwen3235BA22B,
    repository: 'RedHatAI/Qwen3-235B-A22B-FP8-dynamic',
    positions: 40960,
    quantization: 'fp8',
    weightsGiB: 220.81,
  },
  {
    ...AICONFIGURATOR,
    ...qwen3235BA22B,
    repository: 'nvidia/Qwen3-235B-A22B-NVFP4',
    positions: 40960,
    quantization: 'nvfp4',
  },
  { ...AICONFIGURATOR, ...qwen330BA3B, repository: 'Qwen/Qwen3-30B-A3B', positions: 40960, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...qwen330BA3B, ...FP8_BLOCKS, repository: 'Qwen/Qwen3-30B-A3B-FP8', positions: 40960 },
  { ...CARDS, ...qwen330BA3B, repository: 'Qwen/Qwen3-30B-A3B-Instruct-2507', positions: 262144, quantization: 'bf16' },
  {
    ...CARDS,
    ...qwen330BA3B,
    ...FP8_BLOCKS,
    repository: 'Qwen/Qwen3-30B-A3B-Instruct-2507-FP8',
    positions: 262144,
  },
  {
    ...AICONFIGURATOR,
    ...qwen330BA3B,
    repository: 'Qwen/Qwen3-VL-30B-A3B-Instruct',
    positions: 262144,
    quantization: 'bf16',
    weightsGiB: 58.23,
  },
  {
    ...AICONFIGURATOR,
    ...qwen332B,
    repository: 'Qwen/Qwen3-32B',
    positions: 40960,
    quantization: 'bf16',
    weightsGiB: 61.03,
  },
  { ...AICONFIGURATOR, ...qwen332B, ...FP8_BLOCKS, repository: 'Qwen/Qwen3-32B-FP8', positions: 40960 },
  {
    ...AICONFIGURATOR,
    ...qwen332B,
    repository: 'Qwen/Qwen3-32B-FP8-Static-PerTensor',
    positions: 40960,
    quantization: 'fp8',
  },
  { ...AICONFIGURATOR, ...qwen332B, repository: 'Qwen/Qwen3-VL-32B-Instruct', positions: 262144, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...qwen332B, repository: 'Qwen/Qwen3-VL-32B-Thinking', positions: 262144, quantization: 'bf16' },
  {
    ...AICONFIGURATOR,
    ...qwen38B,
    repository: 'Qwen/Qwen3-8B',
    positions: 40960,
    quantization: 'bf16',
    weightsGiB: 15.27,
  },
  { ...KAITO, ...qwen38B, repository: 'Qwen/Qwen3-8B-AWQ', positions: 40960, quantization: 'int4', weightsGiB: 5.68 },
  { ...AICONFIGURATOR, ...qwen38B, repository: 'Qwen/Qwen3-VL-8B-Instruct', positions: 262144, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...qwen3Coder480B, repository: 'Qwen/Qwen3-Coder-480B-A35B-Instruct', quantization: 'bf16' },
  { ...CARDS, ...qwen3Coder480B, ...FP8_BLOCKS, repository: 'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8' },
  { ...LITGPT, ...qwen34B, repository: 'Qwen/Qwen3-4B', positions: 40960, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...qwen34B, repository: 'Qwen/Qwen3-VL-4B-Instruct', positions: 262144, quantization: 'bf16' },
  {
    ...LITGPT,
    repository: 'Qwen/Qwen3-14B',
    parameters: { total: 14.77, active: 14.77 },
    layers: 40,
    hidden: 5120,
    heads: 40,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    vocabulary: 151936,
    positions: 40960,
    quantization: 'bf16',
  },
];
