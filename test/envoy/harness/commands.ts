import { execFileSync, spawn } from 'node:child_process';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { track } from '../../kubernetes/harness/shutdown';

/** Runs a command to its end and returns what it printed. Throws a {@link SetupError} with its last words. */
export async function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const untrack = track(child);
  let [out, error] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (error += data));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  untrack();
  if (code === 0) return out;
  const words =
    code instanceof Error ? code.message : `${error}\n${out}`.trim().split('\n').slice(-15).join('\n');
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
