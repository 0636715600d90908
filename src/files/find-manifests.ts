import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Diagnostic } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { LOCK_FILE } from '../scheduler/lock/lock';
import { toFsProblem } from './fs-error';
import { INVENTORY_FILE } from './output-inventory';

/** The manifests below a folder. */
export interface FoundManifests {
  /** Paths that start as the user typed the folder, sorted. */
  readonly paths: readonly string[];
  readonly problems: readonly Diagnostic[];
}

interface ManifestSearch {
  readonly excluded: ReadonlySet<string>;

  /** Shown paths by real path: a file with two names is read once. */
  readonly files: Map<string, string>;

  /** Real paths of the folders seen, so that links cannot lead in a circle. */
  readonly folders: Set<string>;

  /** Links not followed yet. They come last, so that a link does not rename a file that is there anyway. */
  readonly links: string[];
  readonly problems: Diagnostic[];
}

/**
 * Searches a folder and all folders in it. Folders that `writeOutput` wrote are left out.
 *
 * @param excluded absolute paths of files and folders that are not read
 */
export function findManifests(folder: string, excluded: ReadonlySet<string>): FoundManifests {
  const search: ManifestSearch = { excluded, files: new Map(), folders: new Set(), links: [], problems: [] };
  collectFsProblem(folder, search, () => searchFolder(folder, search));
  // The list grows while it is read: a folder behind a link may hold links.
  for (const link of search.links) followLink(link, search);
  return { paths: sortedBy(search.files.values(), (path) => path), problems: search.problems };
}

function searchFolder(folder: string, search: ManifestSearch): void {
  const real = realpathSync(folder);
  if (search.folders.has(real)) return;
  search.folders.add(real);
  for (const entry of sortedBy(readdirSync(folder, { withFileTypes: true }), ({ name }) => name)) {
    const path = join(folder, entry.name);
    if (search.excluded.has(resolve(path))) continue;
    if (entry.isSymbolicLink()) search.links.push(path);
    else if (entry.isDirectory()) searchSubfolder(path, search);
    else addManifest(path, search);
  }
}

function searchSubfolder(folder: string, search: ManifestSearch): void {
  if (!isManifestFolder(basename(folder)) || existsSync(join(folder, INVENTORY_FILE))) return;
  collectFsProblem(folder, search, () => searchFolder(folder, search));
}

function addManifest(path: string, search: ManifestSearch): void {
  if (!isManifestFile(basename(path))) return;
  collectFsProblem(path, search, () => {
    const real = realpathSync(path);
    if (!search.files.has(real) && !search.excluded.has(real)) search.files.set(real, path);
  });
}

function followLink(link: string, search: ManifestSearch): void {
  // A dead link to something that is no manifest is none of our business.
  if (!isManifestFile(basename(link)) && !existsSync(link)) return;
  collectFsProblem(link, search, () => {
    const stat = statSync(link);
    if (stat.isDirectory()) searchSubfolder(link, search);
    else addManifest(link, search);
  });
}

/** Notes what cannot be read and goes on, so that all of it is reported at once. */
function collectFsProblem(path: string, { problems }: ManifestSearch, read: () => void): void {
  try {
    read();
  } catch (error) {
    problems.push(toFsProblem('unreadable', path, error));
  }
}

/** Names of files that hold manifests. */
const MANIFEST_EXTENSION = /\.(?:ya?ml|json)$/;

/** Files of other programs, and our own lock, that stand beside manifests and look like them. */
const IGNORED_FILES: ReadonlySet<string> = new Set([
  LOCK_FILE,
  'cdk8s.yaml',
  'kustomization.yaml',
  'kustomization.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]);

/** A Pulumi project, and the settings of its stacks. */
const PULUMI_FILE = /^Pulumi.*\.ya?ml$/;

/** Whether a file of a folder is read, by its name. */
export function isManifestFile(name: string): boolean {
  return (
    MANIFEST_EXTENSION.test(name) &&
    !name.startsWith('.') &&
    !IGNORED_FILES.has(name) &&
    !PULUMI_FILE.test(name)
  );
}

/** Whether a folder in a folder is read, by its name. */
export function isManifestFolder(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}
