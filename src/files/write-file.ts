import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, orProblem } from './fs-error';
import { isRunning } from './is-running';
import { discard, ownerIn, stageFile, takeName } from './staged-file';

/**
 * Writes a file so that it has the old or the new content whenever it is read, also when the process dies
 * half way: the text goes to a temporary file beside it, which then takes its name. A symbolic link stays
 * and its target is written; the permissions of an existing file stay.
 *
 * @returns whether it wrote: a file that has the content already keeps its time
 * @throws FleetwrightError if it cannot be written; the old file is whole then
 */
export function writeFileAtomic(path: string, text: string): boolean {
  const staged = stageFile(path, text);
  if (!staged) return false;
  try {
    takeName(staged);
  } catch (error) {
    discard(staged);
    throw error;
  }
  return true;
}

/** Removes temporary files and folders that killed processes left in a folder, if there is one. */
export function removeLeftovers(folder: string): void {
  orProblem('not-written', folder, () => {
    for (const name of namesIn(folder)) {
      const pid = ownerIn(name);
      if (pid !== undefined && !isRunning(pid)) rmSync(join(folder, name), { force: true, recursive: true });
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
