import { badInput } from './bad-input/bad-input';
import { gangs } from './gangs/gangs';
import { CHILD, runInChild, sendToParent } from './harness/child-run';
import { claim } from './harness/exclusive';
import { KUBERNETES, kubeplane } from './harness/kubeplane';
import { CACHE } from './harness/paths';
import { say, seconds } from './harness/say';
import { SetupError } from './harness/setup-error';
import { guardProcess } from './harness/shutdown';
import { live } from './live/live';
import type { Options, Part, Report } from './part';
import { promises } from './promises/promises';
import { refusals } from './refusals/refusals';
import { room } from './room/room';
import { selectors } from './selectors/selectors';
import { strict } from './strict/strict';
import { warm } from './warm/warm';
import { waves } from './waves/waves';

const PARTS: readonly Part[] = [badInput, refusals, room, warm, gangs, live, strict, promises, selectors, waves];

const USAGE = `usage: npm run test:kubernetes -- [${PARTS.map(({ name }) => name).join('|')}]... [--long] [--seed N] [--fleets N]`;

/**
 * Runs the parts that are named, or all, one after the other but for those that wait, and ends the process with what
 * came of them.
 */
export async function main(args: readonly string[]): Promise<void> {
  guardProcess();
  try {
    process.exitCode = args[0] === CHILD ? await runAsChild(args) : await runAsParent(args);
  } catch (error) {
    const words = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`test:kubernetes: ${words}\n`);
    process.exitCode = 1;
  }
  process.exit();
}

async function runAsParent(args: readonly string[]): Promise<number> {
  const { parts, options } = parse(args);
  claim(CACHE);
  // Before several processes need it.
  await kubeplane();
  return runAll(parts, options);
}

/** Runs the part that the parent process names, with its options. */
async function runAsChild([, name, options = '']: readonly string[]): Promise<number> {
  const part = PARTS.find((one) => one.name === name);
  if (!part) throw new Error(`there is no part ${name}`);
  process.once('disconnect', () => process.exit(1));
  await sendToParent(await part.run(JSON.parse(options) as Options));
  return 0;
}

async function runAll(parts: readonly Part[], options: Options): Promise<number> {
  const start = Date.now();
  const waiting = parts.length > 1 ? parts.filter(({ waits }) => waits) : [];
  const inChildren = waiting.map(({ name }) => timed(name, () => runInChild<Report>([name, JSON.stringify(options)])));
  const others = runInTurn(
    parts.filter((part) => !waiting.includes(part)),
    options,
  );
  const reports = (await Promise.all([others, ...inChildren])).flat();
  say(`\nKubernetes ${KUBERNETES}, seed ${options.seed}, ${seconds(Date.now() - start)}`);
  for (const line of reports.flatMap(({ figures }) => figures)) say(`  ${line}`);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

async function runInTurn(parts: readonly Part[], options: Options): Promise<Report[]> {
  const reports: Report[] = [];
  for (const { name, run } of parts) reports.push(await timed(name, () => run(options)));
  return reports;
}

/** Runs a part, and prints what is wrong and how long it took. */
async function timed(name: string, run: () => Promise<Report>): Promise<Report> {
  say(`== ${name}`);
  const begun = Date.now();
  const report = await run();
  for (const failure of report.failures.slice(0, MOST_SHOWN)) say(failure);
  const more = report.failures.length - MOST_SHOWN;
  if (more > 0) say(`... and ${more} more`);
  say(`   ${name} ${report.failures.length === 0 ? 'passed' : 'FAILED'} in ${seconds(Date.now() - begun)}`);
  return report;
}

const MOST_SHOWN = 5;

function parse(args: readonly string[]): { parts: readonly Part[]; options: Options } {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  let long = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--long') long = true;
    else if (arg === '--seed' || arg === '--fleets') numbers.set(arg, Number(args[++i]));
    else names.push(arg);
  }
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined || [...numbers.values()].some((number) => !Number.isInteger(number))) {
    throw new SetupError(USAGE);
  }
  const fleets = numbers.get('--fleets');
  return {
    parts: names.length > 0 ? PARTS.filter(({ name }) => names.includes(name)) : PARTS,
    options: { long, seed: numbers.get('--seed') ?? 1, ...(fleets !== undefined && { fleets }) },
  };
}
