import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FleetwrightError } from '../errors';
import { codeOf, orProblem } from './fs-error';
import { isRunning } from './is-running';

/**
 * Writes a file so that it has the old or the new content whenever it is read, also when the process dies
 * half way: the text goes to a temporary file beside it, which then takes its name. A symbolic link stays
 * and its target is written; the permissions of an existing file stay.
 *
 * @returns whether it wrote: a file that has the content already keeps its time
 * @throws FleetwrightError if it cannot be written; the old file is whole then
 */
export function writeFileAtomic(path: string, text: string): boolean {
  return orProblem('not-written', path, () => {
    const target = targetOf(path);
    const before = statSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) throw new FleetwrightError([notAFile(path)]);
    const bytes = Buffer.from(text);
    if (before?.size === bytes.length && readFileSync(target).equals(bytes)) return false;
    replace(target, bytes, before?.mode);
    return true;
  });
}

const TEMPORARY = /^\.fleetwright-(\d+)\.tmp$/;

/** Removes temporary files that killed processes left in a folder, if there is one. */
export function removeLeftovers(folder: string): void {
  orProblem('not-written', folder, () => {
    for (const name of namesIn(folder)) {
      const pid = TEMPORARY.exec(name)?.[1];
      if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function replace(target: string, bytes: Buffer, mode: number | undefined): void {
  const temporary = join(dirname(target), `.fleetwright-${process.pid}.tmp`);
  // One may be there from an earlier process with the same id.
  rmSync(temporary, { force: true });
  try {
    fill(temporary, bytes, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function fill(path: string, bytes: Buffer, mode: number | undefined): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, bytes);
    if (mode !== undefined) fchmodSync(file, mode & 0o7777);
    // Without this, a power cut could leave the new name on an empty file.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The file that a path names once its links are followed. It need not be there. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path))) : path;
}

function notAFile(path: string) {
  return {
    code: 'not-written',
    where: path,
    what: 'this is a folder or a device, not a file',
    hint: 'Name a file',
  };
}
