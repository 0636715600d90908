import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { compareText } from '../base/order';
import { withFolderLock } from './file-lock';
import { errorCodeOf, wrapFsErrors } from './fs-error';
import { formatInventory, INVENTORY_FILE, isOutputPath, parentFoldersOf, readInventory } from './output-inventory';
import { findObstacles, type OutputChange } from './output-preflight';
import {
  commitStagedFile,
  createTemporaryName,
  makeFolder,
  removeLeftovers,
  type StagedFile,
  stageFile,
  writeFileAtomic,
} from './write-file';

/** The result of writing an output folder: paths in it, each list sorted. */
export interface OutputResult {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Writes files to a folder, and removes files that an earlier run wrote and this one does not. An inventory in the
 * folder lists the written files; all other files in the folder belong to others and stay.
 *
 * All new contents are on disk before the first file changes: if one of them does not fit, or something is in the
 * way, no file changes. A run that is killed between the first and the last change leaves complete files, all of them
 * in the inventory, and the next run finishes the work.
 *
 * @param files texts by path in the folder, with forward slashes
 * @throws FleetwrightError if something is in the way or a file cannot be written. Nothing was changed then
 */
export function writeOutput(folder: string, files: ReadonlyMap<string, string>): OutputResult {
  const paths = [...files.keys()].sort(compareText);
  rejectBadPaths(folder, paths);
  makeFolder(folder);
  return withFolderLock(folder, () => {
    const old = readInventory(folder) ?? [];
    runPreflight({ folder, wanted: new Set(paths), old: new Set(old) });
    const all = [...new Set([...paths, ...old])].sort(compareText);
    for (const inner of new Set(['', ...all.map((path) => dirname(path))])) removeLeftovers(join(folder, inner));

    const written = new Set(replaceFiles(folder, files, { paths, all }));
    const removed = all.filter((path) => !files.has(path) && removeOutputFile(folder, path));
    writeInventory(folder, paths);
    return { written: [...written], removed, unchanged: paths.filter((path) => !written.has(path)) };
  });
}

function rejectBadPaths(folder: string, paths: readonly string[]): void {
  const known = new Set(paths);
  const bad = paths.filter((path) => !isOutputPath(path) || parentFoldersOf(path).some((outer) => known.has(outer)));
  if (bad.length === 0) return;
  throw new FleetwrightError(
    bad.map((path) =>
      errorAt(
        'bad-output-path',
        folder,
        `'${path}' is no path of a file in this folder`,
        'Rename the cluster or deployment that it is named after',
      ),
    ),
  );
}

function runPreflight(change: OutputChange): void {
  const problems = wrapFsErrors('not-written', change.folder, () => findObstacles(change));
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function writeInventory(folder: string, paths: readonly string[]): void {
  writeFileAtomic(join(folder, INVENTORY_FILE), formatInventory(paths));
}

interface OutputPaths {
  readonly paths: readonly string[];

  /** The paths to write, and those that earlier runs wrote. */
  readonly all: readonly string[];
}

/** Replaces the contents of files. Returns the paths of the files that changed. */
function replaceFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  { paths, all }: OutputPaths,
): readonly string[] {
  const change = new StagedChange(folder);
  try {
    for (const path of paths) change.stage(path, files.get(path) ?? '');
    // Until the change is complete, the inventory lists both the old and the new files.
    writeInventory(folder, all);
    change.commit();
  } finally {
    change.close();
  }
  return change.paths;
}

/**
 * Files of a folder that change together. All new contents are on disk, in a temporary folder, before the first file
 * is replaced, so a full disk changes none of them.
 */
class StagedChange {
  readonly #folder: string;
  readonly #staged = new Map<string, StagedFile>();

  /**
   * @param root the existing folder. It must not contain links
   *
   *  @param root the folder, which is there; nothing in it may be a link
   */
  constructor(private readonly root: string) {
    this.#folder = join(root, createTemporaryName('folder'));
    makeFolder(this.#folder);
  }

  /** The paths of the files that change. */
  get paths(): readonly string[] {
    return [...this.#staged.keys()];
  }

  /** Stages the new content of a file. */
  stage(path: string, text: string): void {
    const at = join(this.#folder, String(this.#staged.size));
    const staged = stageFile(join(this.root, path), text, at);
    if (staged) this.#staged.set(path, staged);
  }

  /** Replaces all files, one after the other. */
  commit(): void {
    for (const staged of this.#staged.values()) {
      makeFolder(dirname(staged.path));
      commitStagedFile(staged);
    }
  }

  /** Removes staged files that were not committed. */
  close(): void {
    rmSync(this.#folder, { force: true, recursive: true });
  }
}

/**
 * Removes a file of a folder, and its parent folders in the root that are empty then. Empty folders are removed even
 * if the file does not exist, since an earlier run can have been killed between the two steps.
 *
 * @returns whether the file existed. A folder at its path belongs to others and stays
 */
function removeOutputFile(root: string, path: string): boolean {
  return wrapFsErrors('not-written', join(root, path), () => {
    const existed = succeedsOrTolerates(() => unlinkSync(join(root, path)), ['ENOENT', 'ENOTDIR', 'EISDIR']);
    for (const folder of parentFoldersOf(path).reverse()) {
      succeedsOrTolerates(() => rmdirSync(join(root, folder)), ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST']);
    }
    return existed;
  });
}

/** Runs a call. Returns false if it fails with one of these codes. */
function succeedsOrTolerates(call: () => void, harmless: readonly string[]): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (harmless.includes(errorCodeOf(error) ?? '')) return false;
    throw error;
  }
}
