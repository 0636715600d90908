import { gpuKeyOf } from '../catalog/gpu-names';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { ModelRow } from '../catalog/models/model-row';
import type { ServingOptions } from './serving-options';
import type { Layout } from './weights';

/** The speed of a layout at the wanted number of requests, between two measurements. */
export interface MeasuredSpeed {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly outputTokensPerSecond: number;

  /** The measurements that it is between: two, or one that has exactly this number. */
  readonly from: readonly MeasuredRow[];
}

/** What is measured: a model on a GPU in a layout. */
export interface MeasuredSubject {
  readonly model: Pick<ModelRow, 'repository'>;
  readonly gpu: string;
  readonly layout: Pick<Layout, 'tp' | 'pp' | 'dp'>;

  /** The name of the engine. Rows of another one do not count. Absent: any. */
  readonly engine?: string;
}

/**
 * Interpolates the speed between measurements of the same model, GPU and layout whose prompts and answers are alike.
 * Never beyond them: undefined where the wanted number of requests is not between two.
 */
export function measuredSpeedOf(
  rows: readonly MeasuredRow[],
  subject: MeasuredSubject,
  { concurrency, context }: Pick<ServingOptions, 'concurrency' | 'context'>,
): MeasuredSpeed | undefined {
  const usable = rows.filter((row) => isMeasurementOf(row, subject) && row.inputTokens + row.outputTokens <= context);
  const sorted = usable.toSorted((a, b) => a.concurrency - b.concurrency || b.inputTokens - a.inputTokens);
  for (const below of sorted.toReversed()) {
    if (below.concurrency > concurrency) continue;
    if (below.concurrency === concurrency) return speedAt(concurrency, below, below);
    const above = sorted.find((row) => row.concurrency >= concurrency && isSameWorkload(row, below));
    if (above) return speedAt(concurrency, below, above);
  }
  return undefined;
}

/** Whether a row measures a model on a GPU in a layout. */
export function isMeasurementOf(row: MeasuredRow, { model, gpu, layout, engine }: MeasuredSubject): boolean {
  return (
    row.repository === model.repository &&
    gpuKeyOf(row.gpu) === gpuKeyOf(gpu) &&
    row.tp === layout.tp &&
    (row.pp ?? 1) === layout.pp &&
    (row.dp ?? 1) === layout.dp &&
    (engine === undefined || row.engine === undefined || row.engine.split('@')[0] === engine)
  );
}

/** Averages of a data set differ a little from run to run. */
const ALIKE = 0.05;

function isSameWorkload(a: MeasuredRow, b: MeasuredRow): boolean {
  return isAlike(a.inputTokens, b.inputTokens) && isAlike(a.outputTokens, b.outputTokens) && a.engine === b.engine;
}

/** Whether prompts, or answers, are of the same length on average. */
export function isAlike(a: number, b: number): boolean {
  return Math.abs(a - b) <= ALIKE * Math.max(a, b);
}

function speedAt(concurrency: number, below: MeasuredRow, above: MeasuredRow): MeasuredSpeed {
  const width = above.concurrency - below.concurrency;
  const part = width === 0 ? 0 : (concurrency - below.concurrency) / width;
  const between = (key: 'requestsPerSecond' | 'outputTokensPerSecond'): number =>
    below[key] + (above[key] - below[key]) * part;
  return {
    concurrency,
    requestsPerSecond: between('requestsPerSecond'),
    outputTokensPerSecond: between('outputTokensPerSecond'),
    from: below === above ? [below] : [below, above],
  };
}
