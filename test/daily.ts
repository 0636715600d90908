const TIMES = Number(process.env['FLEETWRIGHT_TIMES'] ?? 1 / 4);

/** Whether all is tried: `npm test` leaves out what takes long and seldom finds anything, and `.ci/run` does not. */
export const isWhole = TIMES >= 1;

/** So few inputs are cheap, and of fewer, those that are skipped count too much. */
const LEAST = 4;

/**
 * How many inputs of a property are tried: `npm test` tries a quarter, `.ci/run` all with FLEETWRIGHT_TIMES=1, and
 * FLEETWRIGHT_TIMES=10 tries ten times as many.
 */
export function daily(runs: number): number {
  return Math.max(Math.min(runs, LEAST), Math.ceil(runs * TIMES));
}
