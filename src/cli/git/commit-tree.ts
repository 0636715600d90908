import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isManifestFile } from '../../files/find-manifests';
import { INVENTORY_FILE, isOutputPath } from '../../files/output-inventory';
import { readGitObjects, runGit } from './repository';

/** The content of a commit, by paths from the top of its repository. */
export interface CommitTree {
  /** The object IDs of regular files. */
  readonly files: ReadonlyMap<string, string>;

  /** The targets of links, as written. */
  readonly links: ReadonlyMap<string, string>;
  readonly submodules: readonly string[];
}

/**
 * Lists the entries that reading a path of a commit needs: the entries below it, or the whole commit where a link is
 * on the path or below it.
 *
 * @param below the path. Empty for the whole commit
 * @throws FleetwrightError when git is missing
 */
export function readCommitTree(commit: string, folder: string, below: string): CommitTree {
  const belowEntries = listTreeEntries(commit, folder, below);
  const hasNoLinks = belowEntries.length > 0 && !belowEntries.some(isLink);
  const entries = hasNoLinks ? belowEntries : listTreeEntries(commit, folder, '');
  const links = entries.filter(isLink);
  const targets = readGitObjects(
    folder,
    links.map(({ object }) => object),
  );
  return {
    files: new Map(entries.flatMap(({ mode, object, path }) => (mode.startsWith('100') ? [[path, object]] : []))),
    links: new Map(links.map(({ path }, i) => [path, targets[i]?.toString('utf8') ?? ''])),
    submodules: entries.flatMap(({ mode, path }) => (mode === '160000' ? [path] : [])),
  };
}

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

/** A line of `git ls-tree`: `MODE TYPE OBJECT`, a tab, the path. */
const ENTRY_PATTERN = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s;

/** The maximum number of links on a path, as in Linux. More links are circular. */
const MAX_LINKS = 40;

/**
 * Resolves the links on a path in a commit. Undefined where a link leads out of the repository. The result need not
 * exist; for circular links it is one of the links.
 */
export function resolveLinks(path: string, { links }: CommitTree): string | undefined {
  const remaining = path.split('/');
  const real: string[] = [];
  let followedLinks = 0;
  for (let part = remaining.shift(); part !== undefined; part = remaining.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..' && real.pop() === undefined) return undefined;
    if (part === '..') continue;
    const target = links.get([...real, part].join('/'));
    if (target === undefined) real.push(part);
    else if (target.startsWith('/')) return undefined;
    else if (++followedLinks > MAX_LINKS) return [...real, part].join('/');
    else remaining.unshift(...target.split('/'));
  }
  return real.join('/');
}

/** Whether a path is equal to another, or below it. The top of the repository is the empty path. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Lists a path and the targets of all links in it: what reading the path needs. */
export function listReachablePaths(path: string, tree: CommitTree): string[] {
  const start = resolveLinks(path, tree);
  const reached = start === undefined ? [] : [start];
  // The list grows during the loop: the target of a link can contain links.
  for (const root of reached) {
    for (const link of tree.links.keys()) {
      const target = isAtOrBelow(link, root) ? resolveLinks(link, tree) : undefined;
      if (target !== undefined && !reached.some((known) => isAtOrBelow(target, known))) reached.push(target);
    }
  }
  return reached;
}

/**
 * Exports the manifests of a commit to a folder, with the paths that they have in the repository. Links are kept, and
 * their targets are exported under any name; links that lead out of the repository are omitted.
 *
 * @param top a folder in the repository
 * @param below the path to export with everything that reading it needs. Empty for the whole repository
 * @throws FleetwrightError when git is missing
 */
export function exportCommit(tree: CommitTree, top: string, below: string, into: string): void {
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

/** Creates the parent folders of a path in a folder, and returns the joined path. */
function createParentsOf(path: string, into: string): string {
  mkdirSync(dirname(join(into, path)), { recursive: true });
  return join(into, path);
}
