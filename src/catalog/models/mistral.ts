import type { ModelRow } from './model-row';
import { AICONFIGURATOR, KAITO, LITGPT, RUNS } from './model-sources';

const mistral7B = {
  parameters: { total: 7.25, active: 7.25 },
  layers: 32,
  hidden: 4096,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 32768,
} as const;

const ministral314B = {
  layers: 40,
  hidden: 5120,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
} as const;

const mixtral8x22B = {
  parameters: { total: 140.62, active: 39.15 },
  layers: 56,
  hidden: 6144,
  heads: 48,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 32000,
  experts: { routed: 8, perToken: 2, intermediate: 16384 },
  positions: 65536,
  quantization: 'bf16',
} as const;

const mixtral8x7B = {
  parameters: { total: 46.7, active: 12.88 },
  layers: 32,
  hidden: 4096,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 32000,
  experts: { routed: 8, perToken: 2, intermediate: 14336 },
  positions: 32768,
  quantization: 'bf16',
} as const;

/** Mistral models. */
export const MISTRAL_MODELS: readonly ModelRow[] = [
  { ...AICONFIGURATOR, ...mixtral8x22B, repository: 'mistralai/Mixtral-8x22B-v0.1' },
  { ...LITGPT, ...mixtral8x22B, repository: 'mistralai/Mixtral-8x22B-Instruct-v0.1', vocabulary: 32768 },
  { ...AICONFIGURATOR, ...mixtral8x7B, repository: 'mistralai/Mixtral-8x7B-v0.1' },
  { ...LITGPT, ...mixtral8x7B, repository: 'mistralai/Mixtral-8x7B-Instruct-v0.1' },
  {
    ...LITGPT,
    ...mistral7B,
    repository: 'mistralai/Mistral-7B-Instruct-v0.3',
    positions: 32768,
    quantization: 'bf16',
    weightsGiB: 13.5,
  },
  {
    ...KAITO,
    ...mistral7B,
    repository: 'mistralai/Mistral-7B-v0.3',
    positions: 32768,
    quantization: 'bf16',
    weightsGiB: 13.5,
  },
  {
    ...LITGPT,
    repository: 'mistralai/Mistral-Large-Instruct-2411',
    parameters: { total: 122.61, active: 122.61 },
    layers: 88,
    hidden: 12288,
    heads: 96,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    vocabulary: 32768,
    positions: 32768,
    quantization: 'bf16',
  },
  {
    ...KAITO,
    repository: 'mistralai/Ministral-3-3B-Instruct-2512',
    layers: 26,
    hidden: 3072,
    heads: 32,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 4.35,
  },
  {
    ...KAITO,
    repository: 'mistralai/Ministral-3-8B-Instruct-2512',
    layers: 34,
    hidden: 4096,
    heads: 32,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 9.7,
  },
  {
    ...RUNS,
    ...ministral314B,
    repository: 'RedHatAI/Ministral-3-14B-Instruct-2512',
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 14.71,
  },
  {
    ...KAITO,
    ...ministral314B,
    repository: 'mistralai/Ministral-3-14B-Instruct-2512',
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 14.65,
  },
  {
    ...RUNS,
    ...ministral314B,
    repository: 'mistralai/Ministral-3-14B-Reasoning-2512',
    positions: 262144,
    quantization: 'bf16',
    weightsGiB: 30.55,
  },
  {
    source: 'llm-d-planner docs/empirical-vllm-memory-results.md',
    asOf: '2026-11-22',
    ...ministral314B,
    repository: 'mistralai/Mistral-Small-3.2-24B-Instruct-2506',
    positions: 131072,
    quantization: 'bf16',
    weightsGiB: 44.76,
    secondHand: ['positions'],
  },
];
