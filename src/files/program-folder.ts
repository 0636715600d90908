import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { commandArguments } from '../command-arguments';
import { LOCK_FILE } from '../scheduler/lock';

/** The file that says how to run a program. */
export const PROGRAM_FILE = 'cdk8s.yaml';

/** What the command line has to be told to find a program and its lock: `examples/program --lock locks/a.yaml`. */
export function programArguments(lock: string | undefined): string {
  const folder = ['.', ...(lock === undefined ? [] : [dirname(lock)])].find((one) =>
    existsSync(join(one, PROGRAM_FILE)),
  );
  const target = folder === undefined ? 'DIR' : relative('.', resolve(folder)) || '.';
  const isBeside =
    lock === undefined ||
    (basename(lock) === LOCK_FILE && folder !== undefined && resolve(dirname(lock)) === resolve(folder));
  return commandArguments(target, isBeside ? undefined : relative('.', resolve(lock)));
}

/** A path that means the same from any working directory. */
export function absolutePath(path: string): string {
  return resolve(path);
}

/** Makes a folder the working directory, so that relative paths of users start there. Nothing where it is not there. */
export function enterFolder(path: string): void {
  if (existsSync(path)) process.chdir(path);
}
