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
}

/** One thing that is paid for, or the sum of several. */
export interface Part {
  /** Absent where nobody knows. */
  readonly perHour?: number | undefined;

  /** Parts of it that nobody knows. Default: 1 where `perHour` is absent. */
  readonly unknown?: number;

  /** The day of its price. */
  readonly asOf?: string | undefined;
}

/** What some parts cost together. No parts cost nothing, which is known. */
export function sumOf(parts: Iterable<Part>): Sum {
  let [total, missing] = [0, 0];
  let oldest: string | undefined;
  for (const { perHour, unknown, asOf } of parts) {
    total += perHour ?? 0;
    missing += unknown ?? (perHour === undefined ? 1 : 0);
    if (asOf !== undefined && (oldest === undefined || asOf < oldest)) oldest = asOf;
  }
  if (total === 0 && missing > 0) return { unknown: missing };
  return {
    perHour: rounded(total, 6),
    perMonth: rounded(total * HOURS_PER_MONTH, 2),
    unknown: missing,
    ...(oldest !== undefined && { asOf: oldest }),
  };
}

/** Digits that only the arithmetic of binary fractions brings are left out. */
function rounded(amount: number, digits: number): number {
  return Number.isInteger(amount) ? amount : Number(amount.toFixed(digits));
}
