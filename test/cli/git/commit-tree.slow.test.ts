import { readdirSync, symlinkSync } from 'node:fs';
import {
  type CommitTree,
  exportCommit,
  listReachablePaths,
  readCommitTree,
  resolveLinks,
} from '../../../src/cli/git/commit-tree';
import { Workspace } from '../cli';
import { Repository } from '../repository';

const tree = (links: Record<string, string>): CommitTree => ({
  files: new Map(),
  links: new Map(Object.entries(links)),
  submodules: [],
});

describe('a path of a commit leads', () => {
  const cases: Record<string, { links: Record<string, string>; path: string; want: string | undefined }> = {
    'to itself without links': { links: {}, path: 'a/b', want: 'a/b' },
    'next to a link': { links: { 'a/b': 'c' }, path: 'a/b', want: 'a/c' },
    'through a folder that is a link': { links: { a: 'x/y' }, path: 'a/b', want: 'x/y/b' },
    'above where such a folder is': { links: { a: 'x/y', l: 'a/../z' }, path: 'l', want: 'x/z' },
    'to the top': { links: { 'a/b': '..' }, path: 'a/b', want: '' },
    'out of the repository by climbing': { links: { 'a/b': '../../x' }, path: 'a/b', want: undefined },
    'out of it from the root': { links: { 'a/b': '/x' }, path: 'a/b', want: undefined },
    'nowhere, in a circle': { links: { a: 'b', b: 'a' }, path: 'a', want: 'a' },
  };
  test.each(Object.entries(cases))('%s', (_, { links, path, want }) => {
    expect(resolveLinks(path, tree(links))).toBe(want);
  });
});

describe('reading a path of a commit reads', () => {
  const cases: Record<string, { links: Record<string, string>; want: string[] }> = {
    'that alone': { links: { 'fleet2/a': '../x', 'other/b': '../y' }, want: ['fleet'] },
    'what links in it lead to': { links: { 'fleet/a': '../x' }, want: ['fleet', 'x'] },
    'what links there lead to': {
      links: { 'fleet/a': '../x', 'x/b': '../y', 'y/c': '..' },
      want: ['fleet', 'x', 'y', ''],
    },
    'each once': { links: { 'fleet/a': '../x', 'fleet/b': '../x/y', 'fleet/c': 'd' }, want: ['fleet', 'x'] },
    'nothing out of the repository': { links: { 'fleet/a': '/x' }, want: ['fleet'] },
    'where it leads itself': { links: { fleet: 'real' }, want: ['real'] },
  };
  test.each(Object.entries(cases))('%s', (_, { links, want }) => {
    expect(listReachablePaths('fleet', tree(links))).toEqual(want);
  });
});

describe('of a commit is copied', () => {
  let work: Repository;
  let into: Workspace;
  beforeEach(() => {
    into = new Workspace();
    work = new Repository();
    work.write({
      'fleet/a.yaml': 'a',
      'fleet/a.txt': '',
      'fleet/.hidden.yaml': '',
      'fleet2/b.yaml': '',
      'x/c.txt': 'c',
      'x/d.txt': '',
    });
    symlinkSync('../x/c.txt', work.path('fleet/c.yaml'));
    symlinkSync('../x/d.txt', work.path('fleet/README'));
    symlinkSync('../x/d.txt', work.path('fleet2/d.yaml'));
    work.init();
    work.commit();
  });
  afterEach(() => {
    for (const one of [work, into]) one.remove();
  });

  const cases: Record<string, { below: string; want: string[] }> = {
    'what is read of a folder': { below: 'fleet', want: ['a.yaml', 'c.txt'] },
    'a file, whatever its name': { below: 'fleet/a.txt', want: ['a.txt'] },
    'what a file leads to': { below: 'fleet/README', want: ['d.txt'] },
  };
  const listed: Record<string, { below: string; want: number }> = {
    'only what is below a path without links': { below: 'x', want: 2 },
    'all where there are links': { below: 'fleet', want: 9 },
    'all where the path itself may be below a link': { below: 'gone/fleet', want: 9 },
  };
  test.each(Object.entries(listed))('lists %s', (_, { below, want }) => {
    const { files, links } = readCommitTree('HEAD', work.root, below);
    expect(files.size + links.size).toBe(want);
  });

  test.each(Object.entries(cases))('%s', (_, { below, want }) => {
    exportCommit(readCommitTree('HEAD', work.root, below), work.root, below, into.root);
    const copied = readdirSync(into.root, { recursive: true, withFileTypes: true });
    expect(copied.flatMap((one) => (one.isFile() ? [one.name] : [])).sort()).toEqual(want);
  });
});
