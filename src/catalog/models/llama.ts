import type { ModelRow } from './model-row';
import { AICONFIGURATOR, KAITO, LITGPT, RUNS } from './model-sources';

const llama4Maverick17B128E = {
  layers: 48,
  hidden: 5120,
  heads: 40,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 202048,
  experts: { routed: 128, perToken: 1 },
} as const;

const metaLlama31405B = {
  parameters: { total: 405.85, active: 405.85 },
  layers: 126,
  hidden: 16384,
  heads: 128,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 128256,
} as const;

const metaLlama3170B = {
  parameters: { total: 70.55, active: 70.55 },
  layers: 80,
  hidden: 8192,
  heads: 64,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 128256,
} as const;

const metaLlama318B = {
  parameters: { total: 8.03, active: 8.03 },
  layers: 32,
  hidden: 4096,
  heads: 32,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 128256,
} as const;

/** Repositories with one shape, and their longest context. Those of Llama 3.1 have a name with `Meta-` and one without. */
const LITGPT_REPOSITORIES = [
  { shape: metaLlama318B, positions: 8192, names: ['Meta-Llama-3-8B', 'Meta-Llama-3-8B-Instruct'] },
  { shape: metaLlama3170B, positions: 8192, names: ['Meta-Llama-3-70B', 'Meta-Llama-3-70B-Instruct'] },
  { shape: metaLlama318B, positions: 131072, names: ['Llama-3.1-8B', 'Meta-Llama-3.1-8B-Instruct'] },
  {
    shape: metaLlama3170B,
    positions: 131072,
    names: ['Llama-3.1-70B', 'Llama-3.1-70B-Instruct', 'Meta-Llama-3.1-70B-Instruct'],
  },
  {
    shape: metaLlama31405B,
    positions: 131072,
    names: ['Llama-3.1-405B', 'Llama-3.1-405B-Instruct', 'Meta-Llama-3.1-405B-Instruct'],
  },
] as const;

/** Llama models. */
export const LLAMA_MODELS: readonly ModelRow[] = [
  ...LITGPT_REPOSITORIES.flatMap(({ shape, positions, names }) =>
    names.map((name): ModelRow => {
      return { ...LITGPT, ...shape, repository: `meta-llama/${name}`, positions, quantization: 'bf16' };
    }),
  ),
  {
    ...LITGPT,
    ...metaLlama3170B,
    repository: 'nvidia/Llama-3.1-Nemotron-70B-Instruct-HF',
    positions: 131072,
    quantization: 'bf16',
  },
  {
    ...RUNS,
    ...llama4Maverick17B128E,
    repository: 'RedHatAI/Llama-4-Maverick-17B-128E-Instruct-FP8',
    positions: 1048576,
    quantization: 'fp8',
    weightsGiB: 390.94,
  },
  {
    ...AICONFIGURATOR,
    ...llama4Maverick17B128E,
    repository: 'meta-llama/Llama-4-Maverick-17B-128E-Instruct',
    positions: 1048576,
    quantization: 'bf16',
    weightsGiB: 750.28,
  },
  {
    ...AICONFIGURATOR,
    ...metaLlama31405B,
    repository: 'meta-llama/Meta-Llama-3.1-405B',
    positions: 131072,
    quantization: 'bf16',
  },
  {
    ...RUNS,
    ...metaLlama31405B,
    repository: 'meta-llama/Meta-Llama-3.1-405B-Instruct-FP8',
    positions: 131072,
    quantization: 'fp8',
    weightsGiB: 462.02,
  },
  {
    ...RUNS,
    ...metaLlama3170B,
    repository: 'RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic',
    positions: 131072,
    quantization: 'fp8',
    weightsGiB: 67.84,
  },
  {
    ...LITGPT,
    ...metaLlama3170B,
    repository: 'meta-llama/Llama-3.3-70B-Instruct',
    positions: 131072,
    quantization: 'bf16',
    weightsGiB: 131.56,
  },
  {
    ...AICONFIGURATOR,
    ...metaLlama3170B,
    repository: 'meta-llama/Meta-Llama-3.1-70B',
    positions: 131072,
    quantization: 'bf16',
  },
  {
    ...RUNS,
    ...metaLlama3170B,
    repository: 'neuralmagic/Meta-Llama-3.1-70B-Instruct-quantized.w8a8',
    positions: 131072,
    quantization: 'int8',
    weightsGiB: 67.72,
  },
  {
    ...AICONFIGURATOR,
    ...metaLlama3170B,
    repository: 'nvidia/Llama-3.1-70B-Instruct-FP8',
    positions: 131072,
    quantization: 'fp8',
  },
  {
    ...KAITO,
    ...metaLlama318B,
    repository: 'meta-llama/Llama-3.1-8B-Instruct',
    positions: 131072,
    quantization: 'bf16',
    weightsGiB: 14.99,
  },
  {
    ...AICONFIGURATOR,
    ...metaLlama318B,
    repository: 'meta-llama/Meta-Llama-3.1-8B',
    positions: 131072,
    quantization: 'bf16',
  },
  {
    ...LITGPT,
    repository: 'meta-llama/Llama-3.2-1B-Instruct',
    parameters: { total: 1.24, active: 1.24 },
    layers: 16,
    hidden: 2048,
    heads: 32,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 64 },
    vocabulary: 128256,
    tied: true,
    positions: 131072,
    quantization: 'bf16',
  },
  {
    ...LITGPT,
    repository: 'meta-llama/Llama-3.2-3B-Instruct',
    parameters: { total: 3.21, active: 3.21 },
    layers: 28,
    hidden: 3072,
    heads: 24,
    attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
    vocabulary: 128256,
    tied: true,
    positions: 131072,
    quantization: 'bf16',
  },
];
