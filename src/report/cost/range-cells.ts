import { formatAmount } from '../../base/money';
import type { CostRange } from '../../cost/cost';
import type { RangeChange } from '../../cost/cost-changes';
import { formatRangeDifference } from './cost-difference';
import { formatEstimatedDelta } from './cost-estimate';
import { formatEstimatedRange, formatKnownRange } from './monthly-range';

/** A change by known prices, and its estimate with prices of other regions. */
export interface KnownAndEstimated {
  readonly known: RangeChange;

  /** Absent if nothing is estimated. */
  readonly estimated?: RangeChange | undefined;
}

/** Formats a cost a month before, after, and the difference: each by known prices if they suffice, or else an estimate. */
export function formatBestCells({ known, estimated }: KnownAndEstimated, currency: string): string[] {
  const exact = formatKnownCells(known, currency);
  if (!estimated) return exact;
  const about = formatEstimatedCells(estimated, currency);
  const parts = ['before', 'after', 'delta'] as const;
  return parts.map((part, at) => (isBetterKnown(known[part], estimated[part]) ? about : exact)[at] ?? '');
}

/** Whether an estimate has a price for a part that has no known price. */
export function isBetterKnown(known: CostRange, estimated: CostRange): boolean {
  return !isKnown(known) && BOUNDS.some((bound) => estimated[bound].perMonth !== known[bound].perMonth);
}

const BOUNDS = ['least', 'most'] as const;

function isKnown(range: CostRange): boolean {
  return BOUNDS.every((bound) => range[bound].unknown === 0);
}

export function hasUnknown({ before, after, delta }: RangeChange): boolean {
  return ![before, after, delta].every(isKnown);
}

/** Formats a cost a month before, after, and the difference. */
export function formatKnownCells(change: RangeChange, currency: string): string[] {
  const { before, after } = change;
  const [was = '', is = ''] = [before, after].map((range) => formatKnownRange(range, currency));
  // Less than is shown of the amounts is no difference.
  const isSame = was === is && !hasUnknown(change);
  return [was, is, isSame ? formatAmount(0, currency) : formatRangeDifference(change, currency)];
}

/**
 * Formats an estimate of a cost a month before, after, and of the difference.
 *
 * @param exact the change by known prices, where these suffice for the difference
 */
export function formatEstimatedCells(change: RangeChange, currency: string, exact?: RangeChange): string[] {
  const cells = [change.before, change.after].map((range) => formatEstimatedRange(range, currency));
  const difference = exact ? formatKnownCells(exact, currency).slice(-1) : [formatEstimatedDelta(change, currency)];
  return [...cells, ...difference];
}
