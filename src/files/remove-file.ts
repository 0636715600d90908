import { rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, orProblem } from './fs-error';
import { foldersOf } from './output-path';

/**
 * Removes a file of a folder, and the folders between that this leaves empty.
 *
 * @returns whether there was a file; a folder in its place is not ours, and stays
 */
export function removeFile(root: string, path: string): boolean {
  return orProblem('not-written', join(root, path), () => {
    if (!succeeds(() => unlinkSync(join(root, path)), ['ENOENT', 'ENOTDIR', 'EISDIR'])) return false;
    for (const folder of foldersOf(path).reverse()) {
      if (!succeeds(() => rmdirSync(join(root, folder)), ['ENOTEMPTY', 'EEXIST', 'ENOENT'])) break;
    }
    return true;
  });
}

/** Whether a call goes well; false if it fails with one of these codes. */
function succeeds(call: () => void, harmless: readonly string[]): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (harmless.includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}
