import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './setup-error';
import { atEnd } from './shutdown';

/**
 * Makes this the only run that uses a folder, until the process ends. Throws where another run is at work there; a
 * run that was killed leaves a note that is not taken seriously any more.
 */
export function claim(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const note = join(folder, 'run');
  for (let tries = 0; tries < 3; tries++) {
    if (write(note)) return;
    const holder = readHolder(note);
    if (holder && isRunning(holder)) {
      throw new SetupError(
        `another run is at work in this checkout (process ${holder.pid}). Wait until it has ended, or stop it.`,
      );
    }
    rmSync(note, { force: true });
  }
  throw new SetupError(`${note} cannot be written`);
}

interface Holder {
  readonly pid: number;
  /** When the process started, in ticks of the kernel: process numbers come round again. */
  readonly started: string;
}

function write(note: string): boolean {
  try {
    const holder: Holder = { pid: process.pid, started: startOf(process.pid) ?? '' };
    writeFileSync(note, JSON.stringify(holder), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  atEnd(() => rmSync(note, { force: true }));
  return true;
}

function readHolder(note: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(note, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const now = startOf(pid);
  return now === undefined || now === started;
}

/** Undefined where the system has no such file. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
