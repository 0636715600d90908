import type { MeasuredRow } from '../../src/catalog/models/measured-row';
import { type Bounds, measuredRateOf, replicasOfLoad } from '../../src/sizing/carried-load';
import { measureCommands } from '../../src/sizing/measure-commands';
import { aMeasuredRow } from './build';

const subject = {
  model: { repository: 'Qwen/Qwen3-32B' },
  gpu: 'h200',
  layout: { tp: 2, pp: 1, dp: 1 },
  engine: 'vllm',
};

const eight = aMeasuredRow();
const many = { ...eight, concurrency: 32, requestsPerSecond: 5, source: 'many.json' };
const load = { requestsPerSecond: 20, inputTokens: 1000, outputTokens: 200 };

interface Case {
  readonly rows: readonly MeasuredRow[];
  readonly concurrency?: number;
  readonly load?: Partial<typeof load>;

  /** Absent: it cannot be known. */
  readonly want?: Bounds;
  readonly from?: readonly string[];
}

const cases: Record<string, Case> = {
  'at a measured number of requests, that row decides': {
    rows: [eight, many],
    concurrency: 32,
    want: { low: 4, high: 4 },
    from: ['many.json'],
  },
  'between two rows, the most replicas are those at the interpolated speed, the fewest those at the highest': {
    rows: [many, eight],
    concurrency: 20,
    want: { low: 4, high: 6 },
    from: ['eight.json', 'many.json'],
  },
  'above all rows, the highest row counts and nothing beyond it': {
    rows: [eight, many],
    concurrency: 64,
    want: { low: 4, high: 4 },
    from: ['many.json'],
  },
  'below all rows, the lowest row counts and nothing below it': {
    rows: [eight, many],
    concurrency: 4,
    want: { low: 4, high: 10 },
    from: ['eight.json', 'many.json'],
  },
  'one request at once is no limit: the highest measured speed counts': {
    rows: [eight, many],
    want: { low: 4, high: 4 },
    from: ['many.json'],
  },
  'an engine that is slower with more requests counts at its best': {
    rows: [eight, { ...many, requestsPerSecond: 1 }],
    want: { low: 10, high: 10 },
    from: ['eight.json'],
  },
  'prompts that are a little shorter than measured widen the range': {
    rows: [many],
    load: { requestsPerSecond: 25.5, inputTokens: 960 },
    want: { low: 5, high: 6 },
    from: ['many.json'],
  },
  'prompts that are a little longer than measured widen the range': {
    rows: [many],
    load: { inputTokens: 1040 },
    want: { low: 4, high: 5 },
    from: ['many.json'],
  },
  'rows of other prompts do not count': { rows: [eight, many], load: { inputTokens: 2000 } },
  'rows of other answers do not count': { rows: [eight, many], load: { outputTokens: 400 } },
  'rows of another GPU do not count': { rows: [{ ...many, gpu: 'h100' }] },
  'rows of another layout do not count': { rows: [{ ...many, pp: 2 }] },
  'rows of another engine do not count': { rows: [{ ...many, engine: 'sglang@0.5' }] },
  'rows of another version of the engine count': {
    rows: [{ ...many, engine: 'vllm@0.18' }],
    want: { low: 4, high: 4 },
    from: ['many.json'],
  },
  'rows of two engines are not joined by a line': {
    rows: [eight, { ...many, engine: 'vllm@0.20' }],
    concurrency: 20,
    want: { low: 4, high: 10 },
    from: ['eight.json', 'many.json'],
  },
  'no rows say nothing': { rows: [] },
  'a load that a part of a replica carries takes one': {
    rows: [eight, many],
    load: { requestsPerSecond: 0.1 },
    want: { low: 1, high: 1 },
    from: ['many.json'],
  },
  'quotients of decimal fractions are not rounded up': {
    rows: [{ ...eight, requestsPerSecond: 0.1 }],
    load: { requestsPerSecond: 0.3 },
    want: { low: 3, high: 3 },
    from: ['eight.json'],
  },
};

test.each(Object.entries(cases))('the replicas of a load: %s', (_, { rows, concurrency = 1, want, from, ...given }) => {
  const asked = { ...load, ...given.load };
  const rate = measuredRateOf(rows, subject, asked, concurrency);
  expect(rate && replicasOfLoad(asked, rate)).toEqual(want);
  expect(rate?.from.map(({ source }) => source)).toEqual(from);
  expect(measuredRateOf(rows.toReversed(), subject, asked, concurrency)).toEqual(rate);
});

test('the commands measure such requests on a replica, and name GPU and layout of the result', () => {
  const layout = { tp: 8, pp: 2, dp: 1 };
  expect(measureCommands({ subject: { ...subject, layout }, load, concurrency: 32, directory: 'my fleet' })).toEqual([
    'vllm bench serve --base-url http://localhost:8000 --model Qwen/Qwen3-32B --dataset-name random --random-input-len 1000 --random-output-len 200 --ignore-eos --num-prompts 320 --max-concurrency 32 --save-result --result-dir /tmp --result-filename run-32.json',
    'fleetwright fit Qwen/Qwen3-32B "my fleet" --gpu h200 --tp 8 --pp 2 --measured /tmp/run-32.json',
  ]);
});
