import { makeFolder } from '../../src/files/write-file';
import { eachInFolder, inChild, refusal, type Tree } from './build';

const folder = eachInFolder();

const made: Record<string, Tree> = {
  'a folder, and those above it': {},
  'what is missing of it': { a: null },
  'nothing where it is there': { 'a/b/c': null },
};

test.each(Object.entries(made))('makes %s', (_, before) => {
  folder().add(before);
  makeFolder(folder().path('a/b/c'));
  expect(folder().tree()).toEqual({ 'a/b/c': null });
});

const refused: Record<string, { before: Tree; want: string }> = {
  'a path that is a file': {
    before: { a: 'x' },
    want: 'a: this is a file, not a folder. Use another folder, or remove it.',
  },
  'a path through a file': {
    before: { a: { link: 'file/x' }, file: '' },
    want: 'a: a part of this path is a file, not a folder. Check the path.',
  },
};

test.each(Object.entries(refused))('refuses %s', (_, { before, want }) => {
  folder().add(before);
  expect(refusal(() => makeFolder(folder().path('a')), folder().root)).toEqual([want]);
  expect(folder().tree()).toEqual(before);
});

test('refuses a folder where the system makes none, instead of trying for ever', () => {
  const script = "writeOutput('/proc/fleet/out', new Map([['a.yaml', 'new']]))";
  expect(inChild(folder(), script)).toBe('/proc/fleet: the system does not allow folders here. Use another folder.');
});
