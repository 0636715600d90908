import { formatCount } from './figures';

/** The seconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** The seconds of a duration in the format of `src/api/schema/quantity.ts`: 5400 for `1h30m`. */
export function parseDuration(duration: string): number {
  const parts = [...duration.matchAll(/(?<!\d)(\d+)([hms])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
}

/** The units of times that are written out, the longest first. */
const WRITTEN_UNITS = [
  [3600, 'h'],
  [60, 'min'],
] as const;

/** `30 s`, `5 min`, of a number of seconds. */
export function formatSeconds(seconds: number): string {
  const [size, unit] = WRITTEN_UNITS.find(([size]) => seconds > 0 && seconds % size === 0) ?? [1, 's'];
  return `${formatCount(seconds / size)} ${unit}`;
}
