import { closeSync, existsSync, fstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { FleetwrightError } from '../errors';
import { LIMITS } from '../manifest/limits';
import { fileTooLarge } from '../manifest/raw-text';
import { codeOf, orProblem } from './fs-error';

/**
 * The text of a file of at most 10 MiB.
 *
 * @throws FleetwrightError if it cannot be read, is too large or is no UTF-8
 */
export function readTextFile(path: string): string {
  return orProblem('unreadable', path, () => readText(path));
}

/** The text of a file, or nothing if there is no file at the path. Other failures are as with `readTextFile`. */
export function readFileIfThere(path: string): string | undefined {
  return orProblem('unreadable', path, () => {
    try {
      return readText(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

function readText(path: string): string {
  refusePipe(path);
  const file = openSync(path, 'r');
  try {
    // Asked before reading: a wrong path may name a disk image.
    refuseLarge(path, fstatSync(file).size);
    const bytes = readFileSync(file);
    refuseLarge(path, bytes.length);
    return decoded(path, bytes);
  } finally {
    closeSync(file);
  }
}

/** Whoever reads a pipe in a folder may wait for ever. That of a shell, `<(...)`, is in no folder. */
function refusePipe(path: string): void {
  if (!statSync(path).isFIFO() || !existsSync(realpathSync(path))) return;
  const hint = "Name a file, or '-' for standard input";
  throw new FleetwrightError([{ code: 'unreadable', where: path, what: 'this is a pipe, not a file', hint }]);
}

function refuseLarge(path: string, size: number): void {
  if (size > LIMITS.fileBytes) throw new FleetwrightError([fileTooLarge(path, size, LIMITS)]);
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Save it as UTF-8, or leave it out';
    const problem = { code: 'not-text', where: path, what: 'the file is no UTF-8 text', hint };
    throw new FleetwrightError([problem], { cause: error });
  }
}
