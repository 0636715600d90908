import { readTree } from '../../src/files/read-tree';
import { eachInFolder, type Tree } from './build';

interface Case {
  tree: Tree;
  target?: string;
  exclude?: string[];
  want: string[];
}

const inventory = '{ "version": 1, "files": ["a.yaml"] }';

const cases: Record<string, Case> = {
  'YAML and JSON files of a folder and all folders in it, by path in code units': {
    tree: { 'b.yaml': '', 'a/x.yaml': '', 'a.yml': '', 'a-b.json': '', 'B.yaml': '', 'a/b/c/d.yaml': '' },
    want: ['B.yaml', 'a-b.json', 'a.yml', 'a/b/c/d.yaml', 'a/x.yaml', 'b.yaml'],
  },
  'no other files': {
    tree: { 'a.yaml': '', 'README.md': '', 'a.yaml.bak': '', yaml: '', 'x.yaml.d/b.txt': '' },
    want: ['a.yaml'],
  },
  'no dot files and dot folders': {
    tree: { 'a.yaml': '', '.b.yaml': '', '.github/c.yaml': '' },
    want: ['a.yaml'],
  },
  'no files of other programs': {
    tree: {
      'a.yaml': '',
      'cdk8s.yaml': '',
      'Pulumi.yaml': '',
      'Pulumi.dev.yml': '',
      'package.json': '',
      'package-lock.json': '',
      'tsconfig.json': '',
      'node_modules/x/a.yaml': '',
      'b/Pulumi.prod.yaml': '',
    },
    want: ['a.yaml'],
  },
  'no lock': { tree: { 'a.yaml': '', 'fleet.lock.yaml': '', 'b/fleet.lock.yaml': '' }, want: ['a.yaml'] },
  'no folder that holds our output': {
    tree: {
      'a.yaml': '',
      'out/.fleetwright-inventory.json': inventory,
      'out/a.yaml': '',
      'out/b/c.yaml': '',
    },
    want: ['a.yaml'],
  },
  'a folder that is itself the output, without what was written to it': {
    tree: { '.fleetwright-inventory.json': inventory, 'a.yaml': '', 'b.yaml': '' },
    want: ['b.yaml'],
  },
  'no excluded file or folder, however its path is written': {
    tree: { 'a.yaml': '', 'b.yaml': '', 'c/d.yaml': '', 'e/f.yaml': '' },
    exclude: ['./b.yaml', 'c', 'e/../e/f.yaml', 'nowhere.yaml'],
    want: ['a.yaml'],
  },
  'no link to an excluded file': {
    tree: { 'a.yaml': '', 'other/b.yaml': '', 'c.yaml': { link: 'other/b.yaml' } },
    exclude: ['other/b.yaml'],
    want: ['a.yaml'],
  },
  'a file behind a link': {
    tree: { 'a.yaml': { link: '.data/a.yaml' }, '.data/a.yaml': '' },
    want: ['a.yaml'],
  },
  'a folder behind a link': {
    tree: { 'fleet/x': { link: '../far' }, 'far/a.yaml': '' },
    target: 'fleet',
    want: ['fleet/x/a.yaml'],
  },
  'each file once, by its real name, whatever links lead to it': {
    tree: { 'a.yaml': { link: 'b.yaml' }, 'b.yaml': '', c: { link: 'd' }, 'd/e.yaml': '' },
    want: ['b.yaml', 'd/e.yaml'],
  },
  'folders whose links lead in a circle': {
    tree: {
      'a/b.yaml': '',
      'a/up': { link: '..' },
      'a/self': { link: 'self' },
      'a/here': { link: '.' },
      'a/there': { link: '../a' },
    },
    want: ['a/b.yaml'],
  },
  'folders that link to each other': {
    tree: {
      'fleet/a.yaml': '',
      'fleet/x': { link: '../far' },
      'far/b.yaml': '',
      'far/y': { link: '../fleet' },
    },
    target: 'fleet',
    want: ['fleet/a.yaml', 'fleet/x/b.yaml'],
  },
  'no link that is dead, unless it has the name of a manifest': {
    tree: { 'a.yaml': '', b: { link: 'nowhere' } },
    want: ['a.yaml'],
  },
  'paths that start as the folder was typed': {
    tree: { 'x/a.yaml': '' },
    target: './x/',
    want: ['x/a.yaml'],
  },
  'a folder that starts with a dot, when it is named': {
    tree: { '.x/a.yaml': '' },
    target: '.x',
    want: ['.x/a.yaml'],
  },
  'a file that is named, whatever its name is': {
    tree: { 'Pulumi.yaml': 'x', 'a.yaml': '' },
    target: 'Pulumi.yaml',
    want: ['Pulumi.yaml'],
  },
};

describe('readTree reads', () => {
  const folder = eachInFolder();
  const home = process.cwd();
  beforeEach(() => process.chdir(folder().root));
  afterEach(() => process.chdir(home));

  test.each(Object.entries(cases))('%s', (_, { tree, target = '.', exclude = [], want }) => {
    folder().add(tree);
    expect(readTree(target, { exclude }).map(({ path }) => path)).toEqual(want);
  });

  test('whole texts, without a byte order mark', () => {
    folder().add({ 'a.yaml': '\uFEFFé: 1\r\n' });
    expect(readTree('a.yaml')).toEqual([{ path: 'a.yaml', text: 'é: 1\r\n' }]);
  });

  test('standard input as the path -', () => {
    expect(readTree('-', { stdin: () => 'a: 1\n' })).toEqual([{ path: '-', text: 'a: 1\n' }]);
  });

  test('absolute paths as absolute paths', () => {
    folder().add({ 'a.yaml': '' });
    expect(readTree(folder().root).map(({ path }) => path)).toEqual([folder().path('a.yaml')]);
  });
});
