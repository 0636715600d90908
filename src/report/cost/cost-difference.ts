import { formatSignedBounds } from '../../base/money';
import type { CostRange } from '../../cost/cost';
import { toRangeChange, type BoughtChange, type ChangeWithLeast, type RangeChange } from '../../cost/cost-changes';
import { sumParts } from '../../cost/sum';
import { formatWithoutPrice, type UnpricedParts } from '../../cost/unpriced-text';
import type { MonthlySum } from './monthly-range';

interface MonthlyChange {
  readonly before: MonthlySum;
  readonly after: MonthlySum;
  readonly delta: MonthlySum;
}

/** A change of what is bought, or of a part of it. */
export type StoredChange = RangeChange & Partial<Pick<BoughtChange, 'storage'>>;

/** What of a difference has no price. Undefined: not known. */
export function unpricedOf({ storage }: StoredChange): UnpricedParts | undefined {
  return storage && { volumes: storage.delta.unknown };
}

/**
 * Formats a difference like `formatDifferenceBounds`. Where it is not known and its known part rises, that is stated:
 * `+$877, and 1 pool or volume without a price`.
 *
 * @param per behind each amount: ` a month`
 */
export function formatRangeDifference(change: StoredChange, currency: string, per = ''): string {
  const bounds = formatDifferenceBounds(change, currency);
  if (bounds !== 'unknown') return `${bounds}${per}`;
  const rise = formatKnownRise(change, currency);
  return rise === undefined
    ? bounds
    : `${rise}${per}, and ${formatWithoutPrice(change.delta.most.unknown, unpricedOf(change))}`;
}

/** Formats the known part of a difference. Absent unless it rises, and where parts without a price go: they may cost more. */
export function formatKnownRise({ before, after, delta }: RangeChange, currency: string): string | undefined {
  if (after.most.unknown < before.most.unknown) return undefined;
  const known = [delta.least.perMonth ?? 0, delta.most.perMonth ?? 0];
  return Math.min(...known) > 0 ? formatSignedBounds(known, currency) : undefined;
}

/**
 * Formats a difference with bounds, the one nearer to 0 first: `+$40,179`, `-$3 to +$12`, `$0 to +$12`, `unknown`,
 * `≥ +$40,179` where parts without a price come, `≤ -$40,179` where they go.
 *
 * @param round how amounts are rounded. Default: not at all
 */
export function formatDifferenceBounds(
  change: RangeChange,
  currency: string,
  round: (amount: number) => number = Number,
): string {
  const bounds = (['least', 'most'] as const).map((bound) => differenceOf(boundOf(change, bound)));
  const known = bounds.flatMap(({ amount }) => amount ?? []);
  const signs = new Set(bounds.flatMap(({ sign }) => sign ?? []));
  if (known.length < bounds.length || signs.size > 1) return 'unknown';
  return [...signs, formatSignedBounds(known.map(round), currency)].join(' ');
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

  /** Whether the difference may be larger or smaller. Absent: it is exact. */
  readonly sign?: '≥' | '≤';
}

/**
 * Where all unknown parts of a difference are of the later state, what is known of both is a lower bound. One that is
 * not above 0 is no saving: the later parts have a price that is not known. Where they are all of the former state, it
 * is an upper bound in the same way.
 */
function differenceOf({ before, after, delta }: MonthlyChange): Difference {
  if (delta.unknown === 0) return { amount: delta.perMonth };
  const more = after.unknown - before.unknown;
  if (delta.unknown !== Math.abs(more)) return {};
  const [larger, smaller] = more > 0 ? [after, before] : [before, after];
  if (larger.perMonth === undefined || (smaller.perMonth === undefined && smaller.unknown > 0)) return {};
  const amount = larger.perMonth - (smaller.perMonth ?? 0);
  if (amount <= 0) return {};
  return more > 0 ? { amount, sign: '≥' } : { amount: -amount, sign: '≤' };
}
