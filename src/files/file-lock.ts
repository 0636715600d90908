import { createHash } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { errorCodeOf, tolerate, wrapFsErrors } from './fs-error';
import { ABANDONED_AFTER_SECONDS, createTemporaryName, isAbandoned } from './leftover-files';
import { RUN_LOCK_FILE } from './output-inventory';
import { findProcessState, readOwnIdentity, type ProcessState } from './process-identity';
import { readTextFileIfExists } from './read-file';
import { removeOnFailure } from './write-file';

/**
 * Runs a function in a folder while no other run can use the folder.
 *
 * A run creates a claim file that identifies it. If several runs try, the file system lets only one of them create
 * the file. A claim of a killed process is never replaced: the next run creates a second file, whose name is derived
 * from the text of the first one, and so on. The run that created the last file of this chain owns the folder, if the
 * first file is still the same as when the run began to read the chain. The owner removes the first file before the
 * others, so a run that read an older chain finds that the first file changed and withdraws.
 *
 * Node has no locks that the system releases with the process. Libraries that create a file and replace it when it is
 * old let two runs in that replace it at the same time. An owner on another host or in another container is invisible:
 * its claim counts until it did not change for `ABANDONED_AFTER_SECONDS`, so the owner renews it while it works.
 *
 * @param work gets a function that renews the claim, to be called between any two steps that change files. It throws
 * if another run took the folder over, after this process was suspended for so long that its claim seemed abandoned
 * @throws FleetwrightError if another run uses the folder
 */
export function withFolderLock<T>(
  folder: string,
  work: (renew: () => void) => T,
  files: ClaimFiles = claimFilesOf(folder),
): T {
  const claim = wrapFsErrors('not-written', folder, () => acquireLock(folder, files));
  try {
    return work(() => renewClaim(folder, claim, files));
  } finally {
    wrapFsErrors('not-written', folder, () => {
      // If another run took the folder over, the chain belongs to that run.
      if (isOwner(claim, files)) for (const name of claim.chain) files.remove(name);
    });
  }
}

/** How long a claim is certain to be there. Another run follows a claim that did not change for far longer. */
const RENEW_AFTER_MILLISECONDS = 1000;

/**
 * A function that renews a claim where that is due, and so can be called before each of many steps: to renew a claim takes
 * longer than to replace a file. Its clock goes on while the process or the machine is suspended.
 *
 * @param now the milliseconds of the clock. Default: that of the system
 */
export function renewInTime(renew: () => void, now: () => number = Date.now): () => void {
  let last: number | undefined;
  return () => {
    const time = now();
    if (last !== undefined && Math.abs(time - last) < RENEW_AFTER_MILLISECONDS) return;
    renew();
    last = time;
  };
}

/** The claim files of a folder, as one run uses them. Each call is atomic: other runs can act between two calls. */
export interface ClaimFiles {
  /** Creates the claim of this run under a name. Returns its text, or undefined if the file exists. */
  create(name: string): string | undefined;

  /** Returns the text of a claim, or undefined if it does not exist. */
  read(name: string): string | undefined;

  /** Sets the time of a claim that exists, without a change of its text. */
  touch(name: string, text: string): void;
  remove(name: string): void;
  names(): readonly string[];

  /** Finds whether the run that created a claim still runs. */
  stateOf(name: string, text: string): ProcessState;
}

/** The claim of the run that owns a folder. */
interface Claim {
  /** The names of the claims that lead to it. The last one is its own. */
  readonly chain: readonly string[];
  readonly text: string;
}

function acquireLock(folder: string, files: ClaimFiles): Claim {
  const created = files.create(RUN_LOCK_FILE);
  if (created !== undefined) return removeOtherClaims({ chain: [RUN_LOCK_FILE], text: created }, files);
  const first = files.read(RUN_LOCK_FILE);
  const claim = followClaims(folder, first, files);
  const firstNow = files.read(RUN_LOCK_FILE);
  if (firstNow === first) return removeOtherClaims(claim, files);
  files.remove(claim.chain.at(-1) ?? RUN_LOCK_FILE);
  throw folderInUseError(folder, firstNow, 'unknown');
}

/** Follows the claims of killed runs from the first one, and creates the next one. */
function followClaims(folder: string, first: string | undefined, files: ClaimFiles): Claim {
  const chain = [RUN_LOCK_FILE];
  for (let text = first, name: string = RUN_LOCK_FILE; ; text = files.read(name)) {
    // A claim that is gone by now is of a run that ended.
    const state = text === undefined ? 'gone' : files.stateOf(name, text);
    if (text === undefined || state !== 'gone') throw folderInUseError(folder, text, state);
    name = successorOf(text);
    chain.push(name);
    const created = files.create(name);
    if (created !== undefined) return { chain, text: created };
  }
}

/** The name of the claim that follows a claim of a killed run. */
function successorOf(text: string): string {
  return `${RUN_LOCK_FILE}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Whether a run still owns its folder: its claim is there, and no run follows it. */
function isOwner({ chain, text }: Claim, files: ClaimFiles): boolean {
  if (files.read(chain.at(-1) ?? RUN_LOCK_FILE) !== text) return false;
  return files.read(successorOf(text)) === undefined;
}

function renewClaim(folder: string, claim: Claim, files: ClaimFiles): void {
  wrapFsErrors('not-written', folder, () => {
    if (!isOwner(claim, files)) throw folderInUseError(folder, undefined, 'unknown');
    files.touch(claim.chain.at(-1) ?? RUN_LOCK_FILE, claim.text);
  });
}

/** Removes claims of other chains, which killed processes left behind. */
function removeOtherClaims(claim: Claim, files: ClaimFiles): Claim {
  for (const name of files.names()) {
    if (name.startsWith(`${RUN_LOCK_FILE}.`) && !claim.chain.includes(name)) files.remove(name);
  }
  return claim;
}

function claimFilesOf(folder: string): ClaimFiles {
  return {
    create: (name) => createClaim(folder, name),
    read: (name) => readTextFileIfExists(join(folder, name)),
    touch: (name, text) => touchClaim(join(folder, name), text),
    remove: (name) => rmSync(join(folder, name), { force: true }),
    names: () => readdirSync(folder),
    stateOf: (name, text) => findClaimState(folder, name, text),
  };
}

/** Creates a claim file. It appears with its complete text: a killed process leaves a complete claim or none. */
function createClaim(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  const temporary = join(folder, createTemporaryName('file'));
  try {
    const text = writeClaim(temporary);
    return tolerate(['EEXIST'], undefined, () => link(temporary, path, text));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes a claim: the process, its host, and the time of the file, which distinguishes claims of one process. */
function writeClaim(path: string): string {
  const file = openSync(path, 'w');
  try {
    const { pid, start, space } = readOwnIdentity();
    const text = `${pid} ${hostname()} ${start} ${space} ${fstatSync(file, { bigint: true }).mtimeNs}\n`;
    writeFileSync(file, text);
    return text;
  } finally {
    closeSync(file);
  }
}

/** Writes the text of a claim over itself: the time comes from the file system, whose clock measures its age. */
function touchClaim(path: string, text: string): void {
  // The next step renews the claim again.
  tolerate(['ENOSPC', 'EDQUOT', 'EIO'], undefined, () => {
    const file = openSync(path, 'r+');
    try {
      writeSync(file, text, 0);
    } finally {
      closeSync(file);
    }
  });
}

function link(temporary: string, path: string, text: string): string {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw error;
    // Some file systems have no hard links. The file is empty for a moment then. If the process is killed in it, the
    // claim has no owner, and counts as abandoned when it is old.
    writeNew(path, text);
  }
  return text;
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    removeOnFailure(path, () => writeFileSync(file, text));
  } finally {
    closeSync(file);
  }
}

/** A claim: process, host, start, space. Claims of earlier releases have the first two alone. */
const CLAIM = /^(\d+) (\S+)(?: (\d+) ([0-9a-f]+) \d+)?\n$/;

function findClaimState(folder: string, name: string, text: string): ProcessState {
  const [, pid, , start, space] = CLAIM.exec(text) ?? [];
  const isVisible = start !== undefined && space !== undefined;
  const state = isVisible ? findProcessState({ pid: Number(pid), start, space }) : 'unknown';
  return state === 'unknown' && isAbandoned(folder, name) ? 'gone' : state;
}

const HINT_BY_STATE: Readonly<Record<ProcessState, (path: string) => string>> = {
  running: () => 'Wait until it ends',
  gone: (path) => `Run again. If that does not help, remove ${path}`,
  unknown: (path) =>
    `Wait until it ends. If it was killed, run again after ${ABANDONED_AFTER_SECONDS} seconds, or remove ${path}`,
};

function folderInUseError(folder: string, text: string | undefined, state: ProcessState): FleetwrightError {
  const [, pid, host] = CLAIM.exec(text ?? '') ?? [];
  const owner = pid === undefined ? 'another run' : `another run (process ${pid} on ${host})`;
  const hint = HINT_BY_STATE[state](join(folder, RUN_LOCK_FILE));
  return new FleetwrightError([errorAt('output-in-use', folder, `${owner} is writing to this folder`, hint)]);
}
