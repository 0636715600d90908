import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { DEFAULT_LIMITS, describeLargeFile } from '../manifest/input-limits';
import { errorCodeOf, wrapFsErrors } from './fs-error';

/**
 * The text of a file of at most 10 MiB.
 *
 * @throws FleetwrightError if it cannot be read, is too large or is no UTF-8
 */
export function readTextFile(path: string): string {
  return wrapFsErrors('unreadable', path, () => readText(path));
}

/** The text of a file, or nothing if there is no file at the path. Other failures are as with `readTextFile`. */
export function readTextFileIfExists(path: string): string | undefined {
  return wrapFsErrors('unreadable', path, () => {
    try {
      return readText(path);
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

function readText(path: string): string {
  refuseNonFile(path);
  const file = openSync(path, 'r');
  try {
    // Asked before reading: a wrong path may name a disk image.
    refuseLarge(path, fstatSync(file).size);
    const bytes = readFileSync(file);
    refuseLarge(path, bytes.length);
    return decodeUtf8(path, bytes);
  } finally {
    closeSync(file);
  }
}

/** What stands in a folder like a file, and gives no text, or never ends. */
const NON_FILE_KINDS: readonly (readonly [noun: string, is: (stat: Stats, path: string) => boolean])[] = [
  // Whoever reads a pipe in a folder may wait for ever. That of a shell, `<(...)`, is in no folder.
  ['a pipe', (stat, path) => stat.isFIFO() && existsSync(realpathSync(path))],
  ['a socket', (stat) => stat.isSocket()],
  // The empty one is the file of whoever wants none.
  ['a device', (stat, path) => isDevice(stat) && realpathSync(path) !== devNull],
];

function isDevice(stat: Stats): boolean {
  return stat.isBlockDevice() || stat.isCharacterDevice();
}

function refuseNonFile(path: string): void {
  const stat = statSync(path);
  const [noun] = NON_FILE_KINDS.find(([, is]) => is(stat, path)) ?? [];
  if (noun === undefined) return;
  const hint = "Put a file there, or name '-' for standard input";
  throw new FleetwrightError([errorAt('unreadable', path, `this is ${noun}, not a file`, hint)]);
}

function refuseLarge(path: string, size: number): void {
  if (size > DEFAULT_LIMITS.fileBytes)
    throw new FleetwrightError([describeLargeFile(path, size, DEFAULT_LIMITS)]);
}

function decodeUtf8(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Save it as UTF-8, or leave it out';
    const problem = errorAt('not-text', path, 'the file is no UTF-8 text', hint);
    throw new FleetwrightError([problem], { cause: error });
  }
}
