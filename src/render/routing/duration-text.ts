/** Milliseconds of each unit, largest first. */
const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/**
 * Seconds as Gateway API writes durations: at most five digits of each unit (GEP-2257).
 *
 * @example
 * durationText(5400); // '1h30m'
 */
export function durationText(seconds: number): string {
  let rest = Math.round(seconds * 1000);
  const parts = UNITS.map(([unit, size]) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
