import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Has a process that leads a session of its own yield the processor as much as this one does. Linux shares the
 * processor between sessions by the niceness of each, which a new session does not inherit (sched(7), autogroup).
 */
export function yieldAlike(pid: number): void {
  try {
    const [, niceness = '0'] = / nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8')) ?? [];
    if (niceness !== '0') writeFileSync(`/proc/${pid}/autogroup`, niceness);
  } catch {
    // There are no such groups here, or it has ended.
  }
}
