import { claim } from '../kubernetes/harness/exclusive';
import { CACHE as KUBERNETES_CACHE } from '../kubernetes/harness/paths';
import { say, seconds } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import { guardProcess } from '../kubernetes/harness/shutdown';
import { CACHE } from './harness/paths';
import { load } from './load/load';
import { fleets } from './load/random-fleets';
import { rules } from './rules/rules';

/** A comparison of what is emitted with what the real program does with it. */
export interface Part {
  readonly name: string;

  /** Returns what is wrong, each for a person to look into, and lines with figures. */
  readonly run: () => Promise<{ readonly failures: readonly string[]; readonly figures: readonly string[] }>;
}

const PARTS: readonly Part[] = [rules];

/** Parts that run only by their name: they take long to build. */
const NAMED: readonly Part[] = [load, fleets];

/** Runs the parts that are named, or those of every day, and ends the process with the result. */
export async function main(names: readonly string[]): Promise<void> {
  guardProcess();
  try {
    const all = [...PARTS, ...NAMED];
    const unknown = names.find((name) => !all.some((part) => part.name === name));
    const usage = `usage: npm run test:scaling -- [${all.map(({ name }) => name).join('|')}]...`;
    if (unknown !== undefined) throw new SetupError(usage);
    claim(CACHE);
    if (NAMED.some(({ name }) => names.includes(name))) claim(KUBERNETES_CACHE);
    process.exitCode = await runAll(names.length === 0 ? PARTS : all.filter(({ name }) => names.includes(name)));
  } catch (error) {
    const words = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`test:scaling: ${words}\n`);
    process.exitCode = 1;
  }
  process.exit();
}

async function runAll(parts: readonly Part[]): Promise<number> {
  let failed = 0;
  for (const { name, run } of parts) {
    say(`== ${name}`);
    const start = Date.now();
    const { failures, figures } = await run();
    for (const line of [...failures, ...figures.map((figure) => `   ${figure}`)]) say(line);
    say(`   ${failures.length === 0 ? 'passed' : 'FAILED'} in ${seconds(Date.now() - start)}`);
    failed += failures.length;
  }
  return failed > 0 ? 1 : 0;
}
