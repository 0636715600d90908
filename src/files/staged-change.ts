import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder';
import { type StagedFile, stageFile, takeName, temporaryName } from './staged-file';

/**
 * Files of a folder that change together: all new contents are on the disk, in a folder of their own, before the first
 * file is replaced. A disk that is full then changes none of them.
 */
export class StagedChange {
  readonly #folder: string;
  readonly #staged = new Map<string, StagedFile>();

  /** @param root the folder, which is there; nothing in it may be a link */
  constructor(private readonly root: string) {
    this.#folder = join(root, temporaryName('folder'));
    makeFolder(this.#folder);
  }

  /** The paths in the folder that change. */
  get paths(): readonly string[] {
    return [...this.#staged.keys()];
  }

  /** Notes the content of a file. */
  stage(path: string, text: string): void {
    const at = join(this.#folder, String(this.#staged.size));
    const staged = stageFile(join(this.root, path), text, at);
    if (staged) this.#staged.set(path, staged);
  }

  /** Replaces all files, one after the other. */
  commit(): void {
    for (const staged of this.#staged.values()) {
      makeFolder(dirname(staged.path));
      takeName(staged);
    }
  }

  /** Removes what has not taken its name. */
  close(): void {
    rmSync(this.#folder, { force: true, recursive: true });
  }
}
