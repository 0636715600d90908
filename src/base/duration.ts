/** The seconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** The seconds of a duration in the format of `src/api/schema/quantity.ts`: 5400 for `1h30m`. */
export function parseDuration(duration: string): number {
  const parts = [...duration.matchAll(/(?<!\d)(\d+)([hms])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
}
