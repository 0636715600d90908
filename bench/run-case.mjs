import { CASES } from './cases.mjs';

/** Runs one case in this process and prints its rows as JSON, with the most memory that the process took. */
const [name] = process.argv.slice(2);
const rows = CASES[name]();
const memoryMiB = process.resourceUsage().maxRSS / 1024;
const measured = rows.map(({ ms, ...row }) => ({
  case: name,
  ...row,
  ms,
  memoryMiB,
  missed: ms > (row.goalMs ?? Infinity) || (row.ratio ?? 0) > (row.goalRatio ?? Infinity) || memoryMiB > 2048,
}));
process.stdout.write(JSON.stringify(measured));
