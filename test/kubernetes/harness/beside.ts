import { fork } from 'node:child_process';
import { join } from 'node:path';
import { HERE } from './paths';
import { track } from './shutdown';

/** The first argument of a process that runs for another. */
export const BESIDE = '--beside';

/** Starts a run of its own with arguments, and returns its answer. It ends with this process. */
export function runBeside<T>(args: readonly string[]): Promise<T> {
  const child = fork(join(HERE, 'run.cjs'), [BESIDE, ...args], { detached: true });
  track(child);
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${args[0]} ended with ${code ?? signal}`)));
  });
}

/** Answers the process that started this one. */
export function answer(value: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(value, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
