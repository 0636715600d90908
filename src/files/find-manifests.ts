import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Diagnostic } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { LOCK_FILE } from '../scheduler/lock/lock';
import { toFsProblem } from './fs-error';
import { describeOutside, isInside } from './inside-folder';
import { INVENTORY_FILE } from './output-inventory';

interface FoundManifests {
  /** Sorted paths, which start with the folder as the user typed it. */
  readonly paths: readonly string[];
  readonly problems: readonly Diagnostic[];
}

interface ManifestSearch {
  readonly excluded: ReadonlySet<string>;

  /** The real path of the folder that links must not leave. Absent if they may. */
  readonly within: string | undefined;

  /** Display paths by real path, so that a file with two names is read only once. */
  readonly files: Map<string, string>;

  /** Real paths of visited folders, which detect circular links. */
  readonly folders: Set<string>;

  /** Links to follow last, so that the path of a file does not change because a link to it exists. */
  readonly links: string[];
  readonly problems: Diagnostic[];
}

/**
 * Finds the manifests in a folder and its subfolders. Folders that `writeOutput` wrote are skipped.
 *
 * @param excluded absolute paths of files and folders to skip
 * @param within the real path of a folder that links must not leave. Default: they may lead anywhere
 */
export function findManifests(folder: string, excluded: ReadonlySet<string>, within?: string): FoundManifests {
  const search: ManifestSearch = { excluded, within, files: new Map(), folders: new Set(), links: [], problems: [] };
  collectFsProblem(folder, search, () => searchFolder(folder, search));
  // The list grows during the loop: a linked folder can contain links.
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
  // A dead link whose name is not a manifest name is ignored.
  if (!isManifestFile(basename(link)) && !existsSync(link)) return;
  collectFsProblem(link, search, () => {
    const stat = statSync(link);
    const counts = stat.isDirectory() ? isManifestFolder(basename(link)) : isManifestFile(basename(link));
    if (counts && search.within !== undefined && !isInside(search.within, link)) {
      search.problems.push(describeOutside(link, 'this link'));
    } else if (stat.isDirectory()) searchSubfolder(link, search);
    else addManifest(link, search);
  });
}

/** Runs a function and records its file system error, so that all errors are reported together. */
function collectFsProblem(path: string, { problems }: ManifestSearch, read: () => void): void {
  try {
    read();
  } catch (error) {
    problems.push(toFsProblem('unreadable', path, error));
  }
}

const MANIFEST_EXTENSION = /\.(?:ya?ml|json)$/;

/** Files of other programs, and the lock, which look like manifests but are not. */
const IGNORED_FILES: ReadonlySet<string> = new Set([
  LOCK_FILE,
  'cdk8s.yaml',
  'kustomization.yaml',
  'kustomization.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]);

const PULUMI_FILE = /^Pulumi.*\.ya?ml$/;

export function isManifestFile(name: string): boolean {
  return MANIFEST_EXTENSION.test(name) && !name.startsWith('.') && !IGNORED_FILES.has(name) && !PULUMI_FILE.test(name);
}

export function isManifestFolder(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}
