import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { FleetwrightError } from '../errors';
import { INVENTORY_FILE } from '../files/output-path';
import { readFileIfThere } from '../files/read-file';
import { isManifestFile, isManifestFolder } from '../files/skip';
import { holdsOnlyScenarios } from '../manifest/only-scenarios';
import { sortedBy } from '../order';
import { shortList } from '../plan/format';
import { changesIn, type FileChange, isFolder } from './git';
import { runGit } from './run-git';

/** A fleet in a working tree. */
export interface WorkingTree {
  /** The folder or file of the fleet, as the user named it. */
  readonly target: string;

  /** The folder of the working tree, without links. */
  readonly top: string;

  /** The files that were read. */
  readonly paths: readonly string[];

  /** The lock, whether or not it is there. */
  readonly lock: string;
}

/**
 * Refuses a fleet of which a file is not as HEAD has it, that is new, or gone: what is compared with a revision would
 * be of no revision itself. Other files are as they like, and scenarios too: the command line names them.
 *
 * @throws FleetwrightError that names the files
 */
export function refuseUncommitted(revision: string, tree: WorkingTree): void {
  const { target, top, paths, lock } = tree;
  const own = realpathSync(target);
  const read = new Set([...paths, lock].flatMap(namesOf));
  const folders = [...read].map(dirname).filter((folder) => !isIn(folder, own));
  const changed = changesIn(
    top,
    [...new Set([own, ...folders])].filter((path) => isIn(path, top)),
  );
  const outputs = new Set(changed.filter(isInventory).map(({ path }) => dirname(path)));
  const unlike = changed
    .filter((one) => holdsAny(one.path, read) || wasRead(one, own, outputs))
    .filter(({ path }) => !isOfScenarios(path, top));
  if (unlike.length === 0) return;
  const shown = unlike.map(({ path }) => {
    return isIn(path, own) ? join(target, relative(own, path)) : relative(top, path);
  });
  const names = sortedBy(new Set(shown), (name) => name);
  const what = `${shortList(names)} ${names.length === 1 ? 'is not as HEAD has it' : 'are not as HEAD has them'}`;
  const hint = `Commit ${names.length === 1 ? 'it' : 'them'}, or pass --allow-dirty to plan the files as they lie`;
  throw new FleetwrightError([{ code: 'dirty', where: `--against ${revision}`, what, hint }]);
}

/** A file without links above it, and where links lead; only the first where nothing is there. */
function namesOf(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = join(realpathSync(folder), basename(path));
  return existsSync(path) ? [name, realpathSync(path)] : [name];
}

/** Whether a path is that of some file, or of a repository of its own that some are in: git says nothing of its files. */
function holdsAny(path: string, files: ReadonlySet<string>): boolean {
  if (files.has(path)) return true;
  return isFolder(path) && [...files].some((file) => isIn(file, path));
}

/**
 * Whether a file that is gone would be read if it were there.
 *
 * @param outputs folders that git knows as output of ours, whether or not they are still there
 */
function wasRead({ path, gone }: FileChange, own: string, outputs: ReadonlySet<string>): boolean {
  if (!gone || !isIn(path, own) || !isManifestFile(basename(path))) return false;
  const folders = relative(own, dirname(path)).split(sep);
  return folders.every((name, f) => {
    const folder = join(own, ...folders.slice(0, f + 1));
    const isOutput = outputs.has(folder) || existsSync(join(folder, INVENTORY_FILE));
    return name === '' || (isManifestFolder(name) && !isOutput);
  });
}

/** Whether a file holds scenarios, be it here or in HEAD, and never anything else. */
function isOfScenarios(path: string, top: string): boolean {
  if (isFolder(path)) return false;
  const text = readFileIfThere(path);
  if (text !== undefined && !holdsOnlyScenarios({ path, text })) return false;
  const { status, stdout } = runGit(top, ['show', `HEAD:${relative(top, path)}`]);
  return status !== 0 || holdsOnlyScenarios({ path, text: stdout });
}

function isInventory({ path }: FileChange): boolean {
  return basename(path) === INVENTORY_FILE;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
