import { runGit, readObjects } from './run-git';

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
export function treeOf(commit: string, folder: string, below: string): CommitTree {
  const here = entriesOf(commit, folder, below);
  const isWhole = here.length > 0 && !here.some(isLink);
  const entries = isWhole ? here : entriesOf(commit, folder, '');
  const links = entries.filter(isLink);
  const targets = readObjects(
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
interface Entry {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

function isLink({ mode }: Entry): boolean {
  return mode === '120000';
}

function entriesOf(commit: string, folder: string, below: string): Entry[] {
  const paths = below === '' ? [] : ['--', below];
  const { stdout } = runGit(folder, ['ls-tree', '-r', '-z', '--full-tree', commit, ...paths]);
  return stdout.split('\0').flatMap((line) => {
    const [, mode = '', object = '', path = ''] = ENTRY.exec(line) ?? [];
    return mode === '' ? [] : [{ mode, object, path }];
  });
}

/** `MODE TYPE OBJECT`, a tabulator, the path. */
const ENTRY = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s;

/** More links than this on one way are a circle, as for Linux. */
const MOST_LINKS = 40;

/**
 * Where a path leads in a commit, all links on the way followed; nothing where one of them leads out of the
 * repository. What is there need not exist, and in a circle it is one of its links.
 */
export function followed(path: string, { links }: CommitTree): string | undefined {
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
    else if (++followedLinks > MOST_LINKS) return [...real, part].join('/');
    else way.unshift(...target.split('/'));
  }
  return real.join('/');
}

/** Whether a path is another, or below it. The top is the empty path. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** A path and those that links in it lead to, and so on: together they hold all that reading it reads. */
export function reachedFrom(path: string, tree: CommitTree): string[] {
  const start = followed(path, tree);
  const reached = start === undefined ? [] : [start];
  // The list grows while it is read: what a link leads to may hold links.
  for (const root of reached) {
    for (const link of tree.links.keys()) {
      const target = isBelow(link, root) ? followed(link, tree) : undefined;
      if (target !== undefined && !reached.some((known) => isBelow(target, known))) reached.push(target);
    }
  }
  return reached;
}
