import { compareText } from '../base/order';
import type { MeasuredRow } from '../catalog/models/measured-row';
import { isAlike, isMeasurementOf, measuredSpeedOf, type MeasuredSubject } from './measured-speed';

/** Requests that a deployment, or a layout, is to answer. */
export interface Load {
  readonly requestsPerSecond: number;

  /** Tokens of a usual prompt and of a usual answer. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A figure that is between two others. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** What one replica carries, from measurements. */
export interface MeasuredRate {
  /** Requests a second: at the wanted number of requests at once, and the most of all measurements. */
  readonly requestsPerSecond: Bounds;

  /** The measurements that state these figures. */
  readonly from: readonly MeasuredRow[];
}

/**
 * What one replica carries of requests like those of a load, from measurements of the same model, GPU and layout with
 * prompts and answers of the same length. Nothing outside the measurements is stated: undefined if there are none.
 *
 * A replica carries what it was measured to carry, whatever the number of requests at once was. From 2 on, the wanted
 * number is a limit, and the low figure is the speed at this number: between two measurements it is interpolated, which
 * says less than an engine does, because its speed rises ever more slowly.
 *
 * @param concurrency the requests at once that a replica is to hold
 */
export function measuredRateOf(
  rows: readonly MeasuredRow[],
  subject: MeasuredSubject,
  load: Omit<Load, 'requestsPerSecond'>,
  concurrency: number,
): MeasuredRate | undefined {
  const alike = rows.filter((row) => isMeasurementOf(row, subject) && isLike(row, load)).toSorted(byConcurrency);
  const best = alike.reduce<MeasuredRow | undefined>(
    (most, row) => (most && most.requestsPerSecond >= row.requestsPerSecond ? most : row),
    undefined,
  );
  if (!best) return undefined;
  const limited = concurrency > 1 ? rateAt(alike, subject, concurrency) : undefined;
  const least = limited && limited.requestsPerSecond < best.requestsPerSecond ? limited : undefined;
  const from = [...new Set([...(least?.from ?? []), best])].sort(byConcurrency);
  const ratios = from.flatMap((row) => [row.inputTokens / load.inputTokens, row.outputTokens / load.outputTokens]);
  return {
    requestsPerSecond: {
      low: (least ?? best).requestsPerSecond * Math.min(1, ...ratios),
      high: best.requestsPerSecond * Math.max(1, ...ratios),
    },
    from,
  };
}

function isLike(row: MeasuredRow, { inputTokens, outputTokens }: Omit<Load, 'requestsPerSecond'>): boolean {
  return isAlike(row.inputTokens, inputTokens) && isAlike(row.outputTokens, outputTokens);
}

function byConcurrency(a: MeasuredRow, b: MeasuredRow): number {
  return a.concurrency - b.concurrency || a.requestsPerSecond - b.requestsPerSecond || compareText(a.source, b.source);
}

/** The speed at a number of requests, or at the nearest that was measured. */
function rateAt(
  alike: readonly MeasuredRow[],
  subject: MeasuredSubject,
  wanted: number,
): { readonly requestsPerSecond: number; readonly from: readonly MeasuredRow[] } | undefined {
  const [least, most] = [alike[0], alike.at(-1)];
  if (!least || !most) return undefined;
  const concurrency = Math.min(Math.max(wanted, least.concurrency), most.concurrency);
  const between = measuredSpeedOf(alike, subject, { concurrency, context: Infinity });
  const below = alike.findLast((row) => row.concurrency <= concurrency) ?? least;
  return between ?? { requestsPerSecond: below.requestsPerSecond, from: [below] };
}

/** The replicas that carry a load: the fewest at the high figure of a rate, the most at its low one. */
export function replicasOfLoad({ requestsPerSecond }: Load, rate: MeasuredRate): Bounds {
  const { low, high } = rate.requestsPerSecond;
  return { low: countFor(requestsPerSecond, high), high: countFor(requestsPerSecond, low) };
}

/** Quotients of decimal fractions are not exact: 0.3 / 0.1 is more than 3. */
const ROUNDING = 1e-9;

function countFor(load: number, rate: number): number {
  return Math.max(1, Math.ceil((load / rate) * (1 - ROUNDING)));
}
