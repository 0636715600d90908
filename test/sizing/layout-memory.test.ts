import type { ModelRow } from '../../src/catalog/models/model-row';
import { DEFAULT_ENGINE, parseVersion } from '../../src/sizing/engine-version';
import { fitLayout, type LayoutFit } from '../../src/sizing/layout-memory';
import { fitModel } from '../../src/sizing/fit-model';
import { findGpuFigures } from '../../src/catalog/gpu-names';
import { formatLayout, listNodeLayouts, createTensorLayout } from '../../src/sizing/layout-rules';
import type { ServingOptions } from '../../src/sizing/serving-options';
import { weightsOf, computeWeightsPerGpu } from '../../src/sizing/weights';
import { gpuOf, modelOf } from './truth';

const OPTIONS: ServingOptions = { engine: DEFAULT_ENGINE, context: 8192, concurrency: 1, kvBytes: 2 };

function model(repository: string): ModelRow {
  const found = modelOf(repository);
  if (!found) throw new Error(repository);
  return found;
}

function fit(repository: string, gpu: string, tp: number, options: Partial<ServingOptions> = {}): LayoutFit {
  const row = model(repository);
  return fitLayout(row, gpuOf(gpu), createTensorLayout(row, tp), { ...OPTIONS, ...options });
}

const verdicts: Record<string, [fit: LayoutFit, verdict: string, reason: RegExp]> = {
  'weights that exceed the GPU': [
    fit('deepseek-ai/DeepSeek-R1', 'H100', 1),
    'no',
    /^weights of 638.0 GiB a GPU exceed the usable 72.8 GiB$/,
  ],
  'a TP that does not divide the heads': [fit('Qwen/Qwen3-32B', 'H100', 3), 'no', /^TP 3 does not divide 8 KV heads$/],
  'weights that leave less than the engine takes': [
    fit('meta-llama/Llama-3.3-70B-Instruct', 'H100', 2, { utilization: 0.84 }),
    'no',
    /^0.7 GiB a GPU are left after the weights, and the engine needs at least 1.2 GiB$/,
  ],
  'a request that is too long': [
    fit('Qwen/Qwen3-32B', 'H100', 1, { context: 100_000 }),
    'no',
    /^a request of 100,000 tokens does not fit: at most 43,\d{3} tokens do$/,
  ],
  'a request inside the range': [
    fit('Qwen/Qwen3-32B', 'H100', 1, { context: 30_000 }),
    'tight',
    /^1 request of 30,000 tokens needs 7.3 GiB of KV cache a GPU, between 5.8 GiB and 10.6 GiB are available$/,
  ],
  'more requests than fit': [
    fit('Qwen/Qwen3-32B', 'H200', 1, { concurrency: 1000 }),
    'no',
    /^1,000 requests of 8,192 tokens need 2000.0 GiB of KV cache a GPU, at most 66.4 GiB are available$/,
  ],
  'enough room': [fit('Qwen/Qwen3-32B', 'H200', 1), 'fits', /^at least \d+ requests of 8,192 tokens fit at once$/],
  'an unknown cache': [fit('deepseek-ai/DeepSeek-V4-Pro', 'H200', 8), 'tight', /is not known$/],
  'an encoder': [fit('BAAI/bge-m3', 'L4', 1), 'fits', /the model needs no KV cache$/],
};

test.each(Object.entries(verdicts))('the number that decides: %s', (_, [{ verdict, reason }, want, wantReason]) => {
  expect({ verdict, reason }).toEqual({ verdict: want, reason: expect.stringMatching(wantReason) as string });
});

test('logged KV memory replaces the range', () => {
  const { kvGiBPerGpu, kvTokens, concurrency } = fit('meta-llama/Llama-3.3-70B-Instruct', 'H200', 4, {
    engine: { name: 'vllm', version: [0, 16] },
    context: 10_000,
    kvGiB: 90.3,
  });
  expect(kvGiBPerGpu).toEqual({ low: 90.3, expected: 90.3, high: 90.3 });
  expect(kvTokens?.expected).toBe(1_183_568);
  expect(concurrency?.expected).toBeCloseTo(118.36, 2);
});

test('without a flag, smaller GPUs have smaller steps and a smaller overhead', () => {
  const [large, small] = ['H100', 'L4'].map((gpu) => fit('Qwen/Qwen3-0.6B', gpu, 1).overheadGiBPerGpu.expected);
  expect(large).toBeGreaterThan(2 * (small ?? 0));
});

const layouts: Record<string, [repository: string, gpus: number, want: string[]]> = {
  'a dense model is divided by TP': ['Qwen/Qwen3-32B', 8, ['1 GPU', 'TP 2', 'TP 4', 'TP 8']],
  'TP divides the heads': ['Qwen/Qwen2.5-32B-Instruct', 16, ['1 GPU', 'TP 2', 'TP 4', 'TP 8']],
  'a mixture may have DP attention': ['deepseek-ai/DeepSeek-R1', 4, ['1 GPU', 'TP 2', 'TP 4', 'DP 4, EP 4']],
  'whole experts where fp8 blocks cannot be divided': [
    'Qwen/Qwen3-235B-A22B-FP8',
    8,
    ['1 GPU', 'TP 2', 'TP 4', 'TP 8, EP 8', 'DP 8, EP 8'],
  ],
};

test.each(Object.entries(layouts))('layouts of a node: %s', (_, [repository, gpusPerNode, want]) => {
  expect(listNodeLayouts(model(repository), { gpusPerNode, nodes: 1 }).map(formatLayout)).toEqual(want);
});

test('DP attention copies the attention and divides the experts', () => {
  const row = model('deepseek-ai/DeepSeek-R1');
  const weights = weightsOf(row);
  if (!weights) throw new Error('no weights');
  const data = computeWeightsPerGpu(weights, { tp: 1, pp: 1, dp: 8, ep: 8, nodes: 1 });
  expect(data).toBeCloseTo(weights.expertsGiB / 8 + (weights.totalGiB - weights.expertsGiB), 6);
  expect(data).toBeGreaterThan(computeWeightsPerGpu(weights, createTensorLayout(row, 8)));
});

test('a gang is tried where no node serves the model', () => {
  const gpu = gpuOf('A100-40');
  const hardware = [{ hardware: 'a', gpu, gpusPerNode: 8, nodes: 4, pricePerHour: 10 }];
  const question = { model: model('deepseek-ai/DeepSeek-R1'), options: OPTIONS, measurements: [] };
  const [first] = fitModel(question, hardware);
  expect(first).toMatchObject({ layout: { tp: 8, pp: 3, nodes: 3 }, pricePerHour: 30 });
});

test('the cheapest layout that holds the requests is first, and unknown prices are last', () => {
  const gpu = gpuOf('H200');
  const node = { gpu, gpusPerNode: 8, nodes: 1 };
  const hardware = [
    { ...node, hardware: 'unknown', pricePerHour: null },
    { ...node, hardware: 'dear', pricePerHour: 80 },
    { ...node, hardware: 'cheap', pricePerHour: 40 },
  ];
  const question = { model: model('Qwen/Qwen3-32B'), options: { ...OPTIONS, concurrency: 50 }, measurements: [] };
  const rows = fitModel(question, hardware).filter(({ verdict }) => verdict === 'fits');
  expect(rows.slice(0, 2).map((row) => `${row.hardware} ${row.layout.tp} ${row.pricePerHour}`)).toEqual([
    'cheap 2 10',
    'dear 2 20',
  ]);
  expect(rows.at(-1)?.hardware).toBe('unknown');
});

test('bounds of speed are above what was measured', () => {
  const question = { model: model('Qwen/Qwen3-32B-FP8'), options: { ...OPTIONS, concurrency: 32 }, measurements: [] };
  const hardware = {
    hardware: 'h100',
    gpu: { ...gpuOf('H100'), ...findGpuFigures('H100') },
    gpusPerNode: 1,
    nodes: 1,
    pricePerHour: null,
  };
  const [row] = fitModel(question, [hardware]);
  // Logged on this GPU: 64 tokens a second alone, 769 at 32, 8,650 tokens of prompts.
  expect(row?.bounds?.decodeOfOneRequest).toBeGreaterThan(64);
  expect(row?.bounds?.decodeOfOneRequest).toBeLessThan(110);
  expect(row?.bounds?.decode).toBeGreaterThan(769);
  expect(row?.bounds?.prefill).toBeGreaterThan(8650);
});

test.each([
  ['v0.18.2rc1.dev73+gdb7a17ecc', [0, 18]],
  ['0.6 (V0)', [0, 6]],
  ['1', [1, 0]],
  ['2025-07', undefined],
  ['', undefined],
])('the version of %s', (text, want) => {
  expect(parseVersion(text)).toEqual(want);
});

test.each(['H200', 'h200', 'NVIDIA H200', 'A100-80', 'rtx6000pro', 'RTX A6000', 'MI300X', 'RTX3090'])(
  '%s is a GPU',
  (name) => {
    expect(findGpuFigures(name)).toBeDefined();
  },
);
