import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tolerate, wrapFsErrors } from './fs-error';
import { removeTree } from './leftover-files';
import { findProcessState, readOwnIdentity } from './process-identity';

/**
 * Runs a function with an empty folder in the folder of the system for temporary files, and removes it afterwards.
 * Folders of killed runs are removed before.
 *
 * @param work gets the path of the folder, without links
 * @throws FleetwrightError if the folder cannot be created
 */
export function withWorkFolder<T>(work: (folder: string) => T): T {
  removeWorkFolders(tmpdir());
  const { pid, start, space } = readOwnIdentity();
  const prefix = join(tmpdir(), `fleetwright-${pid}-${start}-${space}-`);
  const folder = wrapFsErrors('not-written', tmpdir(), () => realpathSync(mkdtempSync(prefix)));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const WORK_FOLDER = /^fleetwright-(\d+)-(\d+)-([0-9a-f]+)-\w+$/;

/** Removes the work folders of runs that were killed. Those that may belong to a run elsewhere stay. */
function removeWorkFolders(parent: string): void {
  for (const name of tolerate(['ENOENT', 'EACCES', 'EPERM'], [], () => readdirSync(parent))) {
    const [, pid, start, space] = WORK_FOLDER.exec(name) ?? [];
    if (start === undefined || space === undefined) continue;
    const path = join(parent, name);
    const isGone = findProcessState({ pid: Number(pid), start, space }) === 'gone';
    if (isGone && isOwnFolder(path)) removeTree(path);
  }
}

/** Whether a path is a folder of this user. Others can create folders of any name in a shared folder. */
function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid());
}
