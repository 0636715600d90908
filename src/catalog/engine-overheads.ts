import type { SizedPlatform } from './gpu-figures';
import type { SourcedRow } from './row-types';

/** A figure with its range. */
export interface GibRange {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** Models of which an engine takes the same in addition to weights and KV cache. */
export type OverheadClass = 'dense' | 'moe' | 'latent' | 'hybrid' | 'other';

/** What an engine takes on a GPU in addition to weights and KV cache: activations, CUDA graphs, NCCL. */
export interface OverheadRow extends SourcedRow {
  /** The engine, as in `--engine`. `*`: any other. */
  readonly engine: string;

  /** The versions: from this one on, and below the other one. Default: all. */
  readonly from?: string;
  readonly below?: string;
  readonly platform: SizedPlatform;

  /** Kinds of models. Default: all. */
  readonly models?: readonly OverheadClass[];

  /** GiB a GPU at steps of 8,192 tokens. */
  readonly giB: GibRange;

  /** The share of the weights that it takes again, where kernels store them in another layout. Default: none. */
  readonly weightsShare?: GibRange;

  /** Logged runs that it rests on. */
  readonly runs: number;
}

const RUNS = { source: 'vLLM logs of public performance runs (psap, llm-d-planner) and issues', asOf: '2026-11-22' };
const GUESS = { source: 'no logged run; the range of all vLLM runs', asOf: '2026-11-22', secondHand: ['giB'], runs: 0 };

const vllm = { ...RUNS, engine: 'vllm' } as const;
const cuda = { ...vllm, platform: 'cuda' } as const;
const rocm = { ...vllm, platform: 'rocm' } as const;
const early = { below: '0.17' } as const;
const middle = { from: '0.17', below: '0.20' } as const;
const late = { from: '0.20' } as const;

/** ROCm kernels store weights of experts, and fp8 weights, in layouts of their own. */
const denseLayouts = { low: 0, expected: 0, high: 0.2 };
const expertLayouts = { low: 0, expected: 0.03, high: 0.36 };

/** The first row that matches decides. */
export const OVERHEADS: readonly OverheadRow[] = [
  // Without chunked prefill, a step has as many tokens as the longest request.
  { ...cuda, below: '0.8', giB: { low: 1.5, expected: 5, high: 11 }, runs: 4 },
  { ...cuda, ...early, models: ['dense'], giB: { low: 2, expected: 5.3, high: 6.5 }, runs: 20 },
  { ...cuda, ...early, models: ['moe', 'other'], giB: { low: 3.5, expected: 6.8, high: 9.5 }, runs: 8 },
  { ...cuda, ...early, models: ['latent'], giB: { low: 2.5, expected: 5.8, high: 8 }, runs: 4 },
  { ...cuda, ...early, models: ['hybrid'], giB: { low: 4, expected: 5.2, high: 7.5 }, runs: 3 },
  { ...cuda, ...middle, models: ['dense'], giB: { low: 2, expected: 3.8, high: 5 }, runs: 8 },
  { ...cuda, ...middle, models: ['moe', 'other'], giB: { low: 2.5, expected: 4.3, high: 6.5 }, runs: 6 },
  { ...cuda, ...middle, models: ['latent'], giB: { low: 4, expected: 5.3, high: 7 }, runs: 8 },
  { ...cuda, ...middle, models: ['hybrid'], giB: { low: 2, expected: 4.3, high: 7.5 }, runs: 13 },
  { ...cuda, ...late, models: ['dense'], giB: { low: 1.2, expected: 4.5, high: 6 }, runs: 4 },
  { ...cuda, ...late, models: ['moe'], giB: { low: 2, expected: 5, high: 8 }, runs: 3 },
  { ...cuda, ...late, models: ['latent'], giB: { low: 2.5, expected: 6.5, high: 8.5 }, runs: 1 },
  { ...cuda, ...late, models: ['hybrid'], giB: { low: 2, expected: 4, high: 7.5 }, runs: 2 },
  { ...cuda, ...late, models: ['other'], giB: { low: 4, expected: 9, high: 12.5 }, runs: 2 },
  {
    ...rocm,
    below: '0.17',
    models: ['dense'],
    giB: { low: 2.8, expected: 5.8, high: 7.5 },
    weightsShare: denseLayouts,
    runs: 11,
  },
  {
    ...rocm,
    below: '0.17',
    giB: { low: 6, expected: 8.5, high: 12 },
    weightsShare: expertLayouts,
    runs: 9,
  },
  {
    ...rocm,
    from: '0.17',
    models: ['dense'],
    giB: { low: 2.5, expected: 3.3, high: 6.5 },
    weightsShare: denseLayouts,
    runs: 3,
  },
  {
    ...rocm,
    from: '0.17',
    giB: { low: 4, expected: 6, high: 10 },
    weightsShare: expertLayouts,
    runs: 2,
  },
  { ...GUESS, engine: '*', platform: 'cuda', giB: { low: 1.5, expected: 5.5, high: 10 } },
  {
    ...GUESS,
    engine: '*',
    platform: 'rocm',
    giB: { low: 2.5, expected: 8, high: 12 },
    weightsShare: expertLayouts,
  },
  { ...GUESS, engine: '*', platform: 'tpu', giB: { low: 1.5, expected: 5.5, high: 10 } },
];

/** The newest version of which a run is logged, by engine. The figures of other engines rest on no run. */
export const NEWEST_LOGGED: Readonly<Record<string, string>> = { vllm: '0.24' };

/** The share of a GPU's memory that an engine takes by default. */
export interface UtilizationRow extends SourcedRow {
  readonly engine: string;
  readonly below?: string;
  readonly share: number;
}

/** The first row that matches decides. */
export const UTILIZATIONS: readonly UtilizationRow[] = [
  { engine: 'vllm', below: '0.20', share: 0.9, source: 'docs.vllm.ai, CacheConfig', asOf: '2026-11-22' },
  { engine: 'vllm', share: 0.92, source: 'docs.vllm.ai, CacheConfig', asOf: '2026-11-22' },
  {
    engine: '*',
    share: 0.95,
    source: 'general knowledge: other engines take what is free after the weights, with a margin',
    asOf: '2026-11-22',
    secondHand: ['share'],
  },
];

/** The names of engines in `--engine` and in measurements: those with figures of their own, and others. */
export const SIZED_ENGINES: readonly string[] = [
  'vllm',
  'sglang',
  'tensorrt-llm',
  'trt',
  'tgi',
  'lmdeploy',
  'llama.cpp',
  'atom',
];
