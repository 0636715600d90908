/** The hours of a month in every monthly figure: a twelfth of a year of 8,760 hours. */
export const HOURS_PER_MONTH = 730;

/** The total cost of some parts. */
export interface Sum {
  /** The hourly cost of the parts with a price. Absent if parts are unknown and the others cost nothing. */
  readonly perHour?: number;

  /** The same for a month of 730 hours. */
  readonly perMonth?: number;

  /** The number of pools and volumes without a price. If above 0, the figures are lower bounds. */
  readonly unknown: number;

  /** The oldest date of the prices. Absent if no price has a date. */
  readonly asOf?: string;

  /** The sources of the prices: ascending indexes into the `sources` of the cost. Absent without prices. */
  readonly sources?: readonly number[];
}

/** The cost of nothing. */
export const ZERO_SUM: Sum = { perHour: 0, perMonth: 0, unknown: 0 };

/** The cost of one item, or the sum of several. */
export interface CostPart {
  /** The hourly cost. Absent if it is not known. */
  readonly perHour?: number | undefined;

  /**
   * The number of pools and volumes without a price.
   *
   * @default 1 if `perHour` is absent, otherwise 0
   */
  readonly unknown?: number;

  /** The date of the price. */
  readonly asOf?: string | undefined;

  /** The indexes of its sources in the list of all sources, ascending. */
  readonly sources?: readonly number[] | undefined;
}

/** Adds up the cost of parts. The cost of no parts is a known zero. */
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

/** Subtracts one sum from another. The result is unknown if either sum has no known cost. */
export function subtractSums(before: Sum, after: Sum): CostPart {
  if (before.perHour === undefined || after.perHour === undefined) return {};
  const { asOf, sources } = sumParts([before, after]);
  return { perHour: after.perHour - before.perHour, asOf, sources };
}

/** Joins lists of sources. Reuses a list that contains the other, so that equal sets share one list. */
function unionSources(
  known: readonly number[] | undefined,
  more: readonly number[] | undefined,
): readonly number[] | undefined {
  if (!known || !more) return known ?? more;
  if (more.every((place) => known.includes(place))) return known;
  return [...new Set([...known, ...more])].sort((a, b) => a - b);
}

/** Rounds to a number of digits, which removes errors of binary fractions. */
function roundTo(amount: number, digits: number): number {
  return Number.isInteger(amount) ? amount : Number(amount.toFixed(digits));
}
