import { formatSignedAmount } from '../../base/money';
import type { CostRange } from '../../cost/cost';
import type { ChangeWithLeast, RangeChange } from '../../cost/cost-changes';
import { type Sum, sumParts } from '../../cost/sum';
import { toRangeChange } from './cost-changes-tables';

/** The amount of a month, and the number of parts without a price. */
export type MonthlySum = Pick<Sum, 'perMonth' | 'unknown'>;

export interface MonthlyChange {
  readonly before: MonthlySum;
  readonly after: MonthlySum;
  readonly delta: MonthlySum;
}

/** Formats how much more a month costs: `+$40,179`, `≥ +$40,179` where parts without a price come, `unknown`. */
export function formatDifference(change: MonthlyChange, currency: string): string {
  const { amount, isBound } = differenceOf(change);
  if (amount === undefined) return 'unknown';
  return `${isBound ? '≥ ' : ''}${formatSignedAmount(amount, currency)}`;
}

/** Formats a difference with bounds: `+$40,179`, `-$3 to +$12`, `unknown`. */
export function formatRangeDifference(change: RangeChange, currency: string): string {
  const [low, high] = (['least', 'most'] as const).map((bound) => formatDifference(boundOf(change, bound), currency));
  if (low === undefined || high === undefined || low === high) return `${high}`;
  return [low, high].includes('unknown') ? 'unknown' : `${low} to ${high}`;
}

/** Adds up changes of costs, with the fewest copies and with all that autoscalers can add. */
export function sumRangeChanges(changes: readonly ChangeWithLeast[]): RangeChange {
  const ranges = changes.map(toRangeChange);
  const total = (of: keyof RangeChange): CostRange => ({
    least: sumParts(ranges.map((range) => range[of].least)),
    most: sumParts(ranges.map((range) => range[of].most)),
  });
  return { before: total('before'), after: total('after'), delta: total('delta') };
}

function boundOf({ before, after, delta }: RangeChange, bound: keyof CostRange): MonthlyChange {
  return { before: before[bound], after: after[bound], delta: delta[bound] };
}

interface Difference {
  /** Absent: not known. */
  readonly amount?: number | undefined;

  /** Whether the difference may be larger. */
  readonly isBound: boolean;
}

/** Where all unknown parts of a difference are of the later state, what is known of both is a lower bound. */
function differenceOf({ before, after, delta }: MonthlyChange): Difference {
  if (delta.unknown === 0) return { amount: delta.perMonth, isBound: false };
  const isOfLater = delta.unknown === after.unknown - before.unknown;
  if (!isOfLater || after.perMonth === undefined) return { isBound: false };
  const known = before.perMonth ?? (before.unknown === 0 ? 0 : undefined);
  return known === undefined ? { isBound: false } : { amount: after.perMonth - known, isBound: true };
}
