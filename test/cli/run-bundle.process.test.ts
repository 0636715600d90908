import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Folder } from '../files/build';

const RUNNER = resolve('src/cli/run-bundle.cjs');
const BUNDLE = "exports.greet = (name) => 'hello ' + name;\n";

const folder = new Folder();
const bundle = folder.path('bundle.js');
const kept = folder.path('kept/bundle.code');

/** What `code` prints, where `bundle` is what the bundle exports. */
function run(code = "console.log(bundle.greet('fleet'))", file: string | null = kept, options = '{}'): string {
  const main = `const bundle = require(${JSON.stringify(RUNNER)}).runBundle(${JSON.stringify(bundle)}, ${JSON.stringify(file)}, ${options});${code}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', main], { encoding: 'utf8' });
  return stdout + stderr;
}

beforeEach(() => {
  folder.drop('kept');
  writeFileSync(bundle, BUNDLE);
});

afterAll(() => folder.remove());

test('a run without a file of code gives what the bundle exports, and keeps nothing', () => {
  expect(run(undefined, null)).toBe('hello fleet\n');
  expect(readdirSync(folder.root)).toEqual(['bundle.js']);
});

test('the first run keeps the code, and the next one uses it as it is', () => {
  expect(run()).toBe('hello fleet\n');
  const code = readFileSync(kept);
  const modified = folder.modified('kept/bundle.code');
  expect(run()).toBe('hello fleet\n');
  expect(readFileSync(kept).equals(code)).toBe(true);
  expect(folder.modified('kept/bundle.code')).toBe(modified);
  expect(readdirSync(folder.path('kept'))).toEqual(['bundle.code']);
});

test.each([
  ['of another bundle', () => writeFileSync(bundle, `${BUNDLE}exports.more = 1;\n`)],
  ['that is cut off', () => writeFileSync(kept, readFileSync(kept).subarray(0, 100))],
  ['that is empty', () => writeFileSync(kept, '')],
])('code %s is refused, and replaced', (_, change) => {
  run();
  change();
  const refused = readFileSync(kept);
  expect(run()).toBe('hello fleet\n');
  expect(readFileSync(kept).equals(refused)).toBe(false);
});

test('code of yesterday is kept anew, with the functions that were used since then', () => {
  writeFileSync(bundle, `${BUNDLE}exports.part = (name) => 'goodbye ' + name;\n`);
  run();
  const first = readFileSync(kept);
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(kept, yesterday, yesterday);
  expect(run("console.log(bundle.part('fleet'))")).toBe('goodbye fleet\n');
  expect(readFileSync(kept).length).toBeGreaterThan(first.length);
});

test('the code of a run is kept where its exit code says that it is whole', () => {
  const options = '{ keepsAfter: (exitCode) => exitCode !== 1 }';
  run('process.exitCode = 1', kept, options);
  expect(readdirSync(folder.root)).toEqual(['bundle.js']);
  run('process.exitCode = 3', kept, options);
  expect(readdirSync(folder.path('kept'))).toEqual(['bundle.code']);
});

test('a folder that cannot be written changes no result', () => {
  writeFileSync(folder.path('kept'), 'a file');
  expect(run()).toBe('hello fleet\n');
});

test('a bundle that is loaded again by its path is the same module', () => {
  expect(run(`console.log(require(${JSON.stringify(bundle)}) === bundle)`)).toBe('true\n');
});

test('code that has not been written for a month is removed when other code is kept', () => {
  folder.add({ 'kept/old.code': 'old', 'kept/new.code': 'new' });
  const longAgo = Date.now() / 1000 - 40 * 24 * 60 * 60;
  utimesSync(join(folder.root, 'kept/old.code'), longAgo, longAgo);
  run();
  expect(readdirSync(folder.path('kept'))).toEqual(['bundle.code', 'new.code']);
});
