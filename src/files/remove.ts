import { rmdirSync, unlinkSync } from 'node:fs';
import { codeOf } from './fs-error';

/** Removes a file. Says whether there was one: a folder of that name is not ours, and stays. */
export function removeFile(path: string): boolean {
  return attempt(() => unlinkSync(path), ['ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM']);
}

/** Removes a folder if it is empty. Says whether it was. */
export function removeEmptyFolder(path: string): boolean {
  return attempt(() => rmdirSync(path), ['ENOTEMPTY', 'EEXIST', 'ENOENT']);
}

/** Whether a call went well; false if it failed with one of the codes. */
function attempt(call: () => void, harmless: readonly string[]): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (harmless.includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}
