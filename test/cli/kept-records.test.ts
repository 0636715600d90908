import { readFileSync } from 'node:fs';
import { createRecords, findRecords } from '../../src/cli/kept-records';
import { eachInFolder } from '../files/build';

const folder = eachInFolder();

const recordOf = (code = 'one', subject = 'out') => createRecords(folder().path('kept'), () => code)('synth', subject);

/** The path of the only record. */
function only(): string {
  const [path, ...more] = Object.keys(folder().tree('kept'));
  expect(more).toEqual([]);
  return path ?? '';
}

test('a record is read as it was kept, and not by another subject', () => {
  expect(recordOf().read()).toBeUndefined();
  recordOf().keep('["a"]\nb\n');
  expect(recordOf().read()).toBe('["a"]\nb\n');
  expect(recordOf('one', 'other').read()).toBeUndefined();
  recordOf().keep('c');
  expect(recordOf().read()).toBe('c');
  expect(only()).toMatch(/^kept\/synth-[\da-f]{16}\.record$/);
});

test('a record that other code kept is not there, and is replaced', () => {
  recordOf('one').keep('a');
  expect(recordOf('two').read()).toBeUndefined();
  recordOf('two').keep('b');
  expect(recordOf('two').read()).toBe('b');
  expect(recordOf('one').read()).toBeUndefined();
  only();
});

test.each<[string, (text: string) => string | null]>([
  ['with another text', (text) => text.replace('a: 1', 'a: 2')],
  ['that is cut off', (text) => text.slice(0, -1)],
  ['that goes on', (text) => `${text} `],
  ['without its first line', (text) => text.slice(text.indexOf('\n') + 1)],
  ['without anything', () => ''],
  ['that is a folder', () => null],
])('a record %s is not there', (_, damaged) => {
  recordOf().keep('a: 1');
  const text = readFileSync(folder().path(only()), 'utf8');
  const path = only();
  folder()
    .drop(path)
    .add({ [path]: damaged(text) });
  expect(recordOf().read()).toBeUndefined();
});

test('a folder that cannot be written fails no run', () => {
  folder().add({ kept: 'a file' });
  recordOf().keep('a');
  expect(recordOf().read()).toBeUndefined();
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['the folder of the user', { HOME: 'home' }, 'home/.cache/fleetwright'],
  ['the folder for caches that is set', { HOME: 'home', XDG_CACHE_HOME: 'cache' }, 'cache/fleetwright'],
  ['no folder, if nothing is to be kept', { HOME: 'home', NODE_DISABLE_COMPILE_CACHE: '1' }, undefined],
  ['no folder without a home', {}, undefined],
])('records are in %s', (_, variables, want) => {
  folder().add({ 'dist/fleetwright.js': 'code' });
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value === '1' ? value : folder().path(value)]),
  );
  findRecords(env, folder().path('dist/fleetwright.js'))?.('synth', 'out').keep('a');
  const paths = Object.keys(folder().tree()).map((path) => path.replace(/\/[^/]*$/, ''));
  expect(paths.filter((path) => path !== 'dist')).toEqual(want === undefined ? [] : [want]);
});

test('a bundle of other code reads no record of this one, and sources keep none', () => {
  const env = { HOME: folder().path('home') };
  const records = (path: string) => findRecords(env, folder().path(path))?.('synth', 'out');
  folder().add({ 'fleetwright.js': 'one', 'main.ts': 'one' });
  records('fleetwright.js')?.keep('a');
  expect(records('fleetwright.js')?.read()).toBe('a');
  folder().drop('fleetwright.js').add({ 'fleetwright.js': 'two' });
  expect(records('fleetwright.js')?.read()).toBeUndefined();
  expect(records('main.ts')).toBeUndefined();
});
