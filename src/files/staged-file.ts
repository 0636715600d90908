import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
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
import { FleetwrightError } from '../errors';
import { codeOf, orProblem } from './fs-error';

/** The new content of a file, on its disk until it takes its name. */
export interface StagedFile {
  readonly path: string;

  /** The file itself, where the path is a link. */
  readonly target: string;
  readonly temporary: string;
}

/** The name of a temporary file or folder of this process. */
export function temporaryName(kind: 'file' | 'folder'): string {
  return `.fleetwright-${process.pid}${kind === 'folder' ? '-staged' : ''}.tmp`;
}

/** The process in such a name; undefined for other names. */
export function ownerIn(name: string): number | undefined {
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
  return orProblem('not-written', path, () => {
    const target = targetOf(path);
    const before = statSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) throw new FleetwrightError([notAFile(path)]);
    const bytes = Buffer.from(text);
    if (before?.size === bytes.length && readFileSync(target).equals(bytes)) return undefined;
    const temporary = at ?? join(dirname(target), temporaryName('file'));
    const staged = { path, target, temporary };
    // One may be there from an earlier process with the same id.
    discard(staged);
    try {
      fill(temporary, bytes, before?.mode);
    } catch (error) {
      discard(staged);
      throw error;
    }
    return staged;
  });
}

/** Puts a staged file in the place of the old one, in one step. */
export function takeName({ path, target, temporary }: StagedFile): void {
  orProblem('not-written', path, () => renameSync(temporary, target));
}

/** Removes a staged file, if it has not taken its name. */
export function discard({ temporary }: Pick<StagedFile, 'temporary'>): void {
  rmSync(temporary, { force: true });
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
