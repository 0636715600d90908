import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, utimesSync } from 'node:fs';
import { writeFileAtomic } from '../../src/files/write-file';
import { asNobody, eachInFolder, inChild, killAgainAndAgain, refusal, type Tree } from './build';

// Some rows start one process after the other, which other work on the machine may slow down.
jest.setTimeout(60_000);

const folder = eachInFolder();
const write = (path: string, text: string): boolean => writeFileAtomic(folder().path(path), text);

interface Case {
  before: Tree;
  path: string;
  want: Tree;
}

const writes: Record<string, Case> = {
  'a new file': { before: {}, path: 'a', want: { a: 'new' } },
  'over an old file, shorter or longer': { before: { a: 'old and longer' }, path: 'a', want: { a: 'new' } },
  'over an old file of the same length': { before: { a: 'old' }, path: 'a', want: { a: 'new' } },
  'through a link, which stays': {
    before: { a: { link: 'x/b' }, 'x/b': 'old' },
    path: 'a',
    want: { a: { link: 'x/b' }, 'x/b': 'new' },
  },
  'through links to links, each from its own folder': {
    before: { a: { link: 'x/b' }, 'x/b': { link: '../y/c' }, 'y/c': 'old' },
    path: 'a',
    want: { a: { link: 'x/b' }, 'x/b': { link: '../y/c' }, 'y/c': 'new' },
  },
  'through a link to a file that is not there yet': {
    before: { a: { link: 'x/b' }, x: null },
    path: 'a',
    want: { a: { link: 'x/b' }, 'x/b': 'new' },
  },
  'through a folder that is a link, to a file that is not there yet': {
    before: { far: { link: 'x/y' }, 'x/y/a': { link: '../b' } },
    path: 'far/a',
    want: { far: { link: 'x/y' }, 'x/b': 'new', 'x/y/a': { link: '../b' } },
  },
};

describe('writeFileAtomic writes', () => {
  test.each(Object.entries(writes))('%s', (_, { before, path, want }) => {
    folder().add(before);
    expect(write(path, 'new')).toBe(true);
    expect(folder().tree()).toEqual(want);
  });

  test('nothing if the file has the content: its time stays', () => {
    folder().add({ a: 'é' });
    utimesSync(folder().path('a'), 1, 1);
    expect(write('a', 'é')).toBe(false);
    expect(statSync(folder().path('a')).mtimeMs).toBe(1000);
  });

  test.each([0o600, 0o664, 0o755])('with the permissions of the old file: %o', (mode) => {
    folder().add({ a: 'old' });
    chmodSync(folder().path('a'), mode);
    write('a', 'new');
    expect(statSync(folder().path('a')).mode & 0o777).toBe(mode);
  });

  test('a new file with the permissions that the system gives new files', () => {
    folder().add({ plain: '' });
    write('a', 'new');
    expect(statSync(folder().path('a')).mode).toBe(statSync(folder().path('plain')).mode);
  });
});

const refusals: Record<string, { before: Tree; path: string; want: string }> = {
  'a folder in place of the file': {
    before: { a: null },
    path: 'a',
    want: 'a: this is a folder or a device, not a file. Name a file.',
  },
  'a folder that is not there': {
    before: {},
    path: 'x/a',
    want: 'x/a: there is no such file or folder. Check the path.',
  },
  'a file in place of the folder': {
    before: { x: 'old' },
    path: 'x/a',
    want: 'x/a: a part of this path is a file, not a folder. Check the path.',
  },
  'links that lead in a circle': {
    before: { a: { link: 'b' }, b: { link: 'a' } },
    path: 'a',
    want: 'a: its symbolic links form a loop. Fix the links.',
  },
};

describe('writeFileAtomic refuses, and changes nothing:', () => {
  test.each(Object.entries(refusals))('%s', (_, { before, path, want }) => {
    folder().add(before);
    expect(refusal(() => write(path, 'new'), folder().root)).toEqual([want]);
    expect(folder().tree()).toEqual(before);
  });

  test('a pipe, or whatever else is no file', () => {
    execFileSync('mkfifo', [folder().path('a')]);
    const want = ['a: this is a folder or a device, not a file. Name a file.'];
    expect(refusal(() => write('a', 'new'), folder().root)).toEqual(want);
    expect(statSync(folder().path('a')).isFIFO()).toBe(true);
  });

  test('a folder that may not be written', () => {
    folder().add({ a: 'old' });
    chmodSync(folder().path('a'), 0o666);
    const said = asNobody(folder(), `writeFileAtomic(root + '/a', 'new')`);
    expect(said).toMatch(/^a: permission denied\. /);
    expect(folder().tree()).toEqual({ a: 'old' });
  });
});

describe('a write that dies half way leaves the old file whole', () => {
  test('when the system takes no more, and nothing stays behind', () => {
    folder().add({ a: 'old' });
    const said = inChild(folder(), "writeFileAtomic(root + '/a', 'x'.repeat(1e6))", { limit: '8' });
    expect(said).toBe('a: the file is larger than the system allows. Raise the file size limit.');
    expect(folder().tree()).toEqual({ a: 'old' });
  });

  test('when the process is killed', async () => {
    folder().add({ a: 'x'.repeat(2e6) });
    await killAgainAndAgain(
      folder(),
      6,
      `console.log('go');
       for (let turn = 0; ; turn++) writeFileAtomic(root + '/a', (turn % 2 ? 'x' : 'y').repeat(2e6));`,
    );
    expect(folder().tree()['a']).toMatch(/^(x{2000000}|y{2000000})$/);
  });
});
