import { formatSignedBounds } from '../../base/money';
import type { CostRange } from '../../cost/cost';
import type { ChangeWithLeast, RangeChange } from '../../cost/cost-changes';
import { type Sum, sumParts } from '../../cost/sum';
import { toRangeChange } from './cost-changes-tables';

/** The amount of a month, and the number of parts without a price. */
export type MonthlySum = Pick<Sum, 'perMonth' | 'unknown'>;

interface MonthlyChange {
  readonly before: MonthlySum;
  readonly after: MonthlySum;
  readonly delta: MonthlySum;
}

/**
 * Formats a difference with bounds, the one nearer to 0 first: `+$40,179`, `-$3 to +$12`, `$0 to +$12`, `unknown`,
 * `≥ +$40,179` where parts without a price come.
 */
export function formatRangeDifference(change: RangeChange, currency: string): string {
  const bounds = (['least', 'most'] as const).map((bound) => differenceOf(boundOf(change, bound)));
  const known = bounds.flatMap(({ amount }) => amount ?? []);
  if (known.length < bounds.length) return 'unknown';
  return `${bounds.some(({ isBound }) => isBound) ? '≥ ' : ''}${formatSignedBounds(known, currency)}`;
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

/**
 * Where all unknown parts of a difference are of the later state, what is known of both is a lower bound. One that is
 * not above 0 is no saving: the later parts have a price that is not known.
 */
function differenceOf({ before, after, delta }: MonthlyChange): Difference {
  if (delta.unknown === 0) return { amount: delta.perMonth, isBound: false };
  const isOfLater = delta.unknown === after.unknown - before.unknown;
  if (!isOfLater || after.perMonth === undefined) return { isBound: false };
  const known = before.perMonth ?? (before.unknown === 0 ? 0 : undefined);
  const amount = known === undefined ? 0 : after.perMonth - known;
  return amount > 0 ? { amount, isBound: true } : { isBound: false };
}
