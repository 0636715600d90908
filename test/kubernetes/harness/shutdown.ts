import type { ChildProcess } from 'node:child_process';
import { yieldAlike } from './autogroup';

type Cleanup = () => void;

const children = new Set<ChildProcess>();
const cleanups = new Set<Cleanup>();

/** Has a child that leads a session of its own yield and end as this process does. Returns the way to forget it. */
export function track(child: ChildProcess): () => void {
  if (child.pid !== undefined) yieldAlike(child.pid);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return () => children.delete(child);
}

/** Something to do before this process ends, whatever ends it. Must not wait. Returns the way to forget it. */
export function atEnd(cleanup: Cleanup): () => void {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

/** Sends a signal to a child and all that it started. */
export function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended already.
  }
}

/** Ends all children at once and cleans up. What a child itself started ends with its group. */
export function endAll(): void {
  for (const child of children) signal(child, 'SIGKILL');
  children.clear();
  for (const cleanup of cleanups) cleanup();
  cleanups.clear();
}

/** Ends all children with this process: at its end, at an interrupt, at a crash. */
export function guardProcess(): void {
  process.on('exit', endAll);
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(name, () => {
      process.stderr.write(`\ninterrupted by ${name}\n`);
      process.exit(code);
    });
  }
}
