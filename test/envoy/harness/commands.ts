import { execFileSync, spawn } from 'node:child_process';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { track } from '../../kubernetes/harness/shutdown';

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number | Error;
  readonly out: string;
  readonly error: string;
}

/** What a command is given beside its arguments. */
interface Given {
  readonly input?: string;

  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end, however that is. */
export async function ended(command: string, args: readonly string[], { input = '', env }: Given = {}): Promise<Ended> {
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(env && { env }),
  });
  const untrack = track(child);
  let [out, error] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (error += data));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | Error>((resolve) => child.on('close', resolve).on('error', resolve));
  untrack();
  return { code, out, error };
}

/** Runs a command to its end and returns what it printed. Throws a {@link SetupError} with its last words. */
export async function run(command: string, args: readonly string[], given: Given = {}): Promise<string> {
  const { code, out, error } = await ended(command, args, given);
  if (code === 0) return out;
  const words = code instanceof Error ? code.message : `${error}\n${out}`.trim().split('\n').slice(-15).join('\n');
  throw new SetupError(`${command} ${args[0] ?? ''} ended with an error:\n${words}`);
}

/** Whether a command is there and ends well. */
export function works(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
