import { isMap, listAt, textAt, tryParseJson, valueAt } from '../base/json';
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

  /** The places that may name the model. */
  readonly model: readonly (readonly (string | number)[])[];

  /** The runs in a file. */
  readonly runs: (file: unknown) => readonly unknown[];
  readonly read: (run: unknown) => Readonly<Record<Figure, number | undefined>>;

  /** The time of a run as text. Absent: not stated so. */
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
    model: [
      ['benchmarks', 0, 'config', 'backend', 'model'],
      ['benchmarks', 0, 'worker', 'backend_model'],
    ],
    runs: (file) => listAt(file, ['benchmarks']),
    read: (run) => ({
      concurrency: streamsOf(run) ?? numberAt(run, mean('request_concurrency')),
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
    model: [
      ['input_config', 'models', 'items', 0, 'name'],
      ['input_config', 'endpoint', 'model_names', 0],
    ],
    runs: (file) => [metricsOfAiperf(file)],
    read: (run) => ({
      concurrency: concurrencyOfAiperf(run),
      inputTokens: numberAt(run, ['input_sequence_length', 'avg']),
      outputTokens: numberAt(run, ['output_sequence_length', 'avg']),
      requestsPerSecond: numberAt(run, ['request_throughput', 'avg']),
      outputTokensPerSecond: numberAt(run, ['output_token_throughput', 'avg']),
      timeToFirstTokenMs: numberAt(run, ['time_to_first_token', 'p50']),
      timePerOutputTokenMs: numberAt(run, ['inter_token_latency', 'p50']),
    }),
    date: ['start_time'],
  },
  {
    name: 'vllm bench serve',
    isOurs: (file) => runsOfVllm(file).some((run) => numberAt(run, ['request_throughput']) !== undefined),
    model: [['model_id'], [0, 'model_id']],
    runs: runsOfVllm,
    read: readVllm,
    date: ['date'],
  },
];

/** Earlier versions have the metrics in a field of their own. */
function metricsOfAiperf(file: unknown): unknown {
  const records = valueAt(file, ['records']);
  return isMap(file) && isMap(records) ? { ...file, ...records } : file;
}

/** One file a run; a list in the summary of a sweep, and where one run a line is appended. */
function runsOfVllm(file: unknown): readonly unknown[] {
  return Array.isArray(file) ? file : [file];
}

/** The requests that GuideLLM keeps in flight, where its strategy says how many. */
function streamsOf(run: unknown): number | undefined {
  const strategies = [valueAt(run, ['config', 'strategy']), valueAt(run, ['args', 'strategy'])];
  if (strategies.some((one) => valueAt(one, ['type_']) === 'synchronous')) return 1;
  return strategies.map((one) => numberAt(one, ['streams'])).find((one) => one !== undefined);
}

/** The concurrency of the phase that is measured: earlier versions have one phase. */
function concurrencyOfAiperf(run: unknown): number | undefined {
  const phases = listAt(run, ['input_config', 'phases']);
  const measured = phases.filter((phase) => valueAt(phase, ['exclude_from_results']) !== true);
  const stated = numberAt(
    run,
    ['input_config', 'loadgen', 'concurrency'],
    ['input_config', 'perf_analyzer', 'stimulus', 'concurrency'],
    ['effective_concurrency', 'avg'],
  );
  return (
    measured.map((phase) => numberAt(phase, ['concurrency'])).find((one) => one !== undefined) ??
    stated ??
    inFlight(numberAt(run, ['request_throughput', 'avg']), numberAt(run, ['request_latency', 'avg']))
  );
}

/** As many requests run at once as arrive while one of them runs. */
function inFlight(requestsPerSecond: number | undefined, milliseconds: number | undefined): number | undefined {
  return requestsPerSecond === undefined || milliseconds === undefined
    ? undefined
    : (requestsPerSecond * milliseconds) / MS_PER_SECOND;
}

const MS_PER_SECOND = 1000;

/** Totals are divided by the answered requests. */
function readVllm(run: unknown): Readonly<Record<Figure, number | undefined>> {
  const completed = numberAt(run, ['completed']);
  const each = (name: string): number | undefined => {
    const total = numberAt(run, [name]);
    return total !== undefined && completed !== undefined ? total / completed : undefined;
  };
  const requestsPerSecond = numberAt(run, ['request_throughput']);
  const outputTokens = each('total_output_tokens');
  return {
    concurrency: numberAt(run, ['max_concurrency']) ?? inFlight(requestsPerSecond, latencyOfVllm(run, outputTokens)),
    inputTokens: each('total_input_tokens'),
    outputTokens,
    requestsPerSecond,
    outputTokensPerSecond: numberAt(run, ['output_throughput']),
    timeToFirstTokenMs: numberAt(run, ['median_ttft_ms']),
    timePerOutputTokenMs: numberAt(run, ['median_tpot_ms']),
  };
}

/** The time of a request: stated only if it is asked for, else that of its first token and of all others. */
function latencyOfVllm(run: unknown, outputTokens = 0): number | undefined {
  const stated = numberAt(run, ['mean_e2el_ms']);
  const [first, each] = [numberAt(run, ['mean_ttft_ms']), numberAt(run, ['mean_tpot_ms'])];
  if (stated !== undefined || first === undefined || each === undefined) return stated;
  return first + each * Math.max(0, outputTokens - 1);
}

/** The first of some places that has a number above zero. */
function numberAt(value: unknown, ...paths: readonly (readonly (string | number)[])[]): number | undefined {
  const found = paths.map((path) => valueAt(value, path));
  return found.find((one): one is number => typeof one === 'number' && Number.isFinite(one) && one > 0);
}

const REQUIRED = ['concurrency', 'inputTokens', 'outputTokens', 'requestsPerSecond', 'outputTokensPerSecond'] as const;

/** Parses the text of a file of results: JSON, or one run a line as `vllm bench serve --append-result` writes it. */
export function parseBenchmarkText(text: string): unknown {
  const whole = tryParseJson(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => tryParseJson(line));
}

/** Reads a file of results. Runs that lack a figure are left out. Undefined for a file of another kind. */
export function readBenchmarkFile(file: unknown): BenchmarkFile | undefined {
  const tool = TOOLS.find(({ isOurs }) => isOurs(file));
  if (!tool) return undefined;
  const model = tool.model.map((place) => textAt(file, place)).find((name) => name !== '');
  const results = tool.runs(file).flatMap((run): BenchmarkResult[] => {
    const figures = Object.fromEntries(Object.entries(tool.read(run)).filter(([, value]) => value !== undefined));
    if (REQUIRED.some((name) => figures[name] === undefined)) return [];
    const asOf = dayOf(tool.date && valueAt(run, tool.date));
    return [{ ...(figures as unknown as BenchmarkResult), ...(asOf !== undefined && { asOf }) }];
  });
  return { tool: tool.name, ...(model !== undefined && { model }), results };
}

/** vLLM writes `20261120-101500`, AIPerf `2026-11-20T10:15:00`. */
function dayOf(value: unknown): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(typeof value === 'string' ? value : '') ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
