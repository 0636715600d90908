import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { withFolderLock } from '../../src/files/file-lock';
import { readOwnIdentity } from '../../src/files/process-identity';
import { writeOutput } from '../../src/files/write-output';
import { asNobody, eachInFolder, inChild, killAgainAndAgain, refusal, type Tree } from './build';

// Some rows start one process after the other, which other work on the machine may slow down.
jest.setTimeout(60_000);

interface Case {
  before: Tree;
  files?: string[];
  want: string[];
}

const OTHER = 'Use another folder, or remove them.';
const RENAME =
  'is not the path of a file in this folder. Rename the cluster or deployment that the path is named after.';
const inventory = (files: string[], version = 1): string => JSON.stringify({ version, files });
const RESTORE = 'this is not an inventory of written files. Restore it, or remove the folder and run again.';

const cases: Record<string, Case> = {
  'a folder that is a file': {
    before: { out: 'x' },
    want: ['out: this is a file, not a folder. Use another folder, or remove it.'],
  },
  'a folder below a file': {
    before: { out: { link: 'file/out' }, file: 'x' },
    want: ['out: a part of this path is a file, not a folder. Check the path.'],
  },
  'files of others where ours would go': {
    before: { 'out/us/a.yaml': 'theirs', 'out/README.md': '' },
    want: [`out: these files exist, and fleetwright did not write them: us/a.yaml. ${OTHER}`],
  },
  'many such files: the first few are named': {
    before: { 'out/a': '', 'out/b': '', 'out/c': '', 'out/d': '', 'out/e': '' },
    files: ['e', 'd', 'c', 'b', 'a', 'f'],
    want: [`out: these files exist, and fleetwright did not write them: a, b, c and 2 more. ${OTHER}`],
  },
  'files of others next to files of ours': {
    before: { 'out/a': 'ours', 'out/b': 'theirs', 'out/.fleetwright-inventory.json': inventory(['a']) },
    files: ['a', 'b'],
    want: [`out: these files exist, and fleetwright did not write them: b. ${OTHER}`],
  },
  'a folder of ours that is a link now': {
    before: { 'out/us': { link: '../far' }, far: null },
    want: [`out: these paths are symbolic links: us. ${OTHER}`],
  },
  'a file of ours that is a link now': {
    before: {
      'out/us/a.yaml': { link: '../../far' },
      far: '',
      'out/.fleetwright-inventory.json': inventory(['us/a.yaml']),
    },
    want: [`out: these paths are symbolic links: us/a.yaml. ${OTHER}`],
  },
  'a link on the way to a file that would be removed': {
    before: {
      'out/eu': { link: '../far' },
      'far/b.yaml': 'theirs',
      'out/.fleetwright-inventory.json': inventory(['eu/b.yaml']),
    },
    want: [`out: these paths are symbolic links: eu. ${OTHER}`],
  },
  'a file where a folder is needed, and the other way round': {
    before: { 'out/us': 'file', 'out/eu.yaml': null },
    files: ['us/a.yaml', 'us/b.yaml', 'eu.yaml'],
    want: [
      `out: these paths must be files, and are folders: eu.yaml. ${OTHER}`,
      `out: these paths must be folders, and are files: us. ${OTHER}`,
    ],
  },
  'an inventory of another version': {
    before: { 'out/.fleetwright-inventory.json': inventory([], 2) },
    want: [
      'out/.fleetwright-inventory.json: the inventory has version 2, and this release reads version 1. Use the release that wrote it, or remove the folder and run again.',
    ],
  },
  'an inventory that is cut off': {
    before: { 'out/.fleetwright-inventory.json': '{"version": 1, "fi' },
    want: [`out/.fleetwright-inventory.json: ${RESTORE}`],
  },
  'an inventory that is no object': {
    before: { 'out/.fleetwright-inventory.json': 'null' },
    want: [`out/.fleetwright-inventory.json: ${RESTORE}`],
  },
  'an inventory of something else than paths': {
    before: { 'out/.fleetwright-inventory.json': '{"version": 1, "files": [1]}' },
    want: [`out/.fleetwright-inventory.json: ${RESTORE}`],
  },
  'an inventory that leads out of the folder': {
    before: { 'out/.fleetwright-inventory.json': inventory(['../precious']), precious: 'x' },
    want: [`out/.fleetwright-inventory.json: ${RESTORE}`],
  },
  'an inventory that is a folder': {
    before: { 'out/.fleetwright-inventory.json/x': '' },
    want: ['out/.fleetwright-inventory.json: this is a folder, not a file. Name a file.'],
  },
  'paths that lead out of the folder, or are not plain': {
    before: {},
    files: ['../x', '/x', 'a/../../x', './a', 'a//b', 'a\\b', '', 'a/', 'good'],
    want: ['../x', './a', '', '/x', 'a/../../x', 'a/', 'a//b', 'a\\b'].map((path) => `out: '${path}' ${RENAME}`),
  },
  'paths of our own bookkeeping': {
    before: {},
    files: ['.fleetwright-inventory.json', '.fleetwright-run.lock'],
    want: ['.fleetwright-inventory.json', '.fleetwright-run.lock'].map((path) => `out: '${path}' ${RENAME}`),
  },
  'a path that is a file and a folder': {
    before: {},
    files: ['a', 'a/b'],
    want: [`out: 'a/b' ${RENAME}`],
  },
  'a run that another one is in the middle of': {
    before: { 'out/.fleetwright-run.lock': `${process.pid} ${hostname()}\n` },
    want: [
      `out: another run (process ${process.pid} on ${hostname()}) is writing to this folder. Wait until it ends. If it was killed, run again after 120 seconds, or remove out/.fleetwright-run.lock.`,
    ],
  },
  'a run on another machine, of which no one here can tell': {
    before: { 'out/.fleetwright-run.lock': '99999999 elsewhere\n' },
    want: [
      'out: another run (process 99999999 on elsewhere) is writing to this folder. Wait until it ends. If it was killed, run again after 120 seconds, or remove out/.fleetwright-run.lock.',
    ],
  },
  'a run that another one starts at the same moment': {
    before: { 'out/.fleetwright-run.lock': '' },
    want: [
      'out: another run is writing to this folder. Wait until it ends. If it was killed, run again after 120 seconds, or remove out/.fleetwright-run.lock.',
    ],
  },
};

const folder = eachInFolder();
const write = (files: string[]) =>
  writeOutput(folder().path('out'), new Map(files.map((path) => [path, `new ${path}`])));

describe('writeOutput refuses, and changes nothing:', () => {
  test.each(Object.entries(cases))('%s', (_, { before, files = ['us/a.yaml'], want }) => {
    folder().add(before);
    expect(refusal(() => write(files), folder().root)).toEqual(want);
    expect(folder().tree()).toEqual(before);
  });

  test('a folder that may not be written', () => {
    folder().add({ 'out/a.yaml': 'old' });
    chmodSync(folder().path('out'), 0o555);
    const said = asNobody(folder(), "writeOutput(root + '/out', new Map([['a.yaml', 'new']]))");
    expect(said).toBe('out: permission denied. Change its permissions, or run as a user who has them.');
    expect(folder().tree()).toEqual({ 'out/a.yaml': 'old' });
  });

  test('a second run inside the first, and lets the next one in', () => {
    folder().add({ out: null });
    const inside = withFolderLock(folder().path('out'), () => refusal(() => write(['a']), folder().root));
    expect(inside[0]).toMatch(/^out: another run \(process \d+ on .+\) is writing to this folder\./);
    expect(write(['a']).written).toEqual(['a']);
  });
});

const writeOld = () =>
  writeOutput(
    folder().path('out'),
    new Map([
      ['gone.yaml', 'old'],
      ['b.yaml', 'old'],
    ]),
  );

test('a run that was killed on this machine is taken over', () => {
  folder().add({ 'out/.fleetwright-run.lock': `99999999 ${hostname()} 1 ${readOwnIdentity().space} 1\n` });
  expect(write(['a']).written).toEqual(['a']);
  expect(Object.keys(folder().tree()).some((path) => path.includes('run.lock'))).toBe(false);
});

describe('a run that dies half way', () => {
  test('changes nothing where one file cannot be written, and the next one finishes', () => {
    writeOld();
    const before = folder().tree();
    const script =
      "writeOutput(root + '/out', new Map([['a/a.yaml', 'new'], ['b.yaml', 'x'.repeat(1e6)], ['c.yaml', 'new']]))";
    const said = inChild(folder(), script, { limit: '8' });
    expect(said).toBe('out/b.yaml: the file is larger than the system allows. Raise the file size limit.');
    expect(folder().tree()).toEqual(before);
    expect(write(['a/a.yaml', 'b.yaml'])).toEqual({
      written: ['a/a.yaml', 'b.yaml'],
      removed: ['gone.yaml'],
      unchanged: [],
    });
  });

  test('between two files keeps both whole and known, and the next one finishes', () => {
    writeOutput(
      folder().path('out'),
      new Map([
        ['b/b.yaml', 'old'],
        ['gone.yaml', 'old'],
      ]),
    );
    const open = (mode: number) => {
      for (const path of ['out', 'out/b']) chmodSync(folder().path(path), path === 'out' ? 0o777 : mode);
      for (const path of ['out/.fleetwright-inventory.json', 'out/b/b.yaml']) chmodSync(folder().path(path), 0o666);
    };
    open(0o555);
    const script = "writeOutput(root + '/out', new Map([['a.yaml', 'new'], ['b/b.yaml', 'new'], ['c.yaml', 'new']]))";
    expect(asNobody(folder(), script)).toMatch(/^out\/b\/b.yaml: permission denied\. /);
    expect(folder().tree()).toEqual({
      'out/.fleetwright-inventory.json': expect.stringContaining(
        '"a.yaml",\n    "b/b.yaml",\n    "c.yaml",\n    "gone.yaml"\n',
      ) as string,
      'out/a.yaml': 'new',
      'out/b/b.yaml': 'old',
      'out/gone.yaml': 'old',
    });
    open(0o777);
    expect(write(['b/b.yaml'])).toEqual({
      written: ['b/b.yaml'],
      removed: ['a.yaml', 'gone.yaml'],
      unchanged: [],
    });
  });

  test('leaves nothing that the next one does not clear away', async () => {
    folder().add({ 'out/theirs': 'x' });
    await killAgainAndAgain(
      folder(),
      6,
      `const tree = (turn) => new Map(['a', 'b', 'c', 'd'].map((name) => [(turn % 2 ? name : 'x') + '/' + name, name.repeat(5e5)]));
       require('node:fs').rmSync(root + '/out/.fleetwright-run.lock', { force: true });
       console.log('go');
       for (let turn = 0; ; turn++) writeOutput(root + '/out', tree(turn));`,
    );
    folder().drop('out/.fleetwright-run.lock');
    write(['last']);
    expect(folder().tree()).toEqual({
      'out/.fleetwright-inventory.json': '{\n  "version": 1,\n  "files": [\n    "last"\n  ]\n}\n',
      'out/last': 'new last',
      'out/theirs': 'x',
    });
  });
});
