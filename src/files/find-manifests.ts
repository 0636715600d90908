import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Problem } from '../errors';
import { sortedBy } from '../order';
import { fsProblem } from './fs-error';
import { INVENTORY_FILE } from './output-path';
import { isManifestFile, isManifestFolder } from './skip';

/** The manifests below a folder. */
export interface Found {
  /** Paths that start as the user typed the folder, sorted. */
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
}

interface Search {
  readonly excluded: ReadonlySet<string>;

  /** Shown paths by real path: a file with two names is read once. */
  readonly files: Map<string, string>;

  /** Real paths of the folders seen, so that links cannot lead in a circle. */
  readonly folders: Set<string>;

  /** Links not followed yet. They come last, so that a link does not rename a file that is there anyway. */
  readonly links: string[];
  readonly problems: Problem[];
}

/**
 * Searches a folder and all folders in it. Folders that `writeOutput` wrote are left out.
 *
 * @param excluded absolute paths of files and folders that are not read
 */
export function findManifests(folder: string, excluded: ReadonlySet<string>): Found {
  const search: Search = { excluded, files: new Map(), folders: new Set(), links: [], problems: [] };
  noting(folder, search, () => searchFolder(folder, search));
  // The list grows while it is read: a folder behind a link may hold links.
  for (const link of search.links) followLink(link, search);
  return { paths: sortedBy(search.files.values(), (path) => path), problems: search.problems };
}

function searchFolder(folder: string, search: Search): void {
  const real = realpathSync(folder);
  if (search.folders.has(real)) return;
  search.folders.add(real);
  for (const entry of sortedBy(readdirSync(folder, { withFileTypes: true }), ({ name }) => name)) {
    const path = join(folder, entry.name);
    if (search.excluded.has(resolve(path))) continue;
    if (entry.isSymbolicLink()) search.links.push(path);
    else if (entry.isDirectory()) enter(path, search);
    else add(path, search);
  }
}

function enter(folder: string, search: Search): void {
  if (!isManifestFolder(basename(folder)) || existsSync(join(folder, INVENTORY_FILE))) return;
  noting(folder, search, () => searchFolder(folder, search));
}

function add(path: string, search: Search): void {
  if (!isManifestFile(basename(path))) return;
  noting(path, search, () => {
    const real = realpathSync(path);
    if (!search.files.has(real) && !search.excluded.has(real)) search.files.set(real, path);
  });
}

function followLink(link: string, search: Search): void {
  // A dead link to something that is no manifest is none of our business.
  if (!isManifestFile(basename(link)) && !existsSync(link)) return;
  noting(link, search, () => {
    const stat = statSync(link);
    if (stat.isDirectory()) enter(link, search);
    else add(link, search);
  });
}

/** Notes what cannot be read and goes on, so that all of it is reported at once. */
function noting(path: string, { problems }: Search, read: () => void): void {
  try {
    read();
  } catch (error) {
    problems.push(fsProblem('unreadable', path, error));
  }
}
