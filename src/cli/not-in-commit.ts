import { basename, dirname, resolve } from 'node:path';
import { FleetwrightError, type Problem } from '../errors';
import { isManifestFile, isManifestFolder } from '../files/skip';
import { isFolder } from './git';
import { type CommitTree, followed, isBelow, reachedFrom } from './commit-tree';

/** A fleet in a revision. */
export interface InRevision {
  readonly revision: string;
  readonly tree: CommitTree;

  /** The folder of the working tree, without links. */
  readonly top: string;

  /** The path of the fleet in it. */
  readonly inside: string;

  /** The files of the later state, absolute and without links. */
  readonly paths: readonly string[];
}

/**
 * Refuses a revision of a fleet that holds what the repository does not have: links that lead out of it, and
 * submodules. A link counts that is named as a manifest, or leads to a folder; a submodule of which something is read
 * now, or that is gone.
 *
 * @throws FleetwrightError that names them
 */
export function refuseNotInCommit(fleet: InRevision): void {
  const { revision, tree, inside } = fleet;
  const reached = reachedFrom(inside, tree);
  const read = (path: string): boolean =>
    reached.some((folder) => isBelow(path, folder) && isLookedInto(path, folder));
  const links = [...tree.links].filter(([path, target]) => read(path) && leadsOut(path, target, fleet));
  const leadsInto = (path: string): boolean => reached.some((one) => isBelow(one, path));
  const submodules = tree.submodules.filter((path) => (read(path) || leadsInto(path)) && holds(path, fleet));
  const problems = [
    ...links.map(([path, target]) => ({
      path,
      what: `it is a link to '${target}', which is out of the repository and in no revision`,
    })),
    ...submodules.map((path) => ({ path, what: 'it is a submodule, whose files are in another repository' })),
  ];
  if (problems.length === 0) return;
  const hint = 'Compare with a folder that has it, such as a checkout, or with a saved plan';
  throw new FleetwrightError(
    problems.map(
      ({ path, what }): Problem => ({ code: 'not-in-git', where: `${revision}:${path}`, what, hint }),
    ),
  );
}

/** Whether all folders between are ones that are read. */
function isLookedInto(path: string, folder: string): boolean {
  const between = dirname(path).slice(folder.length).split('/');
  return between.every((name) => name === '' || isManifestFolder(name));
}

function leadsOut(path: string, target: string, { tree, top }: InRevision): boolean {
  if (followed(path, tree) !== undefined) return false;
  if (isManifestFile(basename(path))) return true;
  const at = resolve(top, dirname(path), target);
  return isManifestFolder(basename(path)) && isFolder(at);
}

function holds(path: string, { top, paths }: InRevision): boolean {
  const at = resolve(top, path);
  return isManifestFolder(basename(path)) && (!isFolder(at) || paths.some((file) => isBelow(file, at)));
}
