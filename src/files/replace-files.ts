import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareText } from '../base/order';
import { withFolderLock } from './file-lock';
import { wrapFsErrors } from './fs-error';
import { createTemporaryName, removeLeftovers } from './leftover-files';
import { commitStagedFile, makeFolder, type StagedFile, stageFile } from './write-file';

/**
 * Replaces several files. All new contents are on disk before the first file changes: if one cannot be written, no file
 * changes.
 *
 * @param folder the folder that the run owns until it ends
 * @param files texts by path
 * @returns the paths of files that changed, sorted
 * @throws FleetwrightError if a file cannot be written, or another run uses the folder
 */
export function replaceFiles(folder: string, files: ReadonlyMap<string, string>): string[] {
  const paths = [...files.keys()].sort(compareText);
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  return withFolderLock(folder, (renew) => {
    for (const one of folders) wrapFsErrors('not-written', one, () => removeLeftovers(one));
    try {
      const staged: StagedFile[] = [];
      for (const path of paths) {
        renew();
        makeFolder(stagingOf(path));
        const file = stageFile(path, files.get(path) ?? '', join(stagingOf(path), String(staged.length)));
        if (file) staged.push(file);
      }
      for (const file of staged) {
        renew();
        commitStagedFile(file);
      }
      return staged.map(({ path }) => path);
    } finally {
      for (const path of paths) rmSync(stagingOf(path), { force: true, recursive: true });
    }
  });
}

/** The folder for new contents, on the disk of the file. */
function stagingOf(path: string): string {
  return join(dirname(path), createTemporaryName('folder'));
}
