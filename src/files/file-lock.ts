import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FleetwrightError, type Problem } from '../base/errors';
import { errorCodeOf, wrapFsErrors } from './fs-error';
import { RUN_LOCK_FILE } from './output-inventory';
import { readTextFileIfExists } from './read-file';
import { isProcessRunning } from './write-file';

/**
 * Does something in a folder that no other run may do there at the same time.
 *
 * @throws FleetwrightError if another run is at it. One that was killed on this machine is taken over
 */
export function withFolderLock<T>(folder: string, work: () => T): T {
  const path = join(folder, RUN_LOCK_FILE);
  wrapFsErrors('not-written', folder, () => acquireLock(folder, path));
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function acquireLock(folder: string, path: string): void {
  if (tryAcquireLock(path)) return;
  const owner = readLockOwner(path);
  if (owner.isGone) rmSync(path, { force: true });
  if (owner.isGone && tryAcquireLock(path)) return;
  throw new FleetwrightError([folderInUseProblem(folder, path, owner)]);
}

/** Makes the file that says that a run is at work; false when there is one. */
function tryAcquireLock(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    rmSync(path, { force: true });
    throw error;
  }
}

interface LockOwner {
  readonly name: string;
  /** It was killed on this machine. Of a run on another machine nobody can tell. */
  readonly isGone: boolean;
}

function readLockOwner(path: string): LockOwner {
  const [id = '', host] = (readTextFileIfExists(path) ?? '').trim().split(' ');
  const pid = Number.parseInt(id, 10);
  if (Number.isNaN(pid)) return { name: 'another run', isGone: false };
  const isHere = host === hostname();
  return {
    name: `another run (process ${pid} on ${host ?? 'some machine'})`,
    isGone: isHere && !isProcessRunning(pid),
  };
}

function folderInUseProblem(folder: string, path: string, { name }: LockOwner): Problem {
  return {
    code: 'output-in-use',
    where: folder,
    what: `${name} is writing here`,
    hint: `Wait for it. If there is none, remove ${path}`,
  };
}
