import type { Attention, LinearState, MambaState, ModelRow } from '../catalog/models/model-row';

/** How an engine keeps the KV cache of a model. */
export interface KvOptions {
  /** GPUs that share each layer. */
  readonly tp: number;

  /** Stages that share the layers. */
  readonly pp: number;

  /** Bytes of a number in the cache: 2 for bf16, 1 for fp8, 0.5625 for nvfp4. */
  readonly bytes: number;

  /** Tokens of a block of plain attention, and of MLA. */
  readonly blockTokens: number;
  readonly latentBlockTokens: number;

  /** The most tokens of a step. A sliding layer keeps its window and a step. */
  readonly maxBatchedTokens: number;

  /** Blocks that a request takes of each group of layers with a state. */
  readonly stateBlocks: number;
}

/**
 * The KV cache of one GPU, as blocks of one size. A block belongs to a group of layers; a request takes blocks of every
 * group. A model whose layers are all alike has one group.
 */
export interface KvCache {
  readonly blockBytes: number;
  readonly groups: readonly KvGroup[];

  /** Bytes that another token takes on a GPU once windows and states are full. */
  readonly bytesPerToken: number;
}

/** Groups of layers that are alike. */
interface KvGroup {
  readonly count: number;

  /** Tokens of a block. Zero for layers with a state of constant size. */
  readonly blockTokens: number;

  /** The most tokens that are kept. Absent: all. */
  readonly window?: number;

  /** Blocks that a request takes in addition. */
  readonly extraBlocks: number;
}

/** Encoders keep no cache, and of some models it is unknown. */
export type KvPlan = KvCache | 'none' | 'unknown';

/**
 * Computes the KV cache of a model on one GPU.
 *
 * The formulas are those of vLLM (`kv_cache_utils.py`) and agree with its logs: docs/sizing.md has the figures.
 */
export function planKvCache({ attention, layers }: Pick<ModelRow, 'attention' | 'layers'>, options: KvOptions): KvPlan {
  return (PLANNERS[attention.kind] as Planner)(attention, options, Math.ceil(layers / options.pp));
}

type Planner<A extends Attention = Attention> = (attention: A, options: KvOptions, layers: number) => KvPlan;

const PLANNERS: { readonly [K in Attention['kind']]: Planner<Extract<Attention, { kind: K }>> } = {
  gqa: (one, options, layers) =>
    uniformCache(layers * bytesOfHeads(one.kvHeads, one.headDim, options), options.blockTokens),
  mla: (one, options, layers) => uniformCache(layers * latentBytes(one, options), options.latentBlockTokens),
  'mla+indexer': (one, options, layers) =>
    uniformCache(layers * (latentBytes(one, options) + one.indexHeadDim + SCALE_BYTES), options.latentBlockTokens),
  sliding: planSliding,
  'hybrid-linear': ({ attentionLayers, linearLayers, kvHeads, headDim, linear }, options) =>
    planHybrid(
      { attentionLayers, stateLayers: linearLayers },
      { perToken: bytesOfHeads(kvHeads, headDim, options), state: linearStateBytes(linear, options.tp) },
      options,
    ),
  'hybrid-mamba': ({ attentionLayers, mambaLayers, kvHeads, headDim, mamba }, options) =>
    planHybrid(
      { attentionLayers, stateLayers: mambaLayers },
      { perToken: bytesOfHeads(kvHeads, headDim, options), state: mambaStateBytes(mamba, options.tp) },
      options,
    ),
  none: () => 'none',
  unknown: () => 'unknown',
};

/** The indexer of sparse MLA keeps an fp8 vector and a scale of 4 bytes. */
const SCALE_BYTES = 4;

/** KV heads are divided by TP, and copied where there are fewer than GPUs. */
function bytesOfHeads(kvHeads: number, headDim: number, { tp, bytes }: KvOptions): number {
  return 2 * Math.max(1, kvHeads / tp) * headDim * bytes;
}

/** Every GPU of a TP group keeps the whole vector. */
function latentBytes({ kvLoraRank, qkRopeHeadDim }: { kvLoraRank: number; qkRopeHeadDim: number }, options: KvOptions) {
  return (kvLoraRank + qkRopeHeadDim) * options.bytes;
}

function uniformCache(bytesPerToken: number, blockTokens: number): KvCache {
  return {
    blockBytes: bytesPerToken * blockTokens,
    bytesPerToken,
    groups: [{ count: 1, blockTokens, extraBlocks: 0 }],
  };
}

/** Blocks of both kinds of layers have equal bytes: the kind with fewer bytes a token has more tokens in a block. */
function planSliding(one: Extract<Attention, { kind: 'sliding' }>, options: KvOptions): KvCache {
  const full = bytesOfHeads(one.globalKvHeads ?? one.kvHeads, one.globalHeadDim ?? one.headDim, options);
  const sliding = bytesOfHeads(one.kvHeads, one.headDim, options);
  const layerBytes = Math.max(full, sliding) * options.blockTokens;
  const layers = [one.fullLayers, one.slidingLayers].map((count) => Math.ceil(count / options.pp));
  const size = groupSize(layers);
  const [fullGroups = 0, slidingGroups = 0] = layers.map((count) => Math.ceil(count / size));
  const window = one.slidingWindow - 1 + options.maxBatchedTokens;
  return {
    blockBytes: size * layerBytes,
    bytesPerToken: fullGroups * size * full,
    groups: [
      { count: fullGroups, blockTokens: Math.floor(layerBytes / full), extraBlocks: 0 },
      { count: slidingGroups, blockTokens: Math.floor(layerBytes / sliding), window, extraBlocks: 1 },
    ],
  };
}

interface HybridLayers {
  readonly attentionLayers: number;
  readonly stateLayers: number;
}

interface LayerBytes {
  /** Bytes of a token in a layer of attention. */
  readonly perToken: number;

  /** Bytes of the state in a layer that has one. */
  readonly state: number;
}

/** A block of attention has so many tokens that a state fits into it. */
function planHybrid({ attentionLayers, stateLayers }: HybridLayers, bytes: LayerBytes, options: KvOptions): KvCache {
  const { perToken, state } = bytes;
  const blockTokens = roundUp(Math.ceil(state / perToken), options.blockTokens);
  const layers = [attentionLayers, stateLayers].map((count) => Math.ceil(count / options.pp));
  const size = groupSize(layers);
  const [attentionGroups = 0, stateGroups = 0] = layers.map((count) => Math.ceil(count / size));
  return {
    blockBytes: size * blockTokens * perToken,
    bytesPerToken: attentionGroups * size * perToken,
    groups: [
      { count: attentionGroups, blockTokens, extraBlocks: 0 },
      { count: stateGroups, blockTokens: 0, extraBlocks: options.stateBlocks },
    ],
  };
}

/** From this ratio on, groups are as large as the rarer kind of layers; below, as the commoner one. */
const ALMOST_EQUAL = 1.25;

/** The layers of a group. Each kind of layers makes groups of this size; the last one may be padded. */
function groupSize(counts: readonly number[]): number {
  const present = counts.filter((count) => count > 0);
  const [fewest, most] = [Math.min(...present), Math.max(...present)];
  return most < fewest * ALMOST_EQUAL ? most : fewest;
}

/** The convolution keeps inputs of the dtype of the model. */
const CONV_BYTES = 2;

function linearStateBytes(one: LinearState, tp: number): number {
  const state = (one.valueHeads / tp) * one.keyDim * one.valueDim * one.stateBytes;
  const width = 2 * one.keyHeads * one.keyDim + one.valueHeads * one.valueDim;
  return state + (width / tp) * (one.conv - 1) * CONV_BYTES;
}

function mambaStateBytes(one: MambaState, tp: number): number {
  const state = (one.heads / tp) * one.headDim * one.state * one.stateBytes;
  const width = one.heads * one.headDim + 2 * one.groups * one.state;
  return state + (width / tp) * (one.conv - 1) * CONV_BYTES;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** How many requests of a length fit at once, as vLLM logs it: "Maximum concurrency". */
export function countRequests(cache: KvCache, kvBytes: number, length: number): number {
  const blocks = Math.floor(Math.max(0, kvBytes) / cache.blockBytes);
  return blocks / blocksOfRequest(cache, length);
}

/** Blocks that a request of a length takes. */
function blocksOfRequest({ groups }: KvCache, length: number): number {
  return groups.reduce((sum, { count, blockTokens, window = length, extraBlocks }) => {
    const kept = blockTokens === 0 ? 0 : Math.ceil(Math.min(window, length) / blockTokens);
    return sum + count * (kept + extraBlocks);
  }, 0);
}

/** Bytes that a number of requests of a length take on a GPU. */
export function bytesOfRequests(cache: KvCache, requests: number, length: number): number {
  return Math.ceil(requests * blocksOfRequest(cache, length)) * cache.blockBytes;
}

/**
 * How many tokens fit. For models with windows or states that depends on the length of requests: it is the number of
 * requests times their length.
 */
export function countTokens(cache: KvCache, kvBytes: number, length: number): number {
  const [first, ...others] = cache.groups;
  if (first && first.window === undefined && others.length === 0) {
    return Math.floor(Math.max(0, kvBytes) / cache.blockBytes) * first.blockTokens;
  }
  return Math.floor(countRequests(cache, kvBytes, length) * length);
}

/** The longest request that fits alone. Zero if none does. */
export function computeLongestRequest(cache: KvCache, kvBytes: number, limit: number): number {
  const fits = (length: number): boolean => bytesOfRequests(cache, 1, length) <= kvBytes;
  // Most models have room for all of their positions.
  if (fits(limit)) return limit;
  let [low, high] = [0, limit - 1];
  while (low < high) {
    const length = Math.ceil((low + high) / 2);
    if (fits(length)) low = length;
    else high = length - 1;
  }
  return low;
}
