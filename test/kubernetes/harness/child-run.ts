import { fork } from 'node:child_process';
import { join } from 'node:path';
import { HERE } from './paths';
import { track } from './shutdown';

/** The first argument of a child process, which runs one part for its parent. */
export const CHILD = '--child';

/** Runs the command in a child process, and returns what it sends back. The child ends with this process. */
export function runInChild<T>(args: readonly string[]): Promise<T> {
  const child = fork(join(HERE, 'run.cjs'), [CHILD, ...args], { detached: true });
  track(child);
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${args[0]} ended with ${code ?? signal}`)));
  });
}

/** Sends a result from a child process to its parent. */
export function sendToParent(value: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(value, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
