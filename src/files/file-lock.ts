import { createHash } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { errorCodeOf, tolerate, wrapFsErrors } from './fs-error';
import { RUN_LOCK_FILE } from './output-inventory';
import { readTextFileIfExists } from './read-file';
import { createTemporaryName, isProcessRunning, removeOnFailure } from './write-file';

/**
 * Runs a function in a folder while no other run can use the folder.
 *
 * A run creates a claim file that identifies it. If several runs try, the file system lets only one of them create
 * the file. A claim of a killed process is never replaced: the next run creates a second file, whose name is derived
 * from the text of the first one, and so on. The run that created the last file of this chain owns the folder, if the
 * first file is still the same as when the run began to read the chain. The owner removes the first file before the
 * others, so a run that read an older chain finds that the first file changed and withdraws.
 *
 * @throws FleetwrightError if another run uses the folder. The claim of a process that was killed on this machine is
 * taken over
 */
export function withFolderLock<T>(folder: string, work: () => T, files: ClaimFiles = claimFilesOf(folder)): T {
  const chain = wrapFsErrors('not-written', folder, () => acquireLock(folder, files));
  try {
    return work();
  } finally {
    for (const name of chain) files.remove(name);
  }
}

/** The claim files of a folder, as one run uses them. Each call is atomic: other runs can act between two calls. */
export interface ClaimFiles {
  /** Creates the claim of this run under a name. Returns false if the file exists. */
  create(name: string): boolean;

  /** Returns the text of a claim, or undefined if it does not exist. */
  read(name: string): string | undefined;
  remove(name: string): void;
  names(): readonly string[];
  isRunning(pid: number): boolean;
}

/** Acquires the folder. Returns the names of the claim chain; the last one is the claim of this run. */
function acquireLock(folder: string, files: ClaimFiles): readonly string[] {
  if (files.create(RUN_LOCK_FILE)) return removeOtherClaims([RUN_LOCK_FILE], files);
  const first = files.read(RUN_LOCK_FILE);
  const chain = [RUN_LOCK_FILE];
  for (let text = first; ; ) {
    const owner = readLockOwner(text, files);
    if (text === undefined || !owner.isGone) throw new FleetwrightError([folderInUseProblem(folder, owner)]);
    const name = `${RUN_LOCK_FILE}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    chain.push(name);
    if (files.create(name)) break;
    text = files.read(name);
  }
  const firstNow = files.read(RUN_LOCK_FILE);
  if (firstNow === first) return removeOtherClaims(chain, files);
  files.remove(chain.at(-1) ?? RUN_LOCK_FILE);
  throw new FleetwrightError([folderInUseProblem(folder, readLockOwner(firstNow, files))]);
}

/** Removes claims of other chains, which killed processes left behind, and returns the chain. */
function removeOtherClaims(chain: readonly string[], files: ClaimFiles): readonly string[] {
  for (const name of files.names()) {
    if (name.startsWith(`${RUN_LOCK_FILE}.`) && !chain.includes(name)) files.remove(name);
  }
  return chain;
}

function claimFilesOf(folder: string): ClaimFiles {
  return {
    create: (name) => createClaim(folder, name),
    read: (name) => readTextFileIfExists(join(folder, name)),
    remove: (name) => rmSync(join(folder, name), { force: true }),
    names: () => readdirSync(folder),
    isRunning: isProcessRunning,
  };
}

/** Creates a claim file. It appears with its complete text: a killed process leaves a complete claim or none. */
function createClaim(folder: string, name: string): boolean {
  const path = join(folder, name);
  const temporary = join(folder, createTemporaryName('file'));
  try {
    const text = writeClaim(temporary);
    return tolerate(['EEXIST'], false, () => link(temporary, path, text));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes a claim: the process, the host, and the time of the file, because the system reuses process IDs. */
function writeClaim(path: string): string {
  // A file of an earlier process with the same ID can exist.
  rmSync(path, { force: true });
  const file = openSync(path, 'wx');
  try {
    const text = `${process.pid} ${hostname()} ${fstatSync(file, { bigint: true }).mtimeNs}\n`;
    writeFileSync(file, text);
    return text;
  } finally {
    closeSync(file);
  }
}

function link(temporary: string, path: string, text: string): true {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw error;
    // Some file systems have no hard links. The file is empty for a moment then.
    writeNew(path, text);
  }
  return true;
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    removeOnFailure(path, () => writeFileSync(file, text));
  } finally {
    closeSync(file);
  }
}

interface LockOwner {
  readonly name: string;
  /** Whether the process was killed on this machine. The processes of other machines are not visible. */
  readonly isGone: boolean;
}

function readLockOwner(text: string | undefined, files: ClaimFiles): LockOwner {
  const [id = '', host] = (text ?? '').trim().split(' ');
  const pid = Number.parseInt(id, 10);
  if (Number.isNaN(pid)) return { name: 'another run', isGone: false };
  const isGone = host === hostname() && !files.isRunning(pid);
  return { name: `another run (process ${pid} on ${host ?? 'some machine'})`, isGone };
}

function folderInUseProblem(folder: string, { name }: LockOwner): Diagnostic {
  const hint = `Wait for it. If there is none, remove ${join(folder, RUN_LOCK_FILE)}`;
  return errorAt('output-in-use', folder, `${name} is writing here`, hint);
}
