import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import bundleSources from '../scripts/bundle-sources.cjs';
import { CASES } from './cases.mjs';
import { TINY } from './sizes.mjs';
import { table } from './table.mjs';

const [only] = process.argv.slice(2);
const HOOK = fileURLToPath(new URL('../scripts/typescript-hook.cjs', import.meta.url));
const RUN = fileURLToPath(new URL('./run-case.mjs', import.meta.url));
const OUT = fileURLToPath(new URL('../out/', import.meta.url));

const machine = {
  processor: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};

/** Where no goal counts, processes load all sources at once. */
const env = TINY ? { ...process.env, FLEETWRIGHT_SOURCES: await bundleSources() } : process.env;

const rows = [];
for (const name of Object.keys(CASES).filter((one) => !only || one === only)) {
  const found = JSON.parse(execFileSync(process.execPath, ['-r', HOOK, RUN, name], { encoding: 'utf8', env }));
  process.stdout.write(table(found, rows.length === 0));
  rows.push(...found);
}
mkdirSync(OUT, { recursive: true });
writeFileSync(`${OUT}bench.json`, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
if (!TINY && rows.some(({ missed }) => missed)) process.exitCode = 1;
