import { chmodSync, statSync, utimesSync } from 'node:fs';
import * as fc from 'fast-check';
import { disturb } from '../attack/fs-faults.cjs';
import { FleetwrightError } from '../../src/base/errors';
import { type OutputResult, writeOutput } from '../../src/files/write-output';
import { eachInFolder, Folder, type Tree } from './build';

const folder = eachInFolder();
const write = (files: Record<string, string>): OutputResult =>
  writeOutput(folder().path('out'), new Map(Object.entries(files)));

const INVENTORY = 'out/.fleetwright-inventory.json';

describe('writeOutput', () => {
  test('makes the folder, and lists what it wrote, a path a line', () => {
    expect(write({ 'us/b.yaml': 'b', 'us/a.yaml': 'a', 'c.yaml': 'c' })).toEqual({
      written: ['c.yaml', 'us/a.yaml', 'us/b.yaml'],
      removed: [],
      unchanged: [],
    });
    expect(folder().tree()).toEqual({
      [INVENTORY]: '{\n  "version": 1,\n  "files": [\n    "c.yaml",\n    "us/a.yaml",\n    "us/b.yaml"\n  ]\n}\n',
      'out/c.yaml': 'c',
      'out/us/a.yaml': 'a',
      'out/us/b.yaml': 'b',
    });
  });

  test('says where it is for an error of the file system at any of its changes', () => {
    const root = folder().path('out');
    const write = (text: string) => writeOutput(root, new Map([['us/a.yaml', text]]));
    write('0');
    const count = disturb({ folder: root, at: 0, action: 'count' });
    write('1');
    const changes = count();
    for (let at = 1; at <= changes.length; at++) {
      const folderOfRun = folder().path(`out-${at}`);
      writeOutput(folderOfRun, new Map([['us/a.yaml', '0']]));
      const end = disturb({ folder: folderOfRun, at, action: 'fail', code: 'EIO' });
      let error: unknown;
      try {
        writeOutput(folderOfRun, new Map([['us/a.yaml', '1']]));
      } catch (caught) {
        error = caught;
      } finally {
        end();
      }
      expect(error === undefined || error instanceof FleetwrightError || `change ${at}: ${String(error)}`).toBe(true);
    }
    expect(changes.length).toBeGreaterThan(10);
  });

  test('writes nothing the second time: not even the inventory', () => {
    const files = { 'us/a.yaml': 'a', 'b.yaml': 'b' };
    write(files);
    const paths = [INVENTORY, 'out/us/a.yaml', 'out/b.yaml'].map((path) => folder().path(path));
    for (const path of paths) utimesSync(path, 1, 1);
    expect(write(files)).toEqual({ written: [], removed: [], unchanged: ['b.yaml', 'us/a.yaml'] });
    expect(paths.map((path) => statSync(path).mtimeMs)).toEqual([1000, 1000, 1000]);
  });

  test('writes what changed, and removes what is gone with the folders that this leaves empty', () => {
    write({ 'a/b/c.yaml': '1', 'a/b/d/e.yaml': '1', 'x/y.yaml': '1', 'z.yaml': '1' });
    expect(write({ 'x/y.yaml': '2', 'z.yaml': '1', 'x/new.yaml': '1' })).toEqual({
      written: ['x/new.yaml', 'x/y.yaml'],
      removed: ['a/b/c.yaml', 'a/b/d/e.yaml'],
      unchanged: ['z.yaml'],
    });
    expect(folder().tree()).toEqual({
      [INVENTORY]: expect.stringContaining('"x/new.yaml",\n    "x/y.yaml",\n    "z.yaml"\n  ]') as string,
      'out/x/new.yaml': '1',
      'out/x/y.yaml': '2',
      'out/z.yaml': '1',
    });
  });

  test('leaves the files and empty folders of others alone', () => {
    const theirs: Tree = {
      'out/README.md': 'x',
      'out/us/theirs.yaml': 'x',
      'out/empty': null,
      'out/us/l': { link: '/nowhere' },
    };
    folder().add(theirs);
    write({ 'us/a.yaml': 'a', 'eu/a.yaml': 'a' });
    write({});
    expect(folder().tree()).toEqual({ ...theirs, [INVENTORY]: '{\n  "version": 1,\n  "files": []\n}\n' });
  });

  test('does not count as removed what is gone already, nor removes a folder that took its place', () => {
    write({ 'a.yaml': 'a', 'b.yaml': 'b', 'x/c.yaml': 'c', 'x/d.yaml': 'd' });
    folder().drop('out/a.yaml').drop('out/b.yaml').drop('out/x').add({ 'out/b.yaml': null, 'out/x': 'a file now' });
    expect(write({})).toEqual({ written: [], removed: [], unchanged: [] });
    expect(folder().tree()).toMatchObject({ 'out/b.yaml': null, 'out/x': 'a file now' });
  });

  test('writes again what a user removed or changed', () => {
    write({ 'a.yaml': 'a', 'b.yaml': 'b' });
    folder().drop('out/a.yaml').add({ 'out/b.yaml': 'edited' });
    expect(write({ 'a.yaml': 'a', 'b.yaml': 'b' }).written).toEqual(['a.yaml', 'b.yaml']);
  });

  test('writes through a link that is the folder itself', () => {
    folder().add({ real: null, out: { link: 'real' } });
    write({ 'a.yaml': 'a' });
    expect(folder().tree()).toMatchObject({ out: { link: 'real' }, 'real/a.yaml': 'a' });
  });

  test('keeps the permissions of files that it changes', () => {
    write({ 'a.yaml': '1' });
    chmodSync(folder().path('out/a.yaml'), 0o640);
    write({ 'a.yaml': '2' });
    expect(statSync(folder().path('out/a.yaml')).mode & 0o777).toBe(0o640);
  });

  test('after any history the folder holds the last tree, and the files of others', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const path = fc.tuple(name, name, name).map(([a, b, c]) => `${a}/${b}/${c}.yaml`);
    const trees = fc.array(fc.dictionary(path, name, { maxKeys: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(trees, (history) => {
        const own = new Folder().add({ 'a/b/theirs': 'x' });
        const all = history.map((files) => writeOutput(own.root, new Map(Object.entries(files))));
        const last = history.at(-1)!;
        expect(own.tree()).toEqual({
          ...last,
          'a/b/theirs': 'x',
          [INVENTORY.slice(4)]: expect.any(String) as string,
        });
        const { written, unchanged } = all.at(-1)!;
        expect([...written, ...unchanged].sort()).toEqual(Object.keys(last).sort());
        own.remove();
      }),
      { numRuns: 40 },
    );
  });
});
