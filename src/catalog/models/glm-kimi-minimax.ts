import type { ModelRow } from './model-row';
import { AICONFIGURATOR, BENCHMARKS, KAITO } from './model-sources';

const miniMaxM25 = {
  parameters: { total: 228.69, active: 11.03 },
  layers: 62,
  hidden: 3072,
  heads: 48,
  attention: { kind: 'gqa', kvHeads: 8, headDim: 128 },
  vocabulary: 200064,
  experts: { routed: 256, perToken: 8, intermediate: 1536 },
} as const;

const miniMaxM3 = {
  parameters: { total: 425.9, active: 25.69 },
  layers: 60,
  hidden: 6144,
  heads: 64,
  attention: { kind: 'gqa', kvHeads: 4, headDim: 128 },
  vocabulary: 200064,
  experts: { routed: 128, perToken: 4, shared: 1, intermediate: 3072 },
} as const;

const kimiK25 = {
  parameters: { total: 1026.41, active: 32.86 },
  layers: 61,
  hidden: 7168,
  heads: 64,
  attention: { kind: 'mla', kvLoraRank: 512, qkRopeHeadDim: 64 },
  vocabulary: 163840,
  experts: { routed: 384, perToken: 8, shared: 1, intermediate: 2048 },
} as const;

const gLM5 = {
  parameters: { total: 743.91, active: 41.78 },
  layers: 78,
  hidden: 6144,
  heads: 64,
  attention: { kind: 'mla+indexer', kvLoraRank: 512, qkRopeHeadDim: 64, indexHeadDim: 128 },
  vocabulary: 154880,
  experts: { routed: 256, perToken: 8, shared: 1, intermediate: 2048 },
} as const;

/** GLM, Kimi and MiniMax models. */
export const GLM_KIMI_MINIMAX_MODELS: readonly ModelRow[] = [
  {
    ...AICONFIGURATOR,
    ...miniMaxM25,
    repository: 'MiniMaxAI/MiniMax-M2.5',
    positions: 196608,
    quantization: 'fp8',
    weightsGiB: 216.08,
  },
  {
    ...AICONFIGURATOR,
    ...miniMaxM25,
    repository: 'MiniMaxAI/MiniMax-M2.7',
    positions: 204800,
    quantization: 'fp8',
    weightsGiB: 214.34,
  },
  {
    ...AICONFIGURATOR,
    ...miniMaxM25,
    repository: 'nvidia/MiniMax-M2.5-NVFP4',
    positions: 196608,
    quantization: 'nvfp4',
  },
  {
    ...AICONFIGURATOR,
    ...miniMaxM25,
    repository: 'nvidia/MiniMax-M2.7-NVFP4',
    positions: 196608,
    quantization: 'nvfp4',
  },
  {
    ...AICONFIGURATOR,
    ...miniMaxM3,
    repository: 'MiniMaxAI/MiniMax-M3',
    positions: 1048576,
    quantization: 'bf16',
    secondHand: ['parameters'],
  },
  {
    ...BENCHMARKS,
    ...miniMaxM3,
    repository: 'MiniMaxAI/MiniMax-M3-MXFP8',
    positions: 1048576,
    quantization: 'mxfp8',
    secondHand: ['parameters'],
  },
  {
    ...BENCHMARKS,
    ...miniMaxM3,
    repository: 'amd/MiniMax-M3-MXFP4',
    positions: 1048576,
    quantization: 'mxfp4',
    secondHand: ['parameters'],
  },
  {
    ...AICONFIGURATOR,
    ...miniMaxM3,
    repository: 'nvidia/MiniMax-M3-NVFP4',
    positions: 1048576,
    quantization: 'nvfp4',
    secondHand: ['parameters'],
  },
  { ...AICONFIGURATOR, ...kimiK25, repository: 'moonshotai/Kimi-K2-Instruct', positions: 131072, quantization: 'fp8' },
  {
    ...AICONFIGURATOR,
    ...kimiK25,
    repository: 'moonshotai/Kimi-K2.5',
    positions: 262144,
    quantization: 'int4',
    weightsGiB: 576.2,
  },
  {
    ...KAITO,
    ...kimiK25,
    repository: 'moonshotai/Kimi-K2.6',
    positions: 262144,
    quantization: 'int4',
    weightsGiB: 554.32,
  },
  {
    ...KAITO,
    ...kimiK25,
    repository: 'moonshotai/Kimi-K2.7-Code',
    positions: 262144,
    quantization: 'int4',
    weightsGiB: 554.32,
  },
  { ...AICONFIGURATOR, ...kimiK25, repository: 'nvidia/Kimi-K2.5-NVFP4', positions: 262144, quantization: 'nvfp4' },
  { ...AICONFIGURATOR, ...kimiK25, repository: 'nvidia/Kimi-K2.6-NVFP4', positions: 262144, quantization: 'nvfp4' },
  {
    ...AICONFIGURATOR,
    ...kimiK25,
    repository: 'nvidia/Kimi-K2.7-Code-NVFP4',
    positions: 262144,
    quantization: 'nvfp4',
  },
  { ...BENCHMARKS, ...gLM5, repository: 'amd/GLM-5.2-MXFP4', positions: 1048576, quantization: 'mxfp4' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'nvidia/GLM-5-NVFP4', positions: 202752, quantization: 'nvfp4' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'nvidia/GLM-5.1-NVFP4', positions: 202752, quantization: 'nvfp4' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'nvidia/GLM-5.2-NVFP4', positions: 1048576, quantization: 'nvfp4' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'zai-org/GLM-5', positions: 202752, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'zai-org/GLM-5-FP8', positions: 202752, quantization: 'fp8' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'zai-org/GLM-5.1', positions: 202752, quantization: 'bf16' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'zai-org/GLM-5.1-FP8', positions: 202752, quantization: 'fp8' },
  { ...AICONFIGURATOR, ...gLM5, repository: 'zai-org/GLM-5.2', positions: 1048576, quantization: 'bf16' },
  {
    ...AICONFIGURATOR,
    ...gLM5,
    repository: 'zai-org/GLM-5.2-FP8',
    positions: 1048576,
    quantization: 'fp8',
    weightsGiB: 703.75,
  },
];
