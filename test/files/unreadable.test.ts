import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { findDefaultLockPath } from '../../src/files/fleet-paths';
import { readTextFileIfExists } from '../../src/files/read-file';
import { readTree } from '../../src/files/read-tree';
import { globFiles } from '../../src/files/referenced-files';
import { asNobody, eachInFolder, inChild, refusal, type Tree } from './build';

interface Case {
  tree: Tree;
  target?: string;
  want: string[];
}

const cases: Record<string, Case> = {
  'a path that is not there, with the name that was probably meant': {
    tree: { 'examples/quickstart/a.yaml': '' },
    target: 'examples/quikstart',
    want: ["examples/quikstart: there is no such file or folder. Use 'examples/quickstart'."],
  },
  'a path that is not there, next to nothing of the kind': {
    tree: { 'a.yaml': '' },
    target: 'nowhere/at/all',
    want: ['nowhere/at/all: there is no such file or folder. Check the path.'],
  },
  'a path through a file': {
    tree: { 'a.yaml': '' },
    target: 'a.yaml/b',
    want: ['a.yaml/b: a part of this path is a file, not a folder. Check the path.'],
  },
  'a folder without manifests': {
    tree: { 'x/README.md': '', 'x/y': null },
    target: 'x',
    want: ['x: this folder has no manifests. Use a folder with .yaml, .yml or .json files of a fleet.'],
  },
  'a link with the name of a manifest that leads nowhere, next to other problems': {
    tree: { 'x/a.yaml': { link: 'nowhere' }, 'x/b.yaml': { link: 'b.yaml' } },
    target: 'x',
    want: [
      'x/a.yaml: there is no such file or folder. Check the path.',
      'x/b.yaml: its symbolic links form a loop. Fix the links.',
    ],
  },
};

describe('readTree refuses', () => {
  const folder = eachInFolder();

  test.each(Object.entries(cases))('%s', (_, { tree, target = '', want }) => {
    folder().add(tree);
    expect(refusal(() => readTree(folder().path(target)), folder().root)).toEqual(want);
  });

  test('a file that is no UTF-8', () => {
    writeFileSync(folder().path('a.yaml'), Buffer.from([0x61, 0xff]));
    const want = ['a.yaml: the file is not UTF-8 text. Save it as UTF-8, or remove it.'];
    expect(refusal(() => readTree(folder().root), folder().root)).toEqual(want);
  });

  test('a pipe in a folder, without waiting for its text', () => {
    execFileSync('mkfifo', [folder().path('a.yaml')]);
    const writer = spawn('sh', ['-c', 'echo text > "$0"', folder().path('a.yaml')]);
    const want = ["a.yaml: this is a pipe, not a file. Use the path of a file, or '-' for standard input."];
    for (const target of ['a.yaml', '.']) {
      expect(refusal(() => readTree(folder().path(target)), folder().root)).toEqual(want);
    }
    expect(globFiles(folder().path('*.yaml'))).toEqual([folder().path('a.yaml')]);
    expect(globFiles(folder().path('a.yaml'))).toEqual([folder().path('a.yaml')]);
    writer.kill();
  });

  test('a socket in a folder, and links to devices, each with what it is', async () => {
    const server = createServer().listen(folder().path('a.yaml'));
    await once(server, 'listening');
    folder().add({ 'b.yaml': { link: '/dev/zero' }, 'c.yaml': { link: '/dev/null' }, 'd.yaml': 'x' });
    const hint = "not a file. Use the path of a file, or '-' for standard input.";
    const reported = refusal(() => readTree(folder().root), folder().root);
    server.close();
    expect(reported).toEqual([`a.yaml: this is a socket, ${hint}`, `b.yaml: this is a device, ${hint}`]);
  });

  test('no other things that are no manifests by their names', () => {
    execFileSync('mkfifo', [folder().path('pipe')]);
    folder().add({ 'a.yaml': 'x', zero: { link: '/dev/zero' } });
    expect(readTree(folder().root).map(({ text }) => text)).toEqual(['x']);
  });

  test('a file over 10 MiB, without reading it', () => {
    folder().add({ 'a.yaml': '' });
    truncateSync(folder().path('a.yaml'), 2 ** 40);
    expect(refusal(() => readTree(folder().root), folder().root)).toEqual([
      'a.yaml: the file has 1048576 MiB, and the limit is 10 MiB a file. Split it, or remove it.',
    ]);
  });

  test('more than 64 MiB in all, at the file that passes it', () => {
    for (let file = 0; file < 9; file++) {
      folder().add({ [`${file}.yaml`]: '' });
      truncateSync(folder().path(`${file}.yaml`), 10 * 2 ** 20);
    }
    expect(refusal(() => readTree(folder().root), folder().root)).toEqual([
      '6.yaml: with this file the manifests exceed 64 MiB, the limit of a run. Use a folder that has only the fleet.',
    ]);
  });

  test('a path in a folder that may not be listed', () => {
    folder().add({ 'a/b.yaml': '' });
    chmodSync(folder().path('a'), 0o111);
    expect(asNobody(folder(), "readTree(root + '/a/c.yaml')")).toMatch(/^a: permission denied\. /);
    chmodSync(folder().path('a'), 0o755);
  });

  test('files and folders that may not be read, all at once', () => {
    folder().add({ 'a.yaml': '', 'b/c.yaml': '', 'd/e.yaml': '', 'f.yaml': '' });
    chmodSync(folder().path('a.yaml'), 0);
    chmodSync(folder().path('b'), 0o111);
    chmodSync(folder().path('d'), 0o444);
    const denied = 'permission denied. Change its permissions, or run as a user who has them.';
    expect(asNobody(folder(), 'readTree(root)').split('\n')).toEqual([
      `a.yaml: ${denied}`,
      `b: ${denied}`,
      `d/e.yaml: ${denied}`,
    ]);
    chmodSync(folder().path('b'), 0o755);
    chmodSync(folder().path('d'), 0o755);
  });
});

const folderOfPipe = eachInFolder();
test('what comes from a pipe has its lock where it is read', () => {
  execFileSync('mkfifo', [folderOfPipe().path('pipe')]);
  folderOfPipe().add({ 'a.yaml': '' });
  const { root } = folderOfPipe();
  expect(['pipe', 'a.yaml', '.', 'none'].map((path) => relative(root, findDefaultLockPath(join(root, path))))).toEqual([
    relative(root, 'fleet.lock.yaml'),
    'fleet.lock.yaml',
    'fleet.lock.yaml',
    'none/fleet.lock.yaml',
  ]);
});

test('the pipe of a shell is read', () => {
  const script = "console.log(readTree('/dev/stdin')[0].text)";
  expect(inChild(folderOfPipe(), script, { piped: 'text' })).toBe('text');
});

describe('readFileIfThere', () => {
  const folder = eachInFolder();

  test('reads a file', () => {
    folder().add({ a: 'x' });
    expect(readTextFileIfExists(folder().path('a'))).toBe('x');
  });

  test('gives nothing where there is no file, nor a folder for it', () => {
    expect(readTextFileIfExists(folder().path('a'))).toBeUndefined();
    expect(readTextFileIfExists(folder().path('a/b'))).toBeUndefined();
  });

  test('refuses a folder', () => {
    folder().add({ a: null });
    const want = ['a: this is a folder, not a file. Name a file.'];
    expect(refusal(() => readTextFileIfExists(folder().path('a')), folder().root)).toEqual(want);
  });
});
