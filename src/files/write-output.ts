import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { compareText } from '../base/order';
import { renewInTime, withFolderLock } from './file-lock';
import { tolerate, wrapFsErrors } from './fs-error';
import { createTemporaryName, removeLeftovers } from './leftover-files';
import { formatInventory, INVENTORY_FILE, isOutputPath, parentFoldersOf, readInventory } from './output-inventory';
import { findObstacles } from './output-preflight';
import { commitStagedFile, makeFolder, type StagedFile, stageFile, writeFileAtomic } from './write-file';

/** The result of writing an output folder: paths in it, each list sorted. */
export interface OutputResult {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/** What depends on the contents of the folder. */
export interface FolderContents {
  /** Returns files of earlier runs that the inventory does not list. Default: none. */
  readonly findUnlisted?: (listed: readonly string[]) => readonly string[];

  /** Returns further files to write, by path. Receives the paths that earlier runs wrote, before anything changes. */
  readonly addFiles?: (old: readonly string[]) => ReadonlyMap<string, string>;

  /** Whether a file was found to have its new content already, by whoever read it for `addFiles`. Default: none was. */
  readonly isCurrent?: (path: string) => boolean;
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
 * @param contents files to remove or to keep that are known from the folder alone. Those it adds are written first
 * @throws FleetwrightError if something is in the way or a file cannot be written. Nothing was changed then
 */
export function writeOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
  { findUnlisted, addFiles, isCurrent = () => false }: FolderContents = {},
): OutputResult {
  rejectBadPaths(folder, [...files.keys()].sort(compareText));
  makeFolder(folder);
  return withFolderLock(folder, (renewNow) => {
    const renew = renewInTime(renewNow);
    const listed = readInventory(folder) ?? [];
    const old = [...listed, ...(findUnlisted?.(listed) ?? [])];
    const added = addFiles?.(old) ?? new Map<string, string>();
    return replaceOutput({ folder, renew, isCurrent }, new Map([...files, ...added]), {
      old,
      first: [...added.keys()],
    });
  });
}

interface OutputOrder {
  /** The paths that earlier runs wrote. */
  readonly old: readonly string[];

  /** The paths to write first. */
  readonly first: readonly string[];
}

function replaceOutput(
  { folder, renew, isCurrent }: Omit<OwnedFolder, 'all'>,
  files: ReadonlyMap<string, string>,
  { old, first }: OutputOrder,
): OutputResult {
  const paths = [...files.keys()].sort(compareText);
  const change = { folder, wanted: new Set(paths), old: new Set(old), isCurrent };
  const obstacles = wrapFsErrors('not-written', folder, () => findObstacles(change));
  if (obstacles.length > 0) throw new FleetwrightError(obstacles);
  const all = [...new Set([...first, ...[...paths, ...old].sort(compareText)])];
  const folders = new Set(['', ...all.map((path) => dirname(path))]);
  wrapFsErrors('not-written', folder, () => {
    for (const inner of folders) removeLeftovers(join(folder, inner));
  });

  const written = replaceFiles({ folder, all, renew, isCurrent }, files);
  const gone = all.filter((path) => !files.has(path));
  const removed = gone.filter((path) => {
    renew();
    return removeOutputFile(folder, path);
  });
  renew();
  writeInventory(folder, paths);
  return {
    written: [...written].sort(compareText),
    removed,
    unchanged: paths.filter((path) => !written.has(path)),
  };
}

function rejectBadPaths(folder: string, paths: readonly string[]): void {
  const known = new Set(paths);
  const bad = paths.filter((path) => !isOutputPath(path) || parentFoldersOf(path).some((outer) => known.has(outer)));
  if (bad.length === 0) return;
  const hint = 'Rename the cluster or deployment that the path is named after';
  throw new FleetwrightError(
    bad.map((path) => errorAt('bad-output-path', folder, `'${path}' is not the path of a file in this folder`, hint)),
  );
}

function writeInventory(folder: string, paths: readonly string[]): void {
  writeFileAtomic(join(folder, INVENTORY_FILE), formatInventory(paths));
}

/** A folder that this run owns. */
interface OwnedFolder {
  readonly folder: string;

  /** The paths to write, and those that earlier runs wrote. */
  readonly all: readonly string[];

  /** Renews the ownership. Throws if another run owns the folder. */
  readonly renew: () => void;
  readonly isCurrent: (path: string) => boolean;
}

/**
 * Replaces the contents of files. All new contents are in a temporary folder on the same disk before the first file is
 * replaced, so a full disk changes no file. They are not forced to the disk one by one, which would take most of the
 * time: what a power failure damages differs from what the next run renders, so that run writes it again.
 *
 * @returns the paths of the files that changed
 */
function replaceFiles({ folder, all, renew, isCurrent }: OwnedFolder, files: ReadonlyMap<string, string>): Set<string> {
  const temporary = join(folder, createTemporaryName('folder'));
  makeFolder(temporary);
  try {
    const staged = new Map<string, StagedFile>();
    for (const path of all) {
      // Nothing of others changes yet: renewing is for a slow disk.
      renew();
      const text = files.get(path);
      if (text === undefined || isCurrent(path)) continue;
      const file = stageFile(join(folder, path), text, join(temporary, String(staged.size)), false);
      if (file) staged.set(path, file);
    }
    // Until the change is complete, the inventory lists both the old and the new files.
    writeInventory(folder, all);
    const made = new Set<string>();
    for (const file of staged.values()) {
      renew();
      const inner = dirname(file.path);
      if (!made.has(inner)) makeFolder(inner);
      made.add(inner);
      commitStagedFile(file);
    }
    return new Set(staged.keys());
  } finally {
    wrapFsErrors('not-written', folder, () => rmSync(temporary, { force: true, recursive: true }));
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
    const existed = tolerate(['ENOENT', 'ENOTDIR', 'EISDIR'], false, () => {
      unlinkSync(join(root, path));
      return true;
    });
    for (const outer of parentFoldersOf(path).reverse()) {
      tolerate(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'], undefined, () => rmdirSync(join(root, outer)));
    }
    return existed;
  });
}
