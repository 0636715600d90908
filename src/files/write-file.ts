import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
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
import { errorCodeOf, tolerate, wrapFsErrors } from './fs-error';
import { createTemporaryName, removeLeftovers } from './leftover-files';

/**
 * Writes a file atomically: readers see the old or the new content, also if the process dies. The text is written to
 * a temporary file next to it, which is then renamed. A symbolic link is kept and its target is written; the
 * permissions of an existing file are kept. Temporary files of killed processes next to it are removed.
 *
 * @returns whether the file was written. A file with the same content keeps its time
 * @throws FleetwrightError if the file cannot be written. The old file is unchanged then
 */
export function writeFileAtomic(path: string, text: string): boolean {
  wrapFsErrors('not-written', path, () => removeLeftovers(dirname(resolveLinkTarget(path))));
  const staged = stageFile(path, text);
  if (!staged) return false;
  removeOnFailure(staged.temporary, () => commitStagedFile(staged));
  return true;
}

/** The new content of a file in a temporary file, before it is renamed. */
export interface StagedFile {
  readonly path: string;

  /** The file to replace. If the path is a link, the target of the link. */
  readonly target: string;
  readonly temporary: string;
}

/**
 * Writes the new content of a file to a temporary file. Undefined if the file has that content already. A symbolic
 * link is resolved; the permissions of an existing file are kept.
 *
 * @param at the path of the temporary file, on the same disk. Default: next to the file, where only one can exist at
 * a time
 * @param durable whether the content is on the disk before the call returns, so that it survives a power failure
 * @throws FleetwrightError if it cannot be written. No temporary file is left then
 */
export function stageFile(path: string, text: string, at?: string, durable = true): StagedFile | undefined {
  return wrapFsErrors('not-written', path, () => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    const target = entry?.isSymbolicLink() ? followLink(path) : path;
    const before = target === path ? entry : statSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) rejectEntry(path, 'this is a folder or a device, not a file', 'Name a file');
    const bytes = Buffer.from(text);
    if (before?.size === bytes.length && readFileSync(target).equals(bytes)) return undefined;
    const temporary = at ?? join(dirname(target), createTemporaryName('file'));
    removeOnFailure(temporary, () => writeNewFile(temporary, bytes, { mode: before?.mode, durable }));
    return { path, target, temporary };
  });
}

export function commitStagedFile({ path, target, temporary }: StagedFile): void {
  wrapFsErrors('not-written', path, () => renameSync(temporary, target));
}

/** Runs a call, and removes a file if the call fails. */
export function removeOnFailure(path: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

interface NewFile {
  readonly mode: number | undefined;
  readonly durable: boolean;
}

function writeNewFile(path: string, bytes: Buffer, { mode, durable }: NewFile): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, bytes);
    if (mode !== undefined) fchmodSync(file, mode & 0o7777);
    // Without a sync, a power failure could leave an empty file under the new name.
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The path after all links are followed. The file need not exist. */
function resolveLinkTarget(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? followLink(path) : path;
}

/** The path that a link leads to. To resolve a path asks the system for each folder of it, and most files are no links. */
function followLink(path: string): string {
  const target = tolerate(['ENOENT'], undefined, () => realpathSync(path));
  return target ?? resolveLinkTarget(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

/**
 * Creates a folder and its missing parents.
 *
 * @throws FleetwrightError if that fails
 */
export function makeFolder(path: string): void {
  wrapFsErrors('not-written', path, () => makeWithParents(path));
}

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never returns where the parent exists and
 * the folder still cannot be created, as in /proc.
 */
function makeWithParents(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') {
      if (statSync(path).isDirectory()) return;
      rejectEntry(path, 'this is a file, not a folder', 'Use another folder, or remove it');
    }
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    if (existsSync(dirname(path))) {
      rejectEntry(path, 'the system does not allow folders here', 'Use another folder');
    }
    makeWithParents(dirname(path));
    makeWithParents(path);
  }
}

function rejectEntry(path: string, what: string, hint: string): never {
  throw new FleetwrightError([errorAt('not-written', path, what, hint)]);
}
