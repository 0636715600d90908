import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isManifestFile } from '../../files/find-manifests';
import { INVENTORY_FILE, isOutputPath } from '../../files/output-inventory';
import { readGitObjects, runGit } from './repository';

/** What a commit holds, by paths from the top of its repository. */
export interface CommitTree {
  /** The objects of regular files. */
  readonly files: ReadonlyMap<string, string>;

  /** Where links lead, as they are written. */
  readonly links: ReadonlyMap<string, string>;

  /** Folders of other repositories. */
  readonly submodules: readonly string[];
}

/**
 * Lists what reading a path of a commit reads: what is below it, and where a link is there or on the way, all of the
 * commit.
 *
 * @param below '' for all of it
 * @throws FleetwrightError when git is missing
 */
export function readCommitTree(commit: string, folder: string, below: string): CommitTree {
  const here = listTreeEntries(commit, folder, below);
  const isWhole = here.length > 0 && !here.some(isLink);
  const entries = isWhole ? here : listTreeEntries(commit, folder, '');
  const links = entries.filter(isLink);
  const targets = readGitObjects(
    folder,
    links.map(({ object }) => object),
  );
  return {
    files: new Map(
      entries.flatMap(({ mode, object, path }) => (mode.startsWith('100') ? [[path, object]] : [])),
    ),
    links: new Map(links.map(({ path }, i) => [path, targets[i]?.toString('utf8') ?? ''])),
    submodules: entries.flatMap(({ mode, path }) => (mode === '160000' ? [path] : [])),
  };
}

/** A line of a listing. */
interface TreeEntry {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

function isLink({ mode }: TreeEntry): boolean {
  return mode === '120000';
}

function listTreeEntries(commit: string, folder: string, below: string): TreeEntry[] {
  const paths = below === '' ? [] : ['--', below];
  const { stdout } = runGit(folder, ['ls-tree', '-r', '-z', '--full-tree', commit, ...paths]);
  return stdout.split('\0').flatMap((line) => {
    const [, mode = '', object = '', path = ''] = ENTRY_PATTERN.exec(line) ?? [];
    return mode === '' ? [] : [{ mode, object, path }];
  });
}

/** `MODE TYPE OBJECT`, a tabulator, the path. */
const ENTRY_PATTERN = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s;

/** More links than this on one way are a circle, as for Linux. */
const MAX_LINKS = 40;

/**
 * Where a path leads in a commit, all links on the way followed; nothing where one of them leads out of the
 * repository. What is there need not exist, and in a circle it is one of its links.
 */
export function resolveLinks(path: string, { links }: CommitTree): string | undefined {
  const way = path.split('/');
  const real: string[] = [];
  let followedLinks = 0;
  for (let part = way.shift(); part !== undefined; part = way.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..' && real.pop() === undefined) return undefined;
    if (part === '..') continue;
    const target = links.get([...real, part].join('/'));
    if (target === undefined) real.push(part);
    else if (target.startsWith('/')) return undefined;
    else if (++followedLinks > MAX_LINKS) return [...real, part].join('/');
    else way.unshift(...target.split('/'));
  }
  return real.join('/');
}

/** Whether a path is another, or below it. The top is the empty path. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** A path and those that links in it lead to, and so on: together they hold all that reading it reads. */
export function listReachablePaths(path: string, tree: CommitTree): string[] {
  const start = resolveLinks(path, tree);
  const reached = start === undefined ? [] : [start];
  // The list grows while it is read: what a link leads to may hold links.
  for (const root of reached) {
    for (const link of tree.links.keys()) {
      const target = isAtOrBelow(link, root) ? resolveLinks(link, tree) : undefined;
      if (target !== undefined && !reached.some((known) => isAtOrBelow(target, known))) reached.push(target);
    }
  }
  return reached;
}

/** What is copied, and where from. */
export interface CommitExport {
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
export function exportCommit({ tree, top, below }: CommitExport, into: string): void {
  const reached = listReachablePaths(below, tree);
  const isReached = (path: string): boolean => reached.some((folder) => isAtOrBelow(path, folder));
  const links = [...tree.links].flatMap(([path, target]) => {
    const leadsTo = resolveLinks(path, tree);
    return isOutputPath(path) && leadsTo !== undefined ? [{ path, target, leadsTo }] : [];
  });
  const named = new Set([
    resolveLinks(below, tree),
    ...links.flatMap(({ path, leadsTo }) => (isReached(path) && isReadFile(path) ? [leadsTo] : [])),
  ]);
  const files = [...tree.files].filter(
    ([path]) => isOutputPath(path) && (named.has(path) || (isReadFile(path) && isReached(path))),
  );
  const texts = readGitObjects(
    top,
    files.map(([, object]) => object),
  );
  for (const [f, [path]] of files.entries()) writeFileSync(createParentsOf(path, into), texts[f] ?? '');
  for (const { path, target } of links) symlinkSync(target, createParentsOf(path, into));
}

function isReadFile(path: string): boolean {
  return isManifestFile(basename(path)) || basename(path) === INVENTORY_FILE;
}

/** The place of a path in a folder, with the folders above it. */
function createParentsOf(path: string, into: string): string {
  mkdirSync(dirname(join(into, path)), { recursive: true });
  return join(into, path);
}
