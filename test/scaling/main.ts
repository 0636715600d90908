import { claim } from '../kubernetes/harness/exclusive';
import { say, seconds } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import { guardProcess } from '../kubernetes/harness/shutdown';
import { CACHE } from './harness/paths';
import { rules } from './rules/rules';

/** A comparison of what is emitted with what the real program does with it. */
export interface Part {
  readonly name: string;

  /** Returns what is wrong, each for a person to look into, and lines with figures. */
  readonly run: () => Promise<{ readonly failures: readonly string[]; readonly figures: readonly string[] }>;
}

const PARTS: readonly Part[] = [rules];

/** Runs the parts that are named, or all, and ends the process with the result. */
export async function main(names: readonly string[]): Promise<void> {
  guardProcess();
  try {
    const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
    const usage = `usage: npm run test:scaling -- [${PARTS.map(({ name }) => name).join('|')}]...`;
    if (unknown !== undefined) throw new SetupError(usage);
    claim(CACHE);
    process.exitCode = await runAll(PARTS.filter(({ name }) => names.length === 0 || names.includes(name)));
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
