import { rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, orProblem } from './fs-error';
import { foldersOf } from './output-path';

/**
 * Removes a file of a folder, and the folders between that are empty then: also if the file is gone already,
 * as after a run that was killed between the two.
 *
 * @returns whether there was a file; a folder in its place is not ours, and stays
 */
export function removeFile(root: string, path: string): boolean {
  return orProblem('not-written', join(root, path), () => {
    const existed = succeeds(() => unlinkSync(join(root, path)), ['ENOENT', 'ENOTDIR', 'EISDIR']);
    for (const folder of foldersOf(path).reverse()) {
      succeeds(() => rmdirSync(join(root, folder)), ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST']);
    }
    return existed;
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
