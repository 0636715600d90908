import {
  OVERHEADS,
  type OverheadClass,
  type OverheadRow,
  type GibRange,
  UTILIZATIONS,
} from '../catalog/engine-overheads';
import type { SizedPlatform } from '../catalog/gpu-figures';
import type { ModelRow } from '../catalog/models/model-row';
import { type EngineVersion, isVersionIn } from './engine-version';

/** A GPU as sizing sees it. */
export interface SizedGpu {
  /** The name in the catalog. */
  readonly name: string;

  /** What CUDA, HIP or XLA reports as total. */
  readonly memoryGiB: number;
  readonly platform: SizedPlatform;
}

/** The kind of a model in the table of overheads. */
export function overheadClassOf({ attention, experts }: ModelRow): OverheadClass {
  if (attention.kind === 'unknown') return 'other';
  if (attention.kind.startsWith('mla')) return 'latent';
  if (attention.kind.startsWith('hybrid')) return 'hybrid';
  return experts ? 'moe' : 'dense';
}

/** The row of the table that applies. */
export function findOverhead({ name, version }: EngineVersion, gpu: SizedGpu, kind: OverheadClass): OverheadRow {
  const found = OVERHEADS.find(
    (row) =>
      (row.engine === name || row.engine === '*') &&
      row.platform === gpu.platform &&
      (row.models?.includes(kind) ?? true) &&
      (row.engine === '*' || isVersionIn(version, row)),
  );
  if (!found) throw new Error(`bug: no overhead of ${name} on ${gpu.platform}`);
  return found;
}

/** The share of the memory of a GPU that an engine takes by default. */
export function utilizationOf({ name, version }: EngineVersion): number {
  const row = UTILIZATIONS.find(
    ({ engine, below }) => engine === '*' || (engine === name && isVersionIn(version, { below })),
  );
  return row?.share ?? 1;
}

/** The tokens of a step that the table is for. */
const TABLE_TOKENS = 8192;

/** The tokens of a step on smaller GPUs, and from how many GiB on the larger number is the default. */
const SMALL_GPU_TOKENS = 2048;
const LARGE_GPU_GIB = 70;

/** The most tokens of a step by default: `max-num-batched-tokens` of an API server. */
export function batchedTokensOf({ memoryGiB, name }: SizedGpu): number {
  return memoryGiB >= LARGE_GPU_GIB && !name.toLowerCase().includes('a100') ? TABLE_TOKENS : SMALL_GPU_TOKENS;
}

/** The part of the overhead that grows with the tokens of a step: activations. */
const ACTIVATION_SHARE = 0.75;

/** What an engine takes on a GPU in addition to weights and KV cache, in GiB. */
export function overheadOf({ giB, weightsShare }: OverheadRow, gpu: SizedGpu, step: Step): GibRange {
  const usual = batchedTokensOf(gpu);
  const { maxBatchedTokens, weightsGiB } = step;
  // Smaller steps may not help: the sampler is profiled with as many requests as before.
  const tokens = {
    low: Math.min(usual, maxBatchedTokens),
    expected: maxBatchedTokens,
    high: Math.max(usual, maxBatchedTokens),
  };
  return mapRange((key) => giB[key] * scaleOf(tokens[key]) + (weightsShare?.[key] ?? 0) * weightsGiB);
}

interface Step {
  readonly maxBatchedTokens: number;

  /** Weights on the GPU. */
  readonly weightsGiB: number;
}

function scaleOf(tokens: number): number {
  const ratio = Math.max(SMALL_GPU_TOKENS / TABLE_TOKENS, tokens / TABLE_TOKENS);
  return 1 - ACTIVATION_SHARE + ACTIVATION_SHARE * ratio;
}

/** A range whose figures are computed one by one. */
export function mapRange(compute: (key: keyof GibRange) => number): GibRange {
  return { low: compute('low'), expected: compute('expected'), high: compute('high') };
}
