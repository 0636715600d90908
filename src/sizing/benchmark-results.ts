import { isMap, listAt, valueAt } from '../base/json';
import type { MeasuredRow } from '../catalog/models/measured-row';

/** What a benchmark states of one run. It does not state the GPU and the layout. */
export type BenchmarkResult = Omit<MeasuredRow, 'repository' | 'gpu' | 'tp' | 'pp' | 'dp' | 'engine' | 'source'>;

/** What a file of results holds. */
export interface BenchmarkFile {
  /** The tool that wrote it. */
  readonly tool: string;

  /** The model, as the tool was asked for it. Absent: not stated. */
  readonly model?: string;

  /** Runs with all figures. */
  readonly results: readonly BenchmarkResult[];
}

interface Tool {
  readonly name: string;

  /** A field that only its files have. */
  readonly isOurs: (file: unknown) => boolean;
  readonly model: readonly (string | number)[];

  /** The runs in a file. */
  readonly runs: (file: unknown) => readonly unknown[];
  readonly read: (run: unknown) => Readonly<Record<Figure, number | undefined>>;
  readonly date?: readonly string[];
}

type Figure = Exclude<keyof BenchmarkResult, 'asOf'>;

const mean = (name: string): readonly string[] => ['metrics', name, 'successful', 'mean'];
const median = (name: string): readonly string[] => ['metrics', name, 'successful', 'median'];

/** The tools whose results are read, in the order in which they are tried. */
const TOOLS: readonly Tool[] = [
  {
    name: 'GuideLLM',
    isOurs: (file) => listAt(file, ['benchmarks']).length > 0,
    model: ['benchmarks', 0, 'config', 'backend', 'model'],
    runs: (file) => listAt(file, ['benchmarks']),
    read: (run) => ({
      concurrency: numberAt(
        run,
        ['config', 'strategy', 'streams'],
        ['args', 'strategy', 'streams'],
        mean('request_concurrency'),
      ),
      inputTokens: numberAt(run, mean('prompt_token_count')),
      outputTokens: numberAt(run, mean('output_token_count')),
      requestsPerSecond: numberAt(run, mean('requests_per_second')),
      outputTokensPerSecond: numberAt(run, mean('output_tokens_per_second')),
      timeToFirstTokenMs: numberAt(run, median('time_to_first_token_ms')),
      timePerOutputTokenMs: numberAt(run, median('inter_token_latency_ms'), median('time_per_output_token_ms')),
    }),
  },
  {
    name: 'AIPerf',
    isOurs: (file) => isMap(valueAt(metricsOfAiperf(file), ['request_throughput'])),
    model: ['input_config', 'endpoint', 'model_names', 0],
    runs: (file) => [metricsOfAiperf(file)],
    read: (run) => ({
      concurrency: numberAt(
        run,
        ['input_config', 'loadgen', 'concurrency'],
        ['input_config', 'perf_analyzer', 'stimulus', 'concurrency'],
        ['effective_concurrency', 'avg'],
      ),
      inputTokens: numberAt(run, ['input_sequence_length', 'avg']),
      outputTokens: numberAt(run, ['output_sequence_length', 'avg']),
      requestsPerSecond: numberAt(run, ['request_throughput', 'avg']),
      outputTokensPerSecond: numberAt(run, ['output_token_throughput', 'avg']),
      timeToFirstTokenMs: numberAt(run, ['time_to_first_token', 'p50']),
      timePerOutputTokenMs: numberAt(run, ['inter_token_latency', 'p50']),
    }),
  },
  {
    name: 'vllm bench serve',
    isOurs: (file) => numberAt(file, ['request_throughput']) !== undefined,
    model: ['model_id'],
    runs: (file) => [file],
    read: readVllm,
    date: ['date'],
  },
];

/** Earlier versions have the metrics in a field of their own. */
function metricsOfAiperf(file: unknown): unknown {
  const records = valueAt(file, ['records']);
  return isMap(file) && isMap(records) ? { ...file, ...records } : file;
}

/** Totals are divided by the answered requests. Without a limit, as many ran at once as time and throughput say. */
function readVllm(run: unknown): Readonly<Record<Figure, number | undefined>> {
  const completed = numberAt(run, ['completed']);
  const each = (name: string): number | undefined => {
    const total = numberAt(run, [name]);
    return total !== undefined && completed !== undefined ? total / completed : undefined;
  };
  const requestsPerSecond = numberAt(run, ['request_throughput']);
  const seconds = numberAt(run, ['mean_e2el_ms']);
  const flowing =
    requestsPerSecond !== undefined && seconds !== undefined ? (requestsPerSecond * seconds) / 1000 : undefined;
  return {
    concurrency: numberAt(run, ['max_concurrency']) ?? flowing,
    inputTokens: each('total_input_tokens'),
    outputTokens: each('total_output_tokens'),
    requestsPerSecond,
    outputTokensPerSecond: numberAt(run, ['output_throughput']),
    timeToFirstTokenMs: numberAt(run, ['median_ttft_ms']),
    timePerOutputTokenMs: numberAt(run, ['median_tpot_ms']),
  };
}

/** The first of some places that has a number above zero. */
function numberAt(value: unknown, ...paths: readonly (readonly (string | number)[])[]): number | undefined {
  const found = paths.map((path) => valueAt(value, path));
  return found.find((one): one is number => typeof one === 'number' && Number.isFinite(one) && one > 0);
}

const REQUIRED = ['concurrency', 'inputTokens', 'outputTokens', 'requestsPerSecond', 'outputTokensPerSecond'] as const;

/** Reads a file of results. Runs that lack a figure are left out. Undefined for a file of another kind. */
export function readBenchmarkFile(file: unknown): BenchmarkFile | undefined {
  const tool = TOOLS.find(({ isOurs }) => isOurs(file));
  if (!tool) return undefined;
  const model = valueAt(file, tool.model);
  const asOf = dayOf(tool.date && valueAt(file, tool.date));
  const results = tool.runs(file).flatMap((run): BenchmarkResult[] => {
    const figures = Object.fromEntries(Object.entries(tool.read(run)).filter(([, value]) => value !== undefined));
    if (REQUIRED.some((name) => figures[name] === undefined)) return [];
    return [{ ...(figures as unknown as BenchmarkResult), ...(asOf !== undefined && { asOf }) }];
  });
  return { tool: tool.name, ...(typeof model === 'string' && { model }), results };
}

/** vLLM writes `20261120-101500`. */
function dayOf(value: unknown): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(typeof value === 'string' ? value : '') ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
