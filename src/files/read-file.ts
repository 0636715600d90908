import { closeSync, existsSync, fstatSync, openSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { DEFAULT_LIMITS, describeLargeFile } from '../manifest/input-limits';
import { tolerate, wrapFsErrors } from './fs-error';

/**
 * Reads the text of a file of at most 10 MiB.
 *
 * @throws FleetwrightError if the file cannot be read, is too large or is not UTF-8
 */
export function readTextFile(path: string): string {
  return wrapFsErrors('unreadable', path, () => readText(path));
}

/** Reads the text of a file. Undefined if it does not exist. Other failures are the same as of `readTextFile`. */
export function readTextFileIfExists(path: string): string | undefined {
  return wrapFsErrors('unreadable', path, () => {
    // To look first is faster than an error, which is the rule for some files.
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && tolerate(['ENOENT'], undefined, () => readText(path, stat));
  });
}

function readText(path: string, stat = statSync(path)): string {
  rejectNonFile(path, stat);
  const file = openSync(path, 'r');
  try {
    // Checked before reading, because a wrong path can name a disk image.
    rejectLarge(path, fstatSync(file).size);
    const bytes = readFileSync(file);
    rejectLarge(path, bytes.length);
    return decodeUtf8(path, bytes);
  } finally {
    closeSync(file);
  }
}

/** Entries that look like files but have no text, or never end. */
const NON_FILE_KINDS: readonly (readonly [noun: string, is: (stat: Stats, path: string) => boolean])[] = [
  // Reading a pipe in a folder can block forever. A pipe of a shell, `<(...)`, is not in a folder.
  ['a pipe', (stat, path) => stat.isFIFO() && existsSync(realpathSync(path))],
  ['a socket', (stat) => stat.isSocket()],
  // /dev/null is allowed: users pass it to mean an empty file.
  ['a device', (stat, path) => (stat.isBlockDevice() || stat.isCharacterDevice()) && realpathSync(path) !== devNull],
];

function rejectNonFile(path: string, stat: Stats): void {
  const [noun] = NON_FILE_KINDS.find(([, is]) => is(stat, path)) ?? [];
  if (noun === undefined) return;
  const hint = "Use the path of a file, or '-' for standard input";
  throw new FleetwrightError([errorAt('unreadable', path, `this is ${noun}, not a file`, hint)]);
}

function rejectLarge(path: string, size: number): void {
  if (size > DEFAULT_LIMITS.fileBytes) throw new FleetwrightError([describeLargeFile(path, size, DEFAULT_LIMITS)]);
}

/** @throws FleetwrightError if the bytes are no UTF-8 */
export function decodeUtf8(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Save it as UTF-8, or remove it';
    const problem = errorAt('not-text', path, 'the file is not UTF-8 text', hint);
    throw new FleetwrightError([problem], { cause: error });
  }
}
