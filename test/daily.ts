const TIMES = Number(process.env['FLEETWRIGHT_TIMES'] ?? 1);

/** How many inputs of a property `npm test` tries. FLEETWRIGHT_TIMES=10 tries ten times as many. */
export function daily(runs: number): number {
  return runs * TIMES;
}
