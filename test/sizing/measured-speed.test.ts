import type { MeasuredRow } from '../../src/catalog/models/measured-row';
import { readBenchmarkFile } from '../../src/sizing/benchmark-results';
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

const files: Record<string, [file: unknown, want: object]> = {
  'vllm bench serve': [
    {
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
    },
    {
      tool: 'vllm bench serve',
      model: 'Qwen/Qwen3-32B',
      results: [
        {
          concurrency: 32,
          inputTokens: 1000,
          outputTokens: 200,
          requestsPerSecond: 5,
          outputTokensPerSecond: 1000,
          timeToFirstTokenMs: 90,
          timePerOutputTokenMs: 21,
          asOf: '2026-11-20',
        },
      ],
    },
  ],
  GuideLLM: [
    {
      benchmarks: [
        {
          config: { strategy: { type_: 'concurrent', streams: 8 }, backend: { model: 'Qwen/Qwen3-32B' } },
          metrics: {
            prompt_token_count: successful(1000),
            output_token_count: successful(200),
            requests_per_second: successful(2),
            output_tokens_per_second: successful(400),
            time_to_first_token_ms: successful(60),
            inter_token_latency_ms: successful(19),
          },
        },
        { metrics: {} },
      ],
    },
    {
      tool: 'GuideLLM',
      model: 'Qwen/Qwen3-32B',
      results: [
        {
          concurrency: 8,
          inputTokens: 1000,
          outputTokens: 200,
          requestsPerSecond: 2,
          outputTokensPerSecond: 400,
          timeToFirstTokenMs: 60,
          timePerOutputTokenMs: 19,
        },
      ],
    },
  ],
  AIPerf: [
    {
      input_config: { endpoint: { model_names: ['Qwen/Qwen3-32B'] }, loadgen: { concurrency: 16 } },
      request_throughput: { unit: 'requests/sec', avg: 3 },
      output_token_throughput: { unit: 'tokens/sec', avg: 600 },
      input_sequence_length: { avg: 1000 },
      output_sequence_length: { avg: 200 },
    },
    {
      tool: 'AIPerf',
      model: 'Qwen/Qwen3-32B',
      results: [
        { concurrency: 16, inputTokens: 1000, outputTokens: 200, requestsPerSecond: 3, outputTokensPerSecond: 600 },
      ],
    },
  ],
  'an earlier AIPerf, with its metrics in a field of their own': [
    {
      input_config: { endpoint: { model_names: ['Qwen/Qwen3-32B'] }, loadgen: { concurrency: 16 } },
      records: {
        request_throughput: { unit: 'requests/sec', avg: 3 },
        output_token_throughput: { unit: 'tokens/sec', avg: 600 },
        input_sequence_length: { avg: 1000 },
        output_sequence_length: { avg: 200 },
      },
    },
    {
      tool: 'AIPerf',
      model: 'Qwen/Qwen3-32B',
      results: [
        { concurrency: 16, inputTokens: 1000, outputTokens: 200, requestsPerSecond: 3, outputTokensPerSecond: 600 },
      ],
    },
  ],
};

test.each(Object.entries(files))('results of %s', (_, [file, want]) => {
  expect(readBenchmarkFile(file)).toEqual(want);
});

test.each([[undefined], [{}], [[]], [{ benchmarks: [] }], ['text']])('%j holds no results', (file) => {
  expect(readBenchmarkFile(file)).toBeUndefined();
});
