import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { isManifestFile, isManifestFolder } from '../../files/find-manifests';
import { INVENTORY_FILE } from '../../files/output-inventory';
import { readTextFileIfExists } from '../../files/read-file';
import { hasOnlyScenarios } from '../../manifest/document-contents';
import { commandError } from '../command-error';
import { type CommitTree, isAtOrBelow, listReachablePaths, resolveLinks } from './commit-tree';
import { isFolder } from '../../files/fleet-paths';
import { listUncommitted, runGit, type UncommittedFile } from './repository';

interface WorkingTree {
  /** The folder or file of the fleet, as the user typed it. */
  readonly target: string;

  /** The folder of the working tree, without links. */
  readonly top: string;
  readonly paths: readonly string[];

  /** The path of the lock, which need not exist. */
  readonly lock: string;
}

/**
 * Rejects a fleet with files that are modified, new or deleted since HEAD, since it would not correspond to a
 * revision. Other files, and scenarios, which users pass on the command line, can differ.
 *
 * @throws FleetwrightError that lists the files
 */
export function refuseUncommitted(revision: string, tree: WorkingTree): void {
  const { target, top, paths, lock } = tree;
  const fleetPath = realpathSync(target);
  const read = new Set([...paths, lock].flatMap(resolveFileNames));
  const folders = [...read].map(dirname).filter((folder) => !isInFolder(folder, fleetPath));
  const changed = listUncommitted(
    top,
    [...new Set([fleetPath, ...folders])].filter((path) => isInFolder(path, top)),
  );
  const outputs = new Set(changed.flatMap(({ path }) => (basename(path) === INVENTORY_FILE ? [dirname(path)] : [])));
  const uncommitted = changed
    .filter((one) => containsAny(one.path, read) || wouldBeRead(one, fleetPath, outputs))
    .filter(({ path }) => !isScenarioFile(path, top));
  if (uncommitted.length === 0) return;
  const shown = uncommitted.map(({ path }) =>
    isInFolder(path, fleetPath) ? join(target, relative(fleetPath, path)) : relative(top, path),
  );
  const names = sortUnique(shown);
  const what = `${joinNames(names)} ${names.length === 1 ? 'differs from HEAD' : 'differ from HEAD'}`;
  const hint = `Commit ${names.length === 1 ? 'it' : 'them'}, or add --allow-dirty to include uncommitted changes`;
  throw commandError('dirty', `--against ${revision}`, what, hint);
}

/** The real paths of a file: with links in its folder resolved, and with all links resolved if it exists. */
function resolveFileNames(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = join(realpathSync(folder), basename(path));
  return existsSync(path) ? [name, realpathSync(path)] : [name];
}

/** Whether a path is one of the files, or a nested repository with one, whose files git does not report. */
function containsAny(path: string, files: ReadonlySet<string>): boolean {
  if (files.has(path)) return true;
  return isFolder(path) && [...files].some((file) => isInFolder(file, path));
}

/** Whether a deleted file would be read if it existed. `outputs` are folders that git knows as output folders. */
function wouldBeRead({ path, gone }: UncommittedFile, own: string, outputs: ReadonlySet<string>): boolean {
  if (!gone || !isInFolder(path, own) || !isManifestFile(basename(path))) return false;
  const folders = relative(own, dirname(path)).split(sep);
  return folders.every((name, f) => {
    const folder = join(own, ...folders.slice(0, f + 1));
    const isOutput = outputs.has(folder) || existsSync(join(folder, INVENTORY_FILE));
    return name === '' || (isManifestFolder(name) && !isOutput);
  });
}

/** Whether a file contains only scenarios, in the working tree and in HEAD. */
function isScenarioFile(path: string, top: string): boolean {
  if (isFolder(path)) return false;
  const text = readTextFileIfExists(path);
  if (text !== undefined && !hasOnlyScenarios({ path, text })) return false;
  const { status, stdout } = runGit(top, ['show', `HEAD:${relative(top, path)}`]);
  return status !== 0 || hasOnlyScenarios({ path, text: stdout });
}

function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export interface RevisionFleet {
  readonly revision: string;
  readonly tree: CommitTree;

  /** The folder of the working tree, without links. */
  readonly top: string;

  /** The path of the fleet in it. */
  readonly inside: string;

  /** The files of the later state, as absolute paths without links. */
  readonly paths: readonly string[];
}

/**
 * Rejects a revision whose fleet contains files outside of the repository: links that lead out of it, and submodules.
 * A link counts if it has the name of a manifest, or leads to a folder; a submodule if one of its files is read now,
 * or if it does not exist any more.
 *
 * @throws FleetwrightError that lists them
 */
export function refuseMissingFromCommit(fleet: RevisionFleet): void {
  const { revision, tree, inside } = fleet;
  const reached = listReachablePaths(inside, tree);
  const read = (path: string): boolean =>
    reached.some((folder) => isAtOrBelow(path, folder) && isSearchedFolder(path, folder));
  const links = [...tree.links].filter(([path, target]) => read(path) && leavesRepository(path, target, fleet));
  const leadsInto = (path: string): boolean => reached.some((one) => isAtOrBelow(one, path));
  const submodules = tree.submodules.filter((path) => (read(path) || leadsInto(path)) && holdsReadFiles(path, fleet));
  const problems = [
    ...links.map(([path, target]) => ({
      path,
      what: `it is a link to '${target}', which is outside the repository`,
    })),
    ...submodules.map((path) => ({ path, what: 'it is a submodule, with files in another repository' })),
  ];
  if (problems.length === 0) return;
  const hint = 'Compare with a folder that has the files, such as a checkout, or with a saved plan';
  throw new FleetwrightError(
    problems.map(({ path, what }): Diagnostic => errorAt('not-in-git', `${revision}:${path}`, what, hint)),
  );
}

/** Whether all folders between two paths are searched for manifests. */
function isSearchedFolder(path: string, folder: string): boolean {
  const between = dirname(path).slice(folder.length).split('/');
  return between.every((name) => name === '' || isManifestFolder(name));
}

function leavesRepository(path: string, target: string, { tree, top }: RevisionFleet): boolean {
  if (resolveLinks(path, tree) !== undefined) return false;
  if (isManifestFile(basename(path))) return true;
  const at = resolve(top, dirname(path), target);
  return isManifestFolder(basename(path)) && isFolder(at);
}

function holdsReadFiles(path: string, { top, paths }: RevisionFleet): boolean {
  const at = resolve(top, path);
  return isManifestFolder(basename(path)) && (!isFolder(at) || paths.some((file) => isAtOrBelow(file, at)));
}
