import { DEFAULT_ENGINE } from '../../src/sizing/engine-version';
import { fitLayout, type LayoutFit } from '../../src/sizing/layout-memory';
import type { Verdict } from '../../src/sizing/verdict';
import { gpuOf, layoutOf, type LoggedRun, modelOf, optionsOf, RUNS, SERVED } from './truth';

/** A logged figure and what sizing computes instead. */
export interface Compared {
  readonly id: string;
  readonly logged: number;
  readonly computed: number;
}

export interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
}

interface Sized {
  readonly run: LoggedRun;
  readonly kind: string;
  readonly kvGiB: number | undefined;

  /** With the KV bytes that the run logged, for requests of a length. */
  readonly given: (context?: number) => LayoutFit;
  readonly estimated: LayoutFit;
}

/** Every run of a model that the catalog has, sized. */
function sizeRuns(): Sized[] {
  return RUNS.flatMap((run): Sized[] => {
    const model = modelOf(run.model);
    if (!model) return [];
    const [gpu, layout, options] = [gpuOf(run.gpu, run.gpuMemoryGiB), layoutOf(model, run), optionsOf(run)];
    const kvGiB = run.reported.availableKvGiBPerGpu ?? undefined;
    const given = (context = options.context): LayoutFit =>
      fitLayout(model, gpu, layout, { ...options, context, kvGiB });
    return [{ run, kind: model.attention.kind, kvGiB, given, estimated: fitLayout(model, gpu, layout, options) }];
  });
}

const SIZED = sizeRuns();
const LINEAR = new Set(['gqa', 'mla', 'mla+indexer']);

/** Tokens by the formulas, given the logged KV bytes, where all layers are alike. */
export function compareTokens(): Compared[] {
  return SIZED.flatMap(({ run, kind, kvGiB, given }) => {
    const { kvTokens: logged } = run.reported;
    if (!logged || kvGiB === undefined || !LINEAR.has(kind)) return [];
    return [{ id: run.id, logged, computed: given().kvTokens?.expected ?? 0 }];
  });
}

/** Requests at once, given the logged KV bytes. */
export function compareRequests(of: 'linear' | 'other'): Compared[] {
  return SIZED.flatMap(({ run, kind, kvGiB, given }) => {
    const { concurrency: logged } = run.reported;
    if (!logged || kvGiB === undefined || LINEAR.has(kind) !== (of === 'linear') || kind === 'unknown') return [];
    return [{ id: run.id, logged: logged.times, computed: given(logged.tokens).concurrency?.expected ?? 0 }];
  });
}

/** The share of a list within a relative error. */
export function within(list: readonly Compared[], error: number): readonly Compared[] {
  return list.filter(({ logged, computed }) => Math.abs(computed / logged - 1) <= error);
}

/** What sizing says of runs with an outcome. */
export function judgeRuns(outcome: LoggedRun['reported']['outcome']): Judged[] {
  return SIZED.filter(({ run }) => run.reported.outcome === outcome).map(({ run, estimated }) => ({
    id: run.id,
    verdict: estimated.verdict,
  }));
}

/** What sizing says of layouts that a public benchmark serves. Models that the catalog lacks count as `no`. */
export function judgeServed(): Judged[] {
  return SERVED.flatMap(({ id, model: name, gpu, layouts, isolOsl }) =>
    layouts.map(({ tp, ep }): Judged => {
      const model = modelOf(name);
      const [[input, output] = [8192, 1024]] = isolOsl;
      const options = { engine: DEFAULT_ENGINE, context: input + output, concurrency: 1, kvBytes: 2 };
      const layout = { tp, pp: 1, dp: 1, ep, nodes: 1 };
      const verdict = model ? fitLayout(model, gpuOf(gpu), layout, options).verdict : 'no';
      return { id: `${id} TP ${tp} EP ${ep}`, verdict };
    }),
  );
}

/** Runs whose logged KV memory is in the estimated range, and the error of the expected value in GiB. */
export function compareMemory(): { readonly id: string; readonly inside: boolean; readonly error: number }[] {
  return SIZED.flatMap(({ run, kvGiB, estimated }) => {
    if (kvGiB === undefined || !run.reported.weightsGiBPerGpu) return [];
    const { low, expected, high } = estimated.kvGiBPerGpu;
    return [{ id: run.id, inside: low <= kvGiB + ROUNDING && kvGiB - ROUNDING <= high, error: expected - kvGiB }];
  });
}

/** Logs round to hundredths, and so do the weights that they state. */
const ROUNDING = 0.02;

/** The lines of docs/sizing.md that state the results. */
export function formatBackTest(): string {
  const tokens = compareTokens();
  const [linear, other] = [compareRequests('linear'), compareRequests('other')];
  const memory = compareMemory();
  const [serves, refused, served] = [judgeRuns('serves'), judgeRuns('refused'), judgeServed()];
  const errors = memory.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const rows: readonly (readonly [string, number, number])[] = [
    ['tokens within 0.5 %, given the KV bytes, layers all alike', within(tokens, 0.005).length, tokens.length],
    ['requests within 0.5 %, given the KV bytes, layers all alike', within(linear, 0.005).length, linear.length],
    ['requests within 0.1 %, given the KV bytes, hybrid and sliding', within(other, 0.001).length, other.length],
    ['logged KV memory inside the estimated range', memory.filter(({ inside }) => inside).length, memory.length],
    ['runs that served and are `fits` or `tight`', count(serves, 'fits', 'tight'), serves.length],
    ['runs that served and are `fits`', count(serves, 'fits'), serves.length],
    ['logged refusals that are `no` or `tight`', count(refused, 'no', 'tight'), refused.length],
    ['layouts of a public benchmark that are `fits` or `tight`', count(served, 'fits', 'tight'), served.length],
  ];
  return [
    '| what | hits | of | share |',
    '| --- | --- | --- | --- |',
    ...rows.map(([what, hits, of]) => `| ${what} | ${hits} | ${of} | ${((100 * hits) / of).toFixed(1)} % |`),
    '',
    `The expected KV memory is off by ${median(errors).toFixed(1)} GiB a GPU in the median.`,
  ].join('\n');
}

function count(list: readonly Judged[], ...verdicts: readonly Verdict[]): number {
  return list.filter(({ verdict }) => verdicts.includes(verdict)).length;
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
