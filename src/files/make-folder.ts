import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FleetwrightError } from '../errors';
import { codeOf, orProblem } from './fs-error';

/**
 * Makes a folder and those above it, where they are not there yet.
 *
 * @throws FleetwrightError where that cannot be
 */
export function makeFolder(path: string): void {
  orProblem('not-written', path, () => make(path));
}

/** `mkdirSync` with `recursive` never returns where the folder above is there and still nothing can be made, as in /proc. */
function make(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return refuseFile(path);
    if (codeOf(error) !== 'ENOENT') throw error;
    if (existsSync(dirname(path)))
      refuse(path, 'the system lets nobody make a folder here', 'Choose another folder');
    make(dirname(path));
    make(path);
  }
}

function refuseFile(path: string): void {
  if (statSync(path).isDirectory()) return;
  refuse(path, 'this is a file, not a folder', 'Choose another folder, or remove it');
}

function refuse(path: string, what: string, hint: string): never {
  throw new FleetwrightError([{ code: 'not-written', where: path, what, hint }]);
}
