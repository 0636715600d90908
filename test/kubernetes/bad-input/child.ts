import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HERE } from '../harness/paths';
import { track } from '../harness/shutdown';

/** A run of the tests as a process of its own. */
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly output: string;
  }>;
}

/** Starts a run with other variables, and its own cache and folder for temporary files. */
export function startRun(args: readonly string[], environment: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, [join(HERE, 'run.cjs'), ...args], {
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  track(child);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const ended = new Promise<Awaited<Run['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
  return { child, ended };
}

/** The processes whose arguments name a path. */
export function processesWith(path: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandOf(pid).includes(path))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
