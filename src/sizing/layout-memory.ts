import type { GibRange } from '../catalog/engine-overheads';
import type { ModelRow } from '../catalog/models/model-row';
import { stateBlocksOf } from './engine-version';
import { countRequests, countTokens, type KvPlan, planKvCache } from './kv-cache';
import { describeMisfit } from './layout-rules';
import {
  batchedTokensOf,
  utilizationOf,
  findOverhead,
  mapRange,
  overheadClassOf,
  overheadOf,
  type SizedGpu,
} from './overhead';
import { GIB, type Layout, type Weights, weightsOf, computeWeightsPerGpu } from './weights';
import type { ServingOptions } from './serving-options';
import { judge, type Verdict } from './verdict';

/** The memory of a GPU that serves a model in a layout, and what that comes to. */
export interface LayoutFit {
  /** Absent where neither weights nor parameters of the model are known. */
  readonly weightsGiBPerGpu: number | null;

  /** Null where no formula is known. */
  readonly kvBytesPerTokenPerGpu: number | null;
  readonly overheadGiBPerGpu: GibRange;
  readonly kvGiBPerGpu: GibRange;

  /** All ranks with their own requests together. */
  readonly kvTokens: GibRange | null;
  readonly concurrency: GibRange | null;
  readonly verdict: Verdict;

  /** The number that decides, as a clause. */
  readonly reason: string;
}

/** Computes whether a layout on a GPU serves a model, and how many requests it holds. */
export function fitLayout(model: ModelRow, gpu: SizedGpu, layout: Layout, options: ServingOptions): LayoutFit {
  const weights = weightsOf(model, options.quantization);
  const cache = planCache(model, gpu, layout, options);
  const { usableGiB, ...memory } = divideMemory({ model, gpu, options }, weights, layout);
  const requests = requestsOf(cache, memory.kvGiBPerGpu, layout, options);
  const misfit = describeMisfit(model, layout);
  return {
    ...memory,
    ...requests,
    ...judge({ cache, layout, options, misfit, usableGiB, ...memory, concurrency: requests.concurrency }),
  };
}

/** The KV cache of a GPU of a layout. */
export function planCache(model: ModelRow, gpu: SizedGpu, { tp, pp }: Layout, options: ServingOptions): KvPlan {
  return planKvCache(model, {
    tp,
    pp,
    bytes: options.kvBytes,
    blockTokens: BLOCK_TOKENS,
    latentBlockTokens: gpu.platform === 'cuda' ? LATENT_BLOCK_TOKENS : BLOCK_TOKENS,
    maxBatchedTokens: options.maxBatchedTokens ?? batchedTokensOf(gpu),
    stateBlocks: stateBlocksOf(options.engine),
  });
}

/** Tokens of a block in vLLM, and what the MLA kernels of NVIDIA GPUs ask for. */
const BLOCK_TOKENS = 16;
const LATENT_BLOCK_TOKENS = 64;

interface Case {
  readonly model: ModelRow;
  readonly gpu: SizedGpu;
  readonly options: ServingOptions;
}

interface GpuMemory {
  readonly usableGiB: number;
  readonly weightsGiBPerGpu: number | null;
  readonly overheadGiBPerGpu: GibRange;
  readonly kvGiBPerGpu: GibRange;
}

/** How wrong computed weights may be. */
const ESTIMATE_ERROR = 0.03;

function divideMemory({ model, gpu, options }: Case, weights: Weights | undefined, layout: Layout): GpuMemory {
  const { engine, utilization = utilizationOf(engine), kvGiB } = options;
  const usableGiB = gpu.memoryGiB * utilization;
  const ofGpu = weights ? computeWeightsPerGpu(weights, layout) : 0;
  const weightsGiBPerGpu = weights ? ofGpu : null;
  if (kvGiB !== undefined) {
    const rest = usableGiB - ofGpu - kvGiB;
    return { usableGiB, weightsGiBPerGpu, overheadGiBPerGpu: mapRange(() => rest), kvGiBPerGpu: mapRange(() => kvGiB) };
  }
  const row = findOverhead(engine, gpu, overheadClassOf(model));
  const maxBatchedTokens = options.maxBatchedTokens ?? batchedTokensOf(gpu);
  const overheadGiBPerGpu = overheadOf(row, gpu, { maxBatchedTokens, weightsGiB: ofGpu });
  const error = weights?.estimated ? ofGpu * ESTIMATE_ERROR : 0;
  const free = usableGiB - ofGpu;
  const kvGiBPerGpu = {
    low: free - error - overheadGiBPerGpu.high,
    expected: free - overheadGiBPerGpu.expected,
    high: free + error - overheadGiBPerGpu.low,
  };
  return { usableGiB, weightsGiBPerGpu, overheadGiBPerGpu, kvGiBPerGpu };
}

/** Every copy of the attention has its own cache and its own requests. */
function requestsOf(
  cache: KvPlan,
  kvGiB: GibRange,
  { dp }: Layout,
  { context }: ServingOptions,
): Pick<LayoutFit, 'kvBytesPerTokenPerGpu' | 'kvTokens' | 'concurrency'> {
  if (typeof cache === 'string') {
    const none = cache === 'none' ? 0 : null;
    return { kvBytesPerTokenPerGpu: none, kvTokens: null, concurrency: null };
  }
  return {
    kvBytesPerTokenPerGpu: cache.bytesPerToken,
    kvTokens: mapRange((key) => dp * countTokens(cache, kvGiB[key] * GIB, context)),
    concurrency: mapRange((key) => dp * countRequests(cache, kvGiB[key] * GIB, context)),
  };
}
