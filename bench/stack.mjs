// `npm run bench:stack [CLUSTERS SERVICES]`: what the program of Pulumi.yaml takes for a large fleet, all clusters or one. It runs in the
// language host of Pulumi against the small engine of the tests, which is a process of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routedFleet } from './routed-fleet.mjs';

const { run } = createRequire(import.meta.url)('../test/stacks/engine.cjs');
const root = fileURLToPath(new URL('..', import.meta.url));
const [clusters = 100, services = 20] = process.argv.slice(2).map(Number);
const work = mkdtempSync(join(tmpdir(), 'bench-'));
const usage = join(work, 'usage.json');
process.env.FLEETWRIGHT_USAGE = usage;

const CASES = [
  { what: 'one cluster', cluster: `cluster-${String(clusters - 1).padStart(3, '0')}` },
  { what: 'one cluster, with a front door', cluster: 'cluster-000' },
  { what: 'all clusters', goalMs: 30_000, goalMiB: 1024 },
];

const fleet = join(work, 'fleet');
mkdirSync(fleet);
writeFileSync(join(fleet, 'fleet.yaml'), routedFleet({ clusters, services }));
execFileSync(process.execPath, [join(root, 'dist/src/cli/main.js'), 'lock', fleet]);
process.stdout.write(`${clusters} clusters x ${services} services\n`);
for (const { what, cluster, goalMs = Infinity, goalMiB = Infinity } of CASES) {
  const config = { 'fleetwright:fleet': fleet, ...(cluster && { 'fleetwright:cluster': cluster }) };
  const { code, said, registered, ms } = await run({
    program: join(root, 'dist/stacks/main.js'),
    root,
    project: 'fleetwright',
    config,
    preview: false,
    require: join(root, 'bench/tell-usage.cjs'),
  });
  if (code !== 0) throw new Error(said.join('\n'));
  const { cpuMs, memoryMiB } = JSON.parse(readFileSync(usage, 'utf8'));
  const missed = Math.min(ms, cpuMs) > goalMs || memoryMiB > goalMiB;
  const figures = [
    `${registered.length} resources`,
    `${(ms / 1000).toFixed(1)} s`,
    `processor ${(cpuMs / 1000).toFixed(1)} s`,
    `${memoryMiB.toFixed(0)} MiB`,
    ...(missed ? ['MISSED'] : []),
  ];
  process.stdout.write(`${what.padEnd(32)}${figures.join(', ')}\n`);
  if (missed) process.exitCode = 1;
}
rmSync(work, { recursive: true });
