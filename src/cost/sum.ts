/** Hours of a month in every figure by the month: a year of 8,760 hours by twelve. */
export const HOURS_PER_MONTH = 730;

/** What some parts cost together. */
export interface Sum {
  /** What the parts with a price cost an hour. Absent where parts are unknown and the others cost nothing. */
  readonly perHour?: number;

  /** The same for a month of 730 hours. */
  readonly perMonth?: number;

  /** Parts without a price. Above 0 the figures say "at least". */
  readonly unknown: number;

  /** The oldest day of the prices in it. Absent where no price has a day. */
  readonly asOf?: string;

  /** Whose prices are in it: ascending places in the `sources` of what it is a figure of. Absent where no price is. */
  readonly sources?: readonly number[];
}

/** What nothing costs. */
export const ZERO_SUM: Sum = { perHour: 0, perMonth: 0, unknown: 0 };

/** One thing that is paid for, or the sum of several. */
export interface CostPart {
  /** Absent where nobody knows. */
  readonly perHour?: number | undefined;

  /** Parts of it that nobody knows. Default: 1 where `perHour` is absent. */
  readonly unknown?: number;

  /** The day of its price. */
  readonly asOf?: string | undefined;

  /** The places of its sources in the list of all, ascending. */
  readonly sources?: readonly number[] | undefined;
}

/** What some parts cost together. No parts cost nothing, which is known. */
export function sumParts(parts: Iterable<CostPart>): Sum {
  let [total, missing] = [0, 0];
  let oldest: string | undefined;
  let places: readonly number[] | undefined;
  for (const { perHour, unknown, asOf, sources } of parts) {
    total += perHour ?? 0;
    missing += unknown ?? (perHour === undefined ? 1 : 0);
    if (asOf !== undefined && (oldest === undefined || asOf < oldest)) oldest = asOf;
    if (sources !== places) places = unionSources(places, sources);
  }
  if (total === 0 && missing > 0) return { unknown: missing };
  return {
    perHour: roundTo(total, 6),
    perMonth: roundTo(total * HOURS_PER_MONTH, 2),
    unknown: missing,
    ...(oldest !== undefined && { asOf: oldest }),
    ...(places && { sources: places }),
  };
}

/** How much more one sum is than another, by the prices of both. Unknown where nothing is known of either. */
export function subtractSums(before: Sum, after: Sum): CostPart {
  if (before.perHour === undefined || after.perHour === undefined) return {};
  const { asOf, sources } = sumParts([before, after]);
  return { perHour: after.perHour - before.perHour, asOf, sources };
}

/** As few lists as there are sets of sources: one that has all of the other is taken as it is. */
function unionSources(
  known: readonly number[] | undefined,
  more: readonly number[] | undefined,
): readonly number[] | undefined {
  if (!known || !more) return known ?? more;
  if (more.every((place) => known.includes(place))) return known;
  return [...new Set([...known, ...more])].sort((a, b) => a - b);
}

/** Digits that only the arithmetic of binary fractions brings are left out. */
function roundTo(amount: number, digits: number): number {
  return Number.isInteger(amount) ? amount : Number(amount.toFixed(digits));
}
