import { formatAmount, roundEstimate } from '../../base/money';
import type { Sum } from '../../cost/sum';

/** The bounds of a cost a month, each with the number of parts without a price. The page of the map has them, too. */
export interface MonthlyRange {
  readonly least: MonthlySum;
  readonly most: MonthlySum;
}

/** The amount of a month, and the number of parts without a price. */
export type MonthlySum = Pick<Sum, 'perMonth' | 'unknown'>;

/** A cell of a table: `$66,600`, `≥ $66,600` where a part has no price, `$12 to $66,600`, `≥ $12 to $66,600`. */
export function formatKnownRange({ least, most }: MonthlyRange, currency: string): string {
  const [low, high = ''] = [least, most].map((bound) => formatBound(bound, currency));
  // Equal amounts of which one is a lower bound are that bound.
  return low === high || formatBound({ ...least, unknown: most.unknown }, currency) === high
    ? high
    : `${low} to ${least.unknown > 0 ? high.replace(/^\u2265 /, '') : high}`;
}

function formatBound({ perMonth, unknown }: MonthlySum, currency: string): string {
  if (perMonth === undefined) return 'unknown';
  return `${unknown > 0 ? '≥ ' : ''}${formatAmount(perMonth, currency)}`;
}

/** A cell of a table: `≈ $66,600 to $69,500`, `≥ $66,600` where a part has no price, `unknown` where all have none. */
export function formatEstimatedRange({ least, most }: MonthlyRange, currency: string): string {
  if (most.unknown > 0 && (most.perMonth ?? 0) === 0) return 'unknown';
  const [low, high = ''] = [least, most].map(({ perMonth = 0 }) => formatAmount(roundEstimate(perMonth), currency));
  return `${signOf({ least, most })}${low === high ? high : `${low} to ${high}`}`;
}

/** The sign of an estimate. Nothing is exact. */
export function signOf({ least, most }: MonthlyRange): string {
  if (most.unknown > 0) return '≥ ';
  return least.perMonth === 0 && most.perMonth === 0 ? '' : '≈ ';
}
