import type { Attention } from '../../src/catalog/models/model-row';
import {
  bytesOfRequests,
  countRequests,
  countTokens,
  type KvCache,
  planKvCache,
  computeLongestRequest,
} from '../../src/sizing/kv-cache';

const GIB = 2 ** 30;
const OPTIONS = {
  tp: 1,
  pp: 1,
  bytes: 2,
  blockTokens: 16,
  latentBlockTokens: 64,
  maxBatchedTokens: 8192,
  stateBlocks: 1,
};

const llama: Attention = { kind: 'gqa', kvHeads: 8, headDim: 128 };
const deepseek: Attention = { kind: 'mla', kvLoraRank: 512, qkRopeHeadDim: 64 };
const qwen: Attention = {
  kind: 'hybrid-linear',
  attentionLayers: 15,
  linearLayers: 45,
  kvHeads: 2,
  headDim: 256,
  linear: { keyHeads: 16, valueHeads: 64, keyDim: 128, valueDim: 128, conv: 4, stateBytes: 4 },
};
const gemma: Attention = {
  kind: 'sliding',
  fullLayers: 10,
  slidingLayers: 50,
  slidingWindow: 1024,
  kvHeads: 16,
  headDim: 256,
  globalKvHeads: 4,
  globalHeadDim: 512,
};

function cacheOf(attention: Attention, layers: number, options: Partial<typeof OPTIONS> = {}): KvCache {
  const plan = planKvCache({ attention, layers }, { ...OPTIONS, ...options });
  if (typeof plan === 'string') throw new Error(plan);
  return plan;
}

const perToken: Record<string, [attention: Attention, layers: number, options: Partial<typeof OPTIONS>, want: number]> =
  {
    'TP divides the KV heads': [llama, 80, { tp: 4 }, 81_920],
    'KV heads are copied where there are fewer than GPUs': [llama, 80, { tp: 16 }, 40_960],
    'PP divides the layers': [llama, 80, { tp: 4, pp: 2 }, 40_960],
    'an fp8 cache has half the bytes': [{ kind: 'gqa', kvHeads: 8, headDim: 128 }, 64, { bytes: 1 }, 131_072],
    'TP does not divide MLA': [deepseek, 61, { tp: 8 }, 70_272],
    'an indexer keeps 132 bytes a layer': [
      { ...deepseek, kind: 'mla+indexer', indexHeadDim: 128 },
      61,
      { tp: 8 },
      78_324,
    ],
    'the indexer is fp8 whatever the cache is': [
      { ...deepseek, kind: 'mla+indexer', indexHeadDim: 128 },
      61,
      { tp: 8, bytes: 1 },
      43_188,
    ],
    'only layers of attention grow in a hybrid': [qwen, 60, { tp: 4 }, 15_360],
    'only full layers grow next to sliding ones': [gemma, 60, {}, 81_920],
  };

test.each(Object.entries(perToken))('bytes of a token: %s', (_, [attention, layers, options, want]) => {
  expect(cacheOf(attention, layers, options).bytesPerToken).toBe(want);
});

const requests: Record<string, [cache: KvCache, kvGiB: number, length: number, want: number]> = {
  'blocks of MLA have 64 tokens on CUDA': [cacheOf(deepseek, 61, { tp: 8 }), 43.13, 10_000, 65.59],
  'a block of attention holds a state': [cacheOf(qwen, 60, { tp: 4 }), 26.76, 10_000, 136.23],
  'a prefix cache of states takes a second block': [
    cacheOf(qwen, 60, { tp: 4, stateBlocks: 2 }),
    26.76,
    10_000,
    110.69,
  ],
  'a sliding layer keeps its window and a step': [cacheOf(gemma, 60), 69.75, 10_000, 8.93],
  'smaller steps leave room for more requests': [cacheOf(gemma, 60, { maxBatchedTokens: 2048 }), 69.75, 10_000, 22.35],
};

test.each(Object.entries(requests))('requests at once: %s', (_, [cache, kvGiB, length, want]) => {
  expect(countRequests(cache, kvGiB * GIB, length)).toBeCloseTo(want, 1);
});

test('tokens are whole blocks', () => {
  expect(countTokens(cacheOf(llama, 80, { tp: 4 }), 90.66 * GIB, 131_072) % 16).toBe(0);
});

test('no memory holds nothing', () => {
  const cache = cacheOf(gemma, 60);
  expect([
    countTokens(cache, -GIB, 8192),
    countRequests(cache, -GIB, 8192),
    computeLongestRequest(cache, -GIB, 8192),
  ]).toEqual([0, 0, 0]);
});

test.each([qwen, gemma, llama])('the longest request fits, and no longer one: $kind', (attention) => {
  const cache = cacheOf(attention, 60);
  const bytes = 7.3 * GIB;
  const longest = computeLongestRequest(cache, bytes, 1_000_000);
  expect(bytesOfRequests(cache, 1, longest)).toBeLessThanOrEqual(bytes);
  expect(bytesOfRequests(cache, 1, longest + 1)).toBeGreaterThan(bytes);
});

test('kinds of layers of almost equal number share groups of the larger one', () => {
  const cache = cacheOf({ ...gemma, fullLayers: 11, slidingLayers: 12 }, 23);
  expect(cache.groups.map(({ count }) => count)).toEqual([1, 1]);
});

test('encoders keep no cache, and what is unknown stays unknown', () => {
  expect(planKvCache({ attention: { kind: 'none' }, layers: 24 }, OPTIONS)).toBe('none');
  expect(planKvCache({ attention: { kind: 'unknown', note: 'new' }, layers: 24 }, OPTIONS)).toBe('unknown');
});
