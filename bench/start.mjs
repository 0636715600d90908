// `npm run bench:start`: how long the package takes to import and the command to start, and how large it is.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = 'dist/src/cli/main.js';
const TELL = fileURLToPath(new URL('tell-processor.cjs', import.meta.url));
const RUNS = 10;

/** What is started in a process of its own, and the most that it may take. */
const CASES = [
  { what: 'node alone', args: ['-e', '0'] },
  { what: 'fleetwright, require', args: ['-e', "require('fleetwright')"], goalMs: 200 },
  { what: 'fleetwright, import', args: ['--input-type=module', '-e', "import 'fleetwright'"], goalMs: 200 },
  { what: 'fleetwright/constructs, require', args: ['-e', "require('fleetwright/constructs')"], goalMs: 400 },
  {
    what: 'fleetwright/constructs, import',
    args: ['--input-type=module', '-e', "import 'fleetwright/constructs'"],
    goalMs: 400,
  },
  { what: 'fleetwright/stacks, require', args: ['-e', "require('fleetwright/stacks')"], goalMs: 1500 },
  { what: '@pulumi/pulumi alone', args: ['-e', "require('@pulumi/pulumi')"] },
  { what: 'Pulumi program of examples/quickstart', args: ['bench/pulumi-program.cjs'], goalMs: 1500 },
  { what: 'constructs and cdk8s', args: ['-e', "require('fleetwright/constructs'); require('cdk8s')"] },
  { what: 'fleetwright --version', args: [cli, '--version'] },
  {
    what: 'fleetwright fit, the whole catalogue',
    args: [cli, 'fit', 'Qwen/Qwen3-32B', '--context', '32k'],
    goalMs: 600,
  },
  { what: 'fleetwright plan examples/quickstart', args: [cli, 'plan', 'examples/quickstart'] },
];

const runs = CASES.map(() => []);
// In turns, so that what else the machine does falls on all alike.
for (let run = 0; run < RUNS; run += 1) CASES.forEach(({ args }, index) => runs[index].push(started(args)));
const rows = CASES.map((one, index) => row(one, runs[index]));
process.stdout.write(`${line('', 'time', 'processor', 'goal')}\n`);
for (const { what, ms, cpuMs, goalMs, missed } of rows) {
  const goal = goalMs === undefined ? '' : `${seconds(goalMs)}${missed ? ' MISSED' : ''}`;
  process.stdout.write(`${line(what, seconds(ms), seconds(cpuMs), goal)}\n`);
}
process.stdout.write(`\n${sizes().join('\n')}\n`);
if (rows.some(({ missed }) => missed)) process.exitCode = 1;

/** Medians. As elsewhere, a goal is missed where both times exceed it. */
function row({ what, goalMs }, all) {
  const ms = median(all.map((one) => one.ms));
  const cpuMs = median(all.map((one) => one.cpuMs));
  return { what, ms, cpuMs, goalMs, missed: Math.min(ms, cpuMs) > (goalMs ?? Infinity) };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[RUNS / 2 - 1] + sorted[RUNS / 2]) / 2;
}

function started(args) {
  const from = performance.now();
  const { status, output } = spawnSync(process.execPath, ['-r', TELL, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed`);
  return { ms: performance.now() - from, cpuMs: Number(output[3]) / 1000 };
}

function line(what, ...columns) {
  return [what.padEnd(38), ...columns.map((column) => column.padEnd(11))].join('').trimEnd();
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** The package, and the packages that it cannot do without. */
function sizes() {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ size, unpackedSize, entryCount }] = JSON.parse(packed);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const all = Object.keys(dependencies).map((name) => [name, bytesBelow(join(root, 'node_modules', name))]);
  const total = all.reduce((sum, [, bytes]) => sum + bytes, unpackedSize);
  return [
    `packed ${mebibytes(size)}, installed ${mebibytes(unpackedSize)} in ${entryCount} files`,
    `with its dependencies ${mebibytes(total)}: ${all.map(([name, bytes]) => `${name} ${mebibytes(bytes)}`).join(', ')}`,
  ];
}

function bytesBelow(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
