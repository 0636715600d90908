import type { MeasuredRow } from '../../src/catalog/models/measured-row';
import { parseBenchmarkText, readBenchmarkFile } from '../../src/sizing/benchmark-results';
import { measuredSpeedOf } from '../../src/sizing/measured-speed';
import { aMeasuredRow } from './build';
import { modelOf } from './truth';

const model = modelOf('Qwen/Qwen3-32B');
if (!model) throw new Error('no model');

const layout = { tp: 2, pp: 1, dp: 1, ep: 1, nodes: 1 };
const row = aMeasuredRow();
const more = aMeasuredRow({
  concurrency: 32,
  requestsPerSecond: 5,
  outputTokensPerSecond: 1000,
  source: 'more.json',
});

const speeds: Record<string, [rows: MeasuredRow[], concurrency: number, want: object | undefined]> = {
  'between two rows it is interpolated': [
    [more, row],
    20,
    { outputTokensPerSecond: 700, requestsPerSecond: 3.5, from: [row, more] },
  ],
  'at a row it is that row': [[row, more], 32, { outputTokensPerSecond: 1000, from: [more] }],
  'below all rows it is not stated': [[row, more], 4, undefined],
  'above all rows it is not stated': [[row, more], 33, undefined],
  'one row is not enough for another number': [[row], 9, undefined],
  'rows of another GPU do not count': [[row, { ...more, gpu: 'h100' }], 20, undefined],
  'rows of another layout do not count': [[row, { ...more, tp: 4 }], 20, undefined],
  'rows of another model do not count': [[row, { ...more, repository: 'Qwen/Qwen3-8B' }], 20, undefined],
  'rows of other prompts do not count': [[row, { ...more, inputTokens: 4000 }], 20, undefined],
  'rows of longer requests do not count': [
    [
      { ...row, inputTokens: 20_000 },
      { ...more, inputTokens: 20_000 },
    ],
    20,
    undefined,
  ],
};

test.each(Object.entries(speeds))('the speed: %s', (_, [rows, concurrency, want]) => {
  const found = measuredSpeedOf(rows, { model, gpu: 'h200', layout }, { concurrency, context: 8192 });
  expect(found).toEqual(want && expect.objectContaining(want));
});

const successful = (mean: number): object => ({ successful: { mean, median: mean } });

const vllmRun = {
  date: '20261120-101500',
  model_id: 'Qwen/Qwen3-32B',
  max_concurrency: 32,
  completed: 100,
  total_input_tokens: 100_000,
  total_output_tokens: 20_000,
  request_throughput: 5,
  output_throughput: 1000,
  median_ttft_ms: 90,
  median_tpot_ms: 21,
};
const vllmResult = {
  concurrency: 32,
  inputTokens: 1000,
  outputTokens: 200,
  requestsPerSecond: 5,
  outputTokensPerSecond: 1000,
  timeToFirstTokenMs: 90,
  timePerOutputTokenMs: 21,
  asOf: '2026-11-20',
};

const guideRun = {
  metrics: {
    prompt_token_count: successful(1000),
    output_token_count: successful(200),
    requests_per_second: successful(2),
    output_tokens_per_second: successful(400),
    time_to_first_token_ms: successful(60),
    inter_token_latency_ms: successful(19),
  },
};
const guideResult = {
  concurrency: 8,
  inputTokens: 1000,
  outputTokens: 200,
  requestsPerSecond: 2,
  outputTokensPerSecond: 400,
  timeToFirstTokenMs: 60,
  timePerOutputTokenMs: 19,
};

const aiperfMetrics = {
  request_throughput: { unit: 'requests/sec', avg: 3 },
  output_token_throughput: { unit: 'tokens/sec', avg: 600 },
  input_sequence_length: { avg: 1000 },
  output_sequence_length: { avg: 200 },
};
const aiperfResult = {
  concurrency: 16,
  inputTokens: 1000,
  outputTokens: 200,
  requestsPerSecond: 3,
  outputTokensPerSecond: 600,
};
const aiperfInput = { endpoint: { model_names: ['Qwen/Qwen3-32B'] }, loadgen: { concurrency: 16 } };

const files: Record<string, [file: unknown, want: object]> = {
  'vllm bench serve': [vllmRun, { tool: 'vllm bench serve', model: 'Qwen/Qwen3-32B', results: [vllmResult] }],
  GuideLLM: [
    {
      benchmarks: [
        {
          ...guideRun,
          config: { strategy: { type_: 'concurrent', streams: 8 }, backend: { model: 'Qwen/Qwen3-32B' } },
        },
        { metrics: {} },
      ],
    },
    { tool: 'GuideLLM', model: 'Qwen/Qwen3-32B', results: [guideResult] },
  ],
  AIPerf: [
    { ...aiperfMetrics, input_config: aiperfInput },
    { tool: 'AIPerf', model: 'Qwen/Qwen3-32B', results: [aiperfResult] },
  ],
  'an earlier AIPerf, with its metrics in a field of their own': [
    { input_config: aiperfInput, records: aiperfMetrics },
    { tool: 'AIPerf', model: 'Qwen/Qwen3-32B', results: [aiperfResult] },
  ],
  'GuideLLM 0.2 and 0.3, which name the model of the worker': [
    {
      benchmarks: [
        {
          ...guideRun,
          args: { strategy: { type_: 'concurrent', streams: 8 } },
          worker: { backend_model: 'Qwen/Qwen3-32B' },
        },
      ],
    },
    { tool: 'GuideLLM', model: 'Qwen/Qwen3-32B', results: [guideResult] },
  ],
  'GuideLLM without a model, one request after the other, and statuses without a request': [
    {
      metadata: { version: 2, guidellm_version: '0.7.3' },
      config: { backend: { model: null } },
      benchmarks: [
        { ...guideRun, config: { strategy: { type_: 'synchronous' }, backend: { model: null } } },
        {
          config: { strategy: { type_: 'throughput', max_concurrency: 512 } },
          metrics: { request_concurrency: { successful: null } },
        },
      ],
    },
    { tool: 'GuideLLM', results: [{ ...guideResult, concurrency: 1 }] },
  ],
  'GuideLLM at a rate: as many requests as ran at once on average': [
    {
      benchmarks: [
        {
          ...guideRun,
          config: { strategy: { type_: 'constant', rate: 2, max_concurrency: 512 } },
          metrics: { ...guideRun.metrics, request_concurrency: successful(6.5) },
        },
      ],
    },
    { tool: 'GuideLLM', results: [{ ...guideResult, concurrency: 6.5 }] },
  ],
  'AIPerf 0.10, whose phases say how many requests run at once': [
    {
      schema_version: '1.3',
      aiperf_version: '0.10.0',
      ...aiperfMetrics,
      input_config: {
        models: { items: [{ name: 'Qwen/Qwen3-32B' }] },
        phases: [
          { name: 'warmup', type: 'concurrency', exclude_from_results: true, concurrency: 64 },
          { name: 'profiling', type: 'concurrency', requests: 96, concurrency: 16 },
        ],
      },
      start_time: '2026-07-03T04:23:09.561350',
    },
    { tool: 'AIPerf', model: 'Qwen/Qwen3-32B', results: [{ ...aiperfResult, asOf: '2026-07-03' }] },
  ],
  'AIPerf at a rate: as many requests as ran at once on average': [
    {
      ...aiperfMetrics,
      request_latency: { unit: 'ms', avg: 4000 },
      input_config: { phases: [{ type: 'poisson', rate: 3 }] },
    },
    { tool: 'AIPerf', results: [{ ...aiperfResult, concurrency: 12 }] },
  ],
  'vllm bench serve at a rate, without the time of whole requests': [
    { ...vllmRun, max_concurrency: null, request_rate: 5, mean_ttft_ms: 100, mean_tpot_ms: 20 },
    { tool: 'vllm bench serve', model: 'Qwen/Qwen3-32B', results: [{ ...vllmResult, concurrency: 20.4 }] },
  ],
  'a list of runs of vllm bench serve': [
    [vllmRun, { ...vllmRun, max_concurrency: 64 }, null],
    { tool: 'vllm bench serve', model: 'Qwen/Qwen3-32B', results: [vllmResult, { ...vllmResult, concurrency: 64 }] },
  ],
};

test('a file with one run of vllm bench serve a line is a list of them', () => {
  const text = `${JSON.stringify(vllmRun)}\n${JSON.stringify(vllmRun)}\n`;
  expect(readBenchmarkFile(parseBenchmarkText(text))?.results).toEqual([vllmResult, vllmResult]);
});

test.each(Object.entries(files))('results of %s', (_, [file, want]) => {
  expect(readBenchmarkFile(file)).toEqual(want);
});

test.each([[undefined], [{}], [[]], [{ benchmarks: [] }], ['text']])('%j holds no results', (file) => {
  expect(readBenchmarkFile(file)).toBeUndefined();
});
