import { closeSync, fstatSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tolerate } from './fs-error';
import { findProcessState, readOwnIdentity, type ProcessIdentity } from './process-identity';

/**
 * After how many seconds without a change a file of a process on another host or in another container counts as left
 * behind. Clients of network file systems can show changes up to a minute late.
 */
export const ABANDONED_AFTER_SECONDS = 120;

/** What a process keeps under its temporary names: new contents, a folder of them, an empty file for its time. */
const SUFFIXES = { file: '', folder: '-staged', time: '-time' } as const;

/** Returns the name of a temporary file or folder of this process. No other process uses it, on any host. */
export function createTemporaryName(kind: keyof typeof SUFFIXES): string {
  const { pid, start, space } = readOwnIdentity();
  return `.fleetwright-${pid}-${start}-${space}${SUFFIXES[kind]}.tmp`;
}

const TEMPORARY_NAME = /^\.fleetwright-(\d+)(?:-(\d+)-([0-9a-f]+))?(?:-staged|-time)?\.tmp$/;

/** The process of a temporary name. Undefined for other names. Earlier releases wrote the process ID alone. */
function parseTemporaryOwner(name: string): ProcessIdentity | undefined {
  const [, pid, start = '', space = ''] = TEMPORARY_NAME.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), start, space };
}

/**
 * Removes temporary files and folders that killed processes left in a folder, which need not exist. Those of
 * processes that this process cannot see are removed when they are old. What cannot be removed stays.
 */
export function removeLeftovers(folder: string): void {
  for (const name of tolerate(UNREADABLE, [], () => readdirSync(folder))) {
    const owner = parseTemporaryOwner(name);
    if (!owner) continue;
    const state = findProcessState(owner);
    if (state === 'gone' || (state === 'unknown' && isAbandoned(folder, name))) removeTree(join(folder, name));
  }
}

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'] as const;

/** Removes a file or folder, as far as the system allows it. */
export function removeTree(path: string): void {
  tolerate(['EACCES', 'EPERM', 'EROFS', 'ENOTEMPTY', 'EBUSY'], undefined, () =>
    rmSync(path, { force: true, recursive: true }),
  );
}

/** Whether nothing changed a file for so long that its process, which this process cannot see, must have ended. */
export function isAbandoned(folder: string, name: string): boolean {
  const changed = lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
  const now = readFolderTime(folder);
  // A time far in the future comes from a clock that was wrong then.
  return changed !== undefined && now !== undefined && Math.abs(now - changed) > ABANDONED_AFTER_SECONDS * 1000;
}

/**
 * The time of a new file in a folder, in milliseconds. Ages of files are measured by the clock of their file system,
 * because the clocks of hosts differ. Undefined where this process cannot write.
 */
function readFolderTime(folder: string): number | undefined {
  const path = join(folder, createTemporaryName('time'));
  return tolerate(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'], undefined, () => {
    const file = openSync(path, 'w');
    try {
      return fstatSync(file).mtimeMs;
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  });
}
