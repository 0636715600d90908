import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/run';

const ROOT = join(__dirname, '../..');
const HOOK = join(ROOT, 'scripts/typescript-hook.cjs');

/** How Node is started for the command line. */
export const COMMAND_LINE: readonly string[] = ['-r', HOOK, join(ROOT, 'src/cli/main.ts')];

/** Where a run of these tests says which bundle of all sources the command line loads as a process. */
export const SOURCES = 'FLEETWRIGHT_ATTACK_SOURCES';

/** The processor time that a run may take, in seconds. */
export const PROCESSOR_SECONDS = 10;

/** What a run of the command line ended with. */
export interface Ran {
  /** Absent: a signal ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;

  /** Processor time, where this process knows it. */
  readonly seconds: number;
}

export type Env = Readonly<Record<string, string>>;

/**
 * The environment of every run. It has no credentials and no kubeconfig of whoever runs this.
 *
 * @param home not a folder whose files are judged: the compiler of TypeScript unpacks itself into it
 */
export function environment(home: string): Env {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    FLEETWRIGHT_PROGRAM_SECONDS: '20',
    FLEETWRIGHT_SOURCES: process.env[SOURCES] ?? '',
  };
}

/** Runs the command line in this process, in the working directory. */
export async function runHere(args: readonly string[], env: Env, stdin = ''): Promise<Ran> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => void (output.out += text),
    err: (text: string) => void (output.err += text),
    terminal: false,
    env,
    stdin: () => stdin,
  };
  const before = process.cpuUsage();
  const code = await runCommandLine(args, io, '0.0.0');
  const { user, system } = process.cpuUsage(before);
  return { code, ...output, seconds: (user + system) / 1e6 };
}

/** Runs the command line as a process. The system ends it when it takes too much processor time. */
export function runAsProcess(args: readonly string[], env: Env, options: ProcessOptions): Ran {
  const limited = ['-c', `ulimit -t ${PROCESSOR_SECONDS} && exec "$0" "$@"`, process.execPath];
  const { status, stdout, stderr } = spawnSync('sh', [...limited, ...(options.node ?? []), ...COMMAND_LINE, ...args], {
    cwd: options.folder,
    env,
    input: options.stdin ?? '',
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { code: status ?? undefined, out: stdout, err: stderr, seconds: 0 };
}

interface ProcessOptions {
  readonly folder: string;
  readonly stdin?: string;

  /** Further arguments of Node. */
  readonly node?: readonly string[];
}
