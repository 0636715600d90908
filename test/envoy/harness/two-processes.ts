import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim } from '../../kubernetes/harness/exclusive';
import { say } from '../../kubernetes/harness/say';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { atEnd, guardProcess } from '../../kubernetes/harness/shutdown';
import { inNamespaces, needNamespaces } from './namespace';
import { HERE } from './paths';

/** A run of two processes: one builds, and starts the other in namespaces of its own. */
export interface TwoProcesses<Built> {
  /** The command, as npm names it. */
  readonly name: string;

  /** The file that npm starts. */
  readonly file: string;

  /** Folders that no other run may use. Logs of a failed run go to the first. */
  readonly caches: readonly [string, ...string[]];

  /** Builds what the process inside needs. Undefined: there is nothing to run. */
  readonly build: (args: readonly string[]) => Promise<Built | undefined>;

  /** Runs inside, in a folder for everything, and returns the exit code. */
  readonly inside: (args: readonly string[], folder: string, built: Built) => Promise<number>;
}

const INSIDE = '--inside';
const HANDED = 'FLEETWRIGHT_RUN_INSIDE';

/** Runs both processes, and ends this one with the exit code. */
export async function runBoth<Built>(run: TwoProcesses<Built>, args: readonly string[]): Promise<void> {
  guardProcess();
  try {
    process.exitCode = args[0] === INSIDE ? await inside(run, args.slice(1)) : await outside(run, args);
  } catch (error) {
    const words = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${run.name}: ${words}\n`);
    process.exitCode = 1;
  }
  process.exit();
}

interface Handed<Built> {
  readonly folder: string;
  readonly built: Built;
}

/** Ends when the process outside does. */
function inside<Built>(run: TwoProcesses<Built>, args: readonly string[]): Promise<number> {
  process.stdin.resume().on('end', () => process.exit(1));
  const { folder, built } = JSON.parse(process.env[HANDED] ?? '{}') as Handed<Built>;
  return run.inside(args, folder, built);
}

async function outside<Built>(run: TwoProcesses<Built>, args: readonly string[]): Promise<number> {
  needNamespaces();
  for (const cache of run.caches) claim(cache);
  const built = await run.build(args);
  if (built === undefined) return 0;
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-envoy-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const program = ['-r', join(HERE, '../../scripts/typescript-hook.cjs'), run.file];
  const code = await inNamespaces([...program, INSIDE, ...args], { [HANDED]: JSON.stringify({ folder, built }) });
  if (code !== 0) keepLogs(folder, run.caches[0]);
  return code;
}

function keepLogs(folder: string, cache: string): void {
  const logs = join(folder, 'log');
  const kept = join(cache, 'logs-of-failed-run');
  rmSync(kept, { recursive: true, force: true });
  if (!existsSync(logs)) return;
  cpSync(logs, kept, { recursive: true });
  say(`the logs are kept in ${kept}`);
}
