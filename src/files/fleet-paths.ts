import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { formatCommandArguments } from '../base/text';
import { parseProgramCommand } from '../manifest/cdk8s-config';
import { LOCK_FILE } from '../scheduler/lock/lock';
import { readTextFileIfExists } from './read-file';

/** The file that declares the command of a program. */
export const PROGRAM_FILE = 'cdk8s.yaml';

/** Formats the command line arguments for a program and its lock: `examples/program --lock locks/a.yaml`. */
export function formatProgramArguments(lock: string | undefined): string {
  const folder = ['.', ...(lock === undefined ? [] : [dirname(lock)])].find((one) =>
    existsSync(join(one, PROGRAM_FILE)),
  );
  const target = folder === undefined ? 'DIR' : relative('.', resolve(folder)) || '.';
  const isDefaultLock =
    lock === undefined ||
    (basename(lock) === LOCK_FILE && folder !== undefined && resolve(dirname(lock)) === resolve(folder));
  return formatCommandArguments(target, isDefaultLock ? undefined : relative('.', resolve(lock)));
}

/** Whether a path is a folder, with links resolved. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function toAbsolutePath(path: string): string {
  return resolve(path);
}

/**
 * Makes a folder the working directory, so that relative paths of users start there. Does nothing if it does not
 * exist.
 */
export function enterFolder(path: string): void {
  if (existsSync(path)) process.chdir(path);
}

/** A program that declares a fleet. */
export interface FleetProgram {
  /** The folder of its cdk8s.yaml, in which it runs. */
  readonly folder: string;

  /** The shell command that runs it. */
  readonly command: string;
}

/** Finds the program of a folder. Undefined if its cdk8s.yaml declares none. */
export function findProgram(target: string): FleetProgram | undefined {
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const path = join(target, PROGRAM_FILE);
  const text = readTextFileIfExists(path);
  const command = text === undefined ? undefined : parseProgramCommand(text, path);
  return command === undefined ? undefined : { folder: target, command };
}

/**
 * The default lock path: in the folder of the manifests, or next to a manifest file. For standard input, in the
 * working directory.
 */
export function findDefaultLockPath(target: string): string {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat || stat.isDirectory()) return join(target, LOCK_FILE);
  return stat.isFile() ? join(dirname(target), LOCK_FILE) : LOCK_FILE;
}
