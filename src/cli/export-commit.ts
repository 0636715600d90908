import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { INVENTORY_FILE, isOutputPath } from '../files/output-path';
import { isManifestFile } from '../files/skip';
import { type CommitTree, followed, isBelow, reachedFrom } from './commit-tree';
import { readObjects } from './run-git';

/** What is copied, and where from. */
export interface Export {
  readonly tree: CommitTree;

  /** A folder of the repository. */
  readonly top: string;

  /** The path of which all is copied that reading it reads; '' for the whole repository. */
  readonly below: string;
}

/**
 * Copies what looks like manifests, as it is in a commit, to a folder, under the paths that it has in the repository.
 * Links stay links, and what they lead to is copied, whatever its name; those that lead out of the repository are left
 * out.
 *
 * @throws FleetwrightError when git is missing
 */
export function exportCommit({ tree, top, below }: Export, into: string): void {
  const reached = reachedFrom(below, tree);
  const isReached = (path: string): boolean => reached.some((folder) => isBelow(path, folder));
  const links = [...tree.links].flatMap(([path, target]) => {
    const leadsTo = followed(path, tree);
    return isOutputPath(path) && leadsTo !== undefined ? [{ path, target, leadsTo }] : [];
  });
  const named = new Set([
    followed(below, tree),
    ...links.flatMap(({ path, leadsTo }) => (isReached(path) && isRead(path) ? [leadsTo] : [])),
  ]);
  const files = [...tree.files].filter(
    ([path]) => isOutputPath(path) && (named.has(path) || (isRead(path) && isReached(path))),
  );
  const texts = readObjects(
    top,
    files.map(([, object]) => object),
  );
  for (const [f, [path]] of files.entries()) writeFileSync(placed(path, into), texts[f] ?? '');
  for (const { path, target } of links) symlinkSync(target, placed(path, into));
}

function isRead(path: string): boolean {
  return isManifestFile(basename(path)) || basename(path) === INVENTORY_FILE;
}

/** The place of a path in a folder, with the folders above it. */
function placed(path: string, into: string): string {
  mkdirSync(dirname(join(into, path)), { recursive: true });
  return join(into, path);
}
