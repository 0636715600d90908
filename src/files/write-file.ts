import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
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
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { errorCodeOf, wrapFsErrors } from './fs-error';

/**
 * Writes a file so that it has the old or the new content whenever it is read, also when the process dies
 * half way: the text goes to a temporary file beside it, which then takes its name. A symbolic link stays
 * and its target is written; the permissions of an existing file stay.
 *
 * @returns whether it wrote: a file that has the content already keeps its time
 * @throws FleetwrightError if it cannot be written; the old file is whole then
 */
export function writeFileAtomic(path: string, text: string): boolean {
  const staged = stageFile(path, text);
  if (!staged) return false;
  try {
    commitStagedFile(staged);
  } catch (error) {
    discardStagedFile(staged);
    throw error;
  }
  return true;
}

/** Removes temporary files and folders that killed processes left in a folder, if there is one. */
export function removeLeftovers(folder: string): void {
  wrapFsErrors('not-written', folder, () => {
    for (const name of listNames(folder)) {
      const pid = parseTemporaryOwner(name);
      if (pid !== undefined && !isProcessRunning(pid))
        rmSync(join(folder, name), { force: true, recursive: true });
    }
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** The new content of a file, on its disk until it takes its name. */
export interface StagedFile {
  readonly path: string;

  /** The file itself, where the path is a link. */
  readonly target: string;
  readonly temporary: string;
}

/** The name of a temporary file or folder of this process. */
export function createTemporaryName(kind: 'file' | 'folder'): string {
  return `.fleetwright-${process.pid}${kind === 'folder' ? '-staged' : ''}.tmp`;
}

/** The process in such a name; undefined for other names. */
export function parseTemporaryOwner(name: string): number | undefined {
  const pid = /^\.fleetwright-(\d+)(?:-staged)?\.tmp$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Puts a text on the disk that is for a file. Nothing where the file has that content already. A symbolic
 * link stays and its target is meant; the permissions of an existing file stay.
 *
 * @param at where to put it, on the disk of the file; default: beside the file, one at a time
 * @throws FleetwrightError if it cannot be written; then nothing is left of it
 */
export function stageFile(path: string, text: string, at?: string): StagedFile | undefined {
  return wrapFsErrors('not-written', path, () => {
    const target = resolveLinkTarget(path);
    const before = statSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) throw new FleetwrightError([notAFileProblem(path)]);
    const bytes = Buffer.from(text);
    if (before?.size === bytes.length && readFileSync(target).equals(bytes)) return undefined;
    const temporary = at ?? join(dirname(target), createTemporaryName('file'));
    const staged = { path, target, temporary };
    // One may be there from an earlier process with the same id.
    discardStagedFile(staged);
    try {
      writeAndSync(temporary, bytes, before?.mode);
    } catch (error) {
      discardStagedFile(staged);
      throw error;
    }
    return staged;
  });
}

/** Puts a staged file in the place of the old one, in one step. */
export function commitStagedFile({ path, target, temporary }: StagedFile): void {
  wrapFsErrors('not-written', path, () => renameSync(temporary, target));
}

/** Removes a staged file, if it has not taken its name. */
export function discardStagedFile({ temporary }: Pick<StagedFile, 'temporary'>): void {
  rmSync(temporary, { force: true });
}

function writeAndSync(path: string, bytes: Buffer, mode: number | undefined): void {
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
function resolveLinkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolveLinkTarget(resolve(realpathSync(dirname(path)), readlinkSync(path))) : path;
}

function notAFileProblem(path: string) {
  return errorAt('not-written', path, 'this is a folder or a device, not a file', 'Name a file');
}

/** Whether a process of this machine has an id. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}

/**
 * Makes a folder and those above it, where they are not there yet.
 *
 * @throws FleetwrightError where that cannot be
 */
export function makeFolder(path: string): void {
  wrapFsErrors('not-written', path, () => makeWithParents(path));
}

/** `mkdirSync` with `recursive` never returns where the folder above is there and still nothing can be made, as in /proc. */
function makeWithParents(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return refuseFile(path);
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    if (existsSync(dirname(path)))
      refuseFolder(path, 'the system lets nobody make a folder here', 'Choose another folder');
    makeWithParents(dirname(path));
    makeWithParents(path);
  }
}

function refuseFile(path: string): void {
  if (statSync(path).isDirectory()) return;
  refuseFolder(path, 'this is a file, not a folder', 'Choose another folder, or remove it');
}

function refuseFolder(path: string, what: string, hint: string): never {
  throw new FleetwrightError([errorAt('not-written', path, what, hint)]);
}
