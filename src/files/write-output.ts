import { dirname, join } from 'node:path';
import { FleetwrightError } from '../errors';
import { compareText } from '../order';
import { exclusively } from './exclusive';
import { orProblem } from './fs-error';
import { formatInventory, readInventory } from './inventory';
import { makeFolder } from './make-folder';
import { type Change, obstaclesTo } from './obstacles';
import { foldersOf, INVENTORY_FILE, isOutputPath } from './output-path';
import { removeFile } from './remove-file';
import { StagedChange } from './staged-change';
import { removeLeftovers, writeFileAtomic } from './write-file';

/** What happened to the files of an output folder: paths in it, each list sorted. */
export interface Written {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Makes a folder hold these files, and removes what an earlier run wrote and this one does not. An inventory
 * in the folder says what was written; everything else in it belongs to others and stays.
 *
 * All new contents are on the disk before the first file changes: where there is no room for one of them, or something
 * is in the way, every file stays as it was. A run that is killed between the first and the last change leaves whole
 * files, all of them in the inventory, and the next run finishes the job.
 *
 * @param files texts by path in the folder, with forward slashes
 * @throws FleetwrightError if something is in the way, or a file cannot be written; then nothing was changed
 */
export function writeOutput(folder: string, files: ReadonlyMap<string, string>): Written {
  const paths = [...files.keys()].sort(compareText);
  refuseBadPaths(folder, paths);
  makeFolder(folder);
  return exclusively(folder, () => {
    const old = readInventory(folder) ?? [];
    refuseObstacles({ folder, wanted: new Set(paths), old: new Set(old) });
    const all = [...new Set([...paths, ...old])].sort(compareText);
    for (const inner of new Set(['', ...all.map((path) => dirname(path))]))
      removeLeftovers(join(folder, inner));

    const written = new Set(replaceFiles(folder, files, { paths, all }));
    const removed = all.filter((path) => !files.has(path) && removeFile(folder, path));
    writeInventory(folder, paths);
    return { written: [...written], removed, unchanged: paths.filter((path) => !written.has(path)) };
  });
}

function refuseBadPaths(folder: string, paths: readonly string[]): void {
  const known = new Set(paths);
  const bad = paths.filter(
    (path) => !isOutputPath(path) || foldersOf(path).some((outer) => known.has(outer)),
  );
  if (bad.length === 0) return;
  throw new FleetwrightError(
    bad.map((path) => ({
      code: 'bad-output-path',
      where: folder,
      what: `'${path}' is no path of a file in this folder`,
      hint: 'Rename the cluster or deployment that it is named after',
    })),
  );
}

function refuseObstacles(change: Change): void {
  const problems = orProblem('not-written', change.folder, () => obstaclesTo(change));
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function writeInventory(folder: string, paths: readonly string[]): void {
  writeFileAtomic(join(folder, INVENTORY_FILE), formatInventory(paths));
}

interface Paths {
  readonly paths: readonly string[];

  /** With those that earlier runs wrote. */
  readonly all: readonly string[];
}

/** Gives files their new contents, and tells which had others. */
function replaceFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  { paths, all }: Paths,
): readonly string[] {
  const change = new StagedChange(folder);
  try {
    for (const path of paths) change.stage(path, files.get(path) ?? '');
    // Both sides of the change are ours until it is complete.
    writeInventory(folder, all);
    change.commit();
  } finally {
    change.close();
  }
  return change.paths;
}
