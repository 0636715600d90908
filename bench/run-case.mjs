import { CASES } from './cases.mjs';

/**
 * Runs one case in this process and prints its rows as JSON, with the most memory that the process took. A goal is
 * missed where both times exceed it: the clock counts what other processes take, the processor what runs
 * at the same time.
 */
const [name] = process.argv.slice(2);
const rows = await CASES[name]();
const memoryMiB = process.resourceUsage().maxRSS / 1024;
const measured = rows.map(({ ms, ...row }) => ({
  case: name,
  ...row,
  ms,
  memoryMiB: row.memoryMiB ?? memoryMiB,
  missed:
    Math.min(ms, row.cpuMs) > (row.goalMs ?? Infinity) ||
    (row.ratio ?? 0) > (row.goalRatio ?? Infinity) ||
    memoryMiB > 2048 ||
    (row.memoryMiB ?? 0) > (row.goalMiB ?? Infinity),
}));
process.stdout.write(JSON.stringify(measured));
