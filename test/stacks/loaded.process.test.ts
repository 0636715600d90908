import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the sources of the layer import of providers. */
function imported(): string[] {
  const files = readdirSync('stacks', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(join('stacks', file), 'utf8'));
  const from = /^import (?!type).* from '(@pulumi\/(?:kubernetes|aws|gcp|azure-native)[^']*)'/gm;
  return texts.flatMap((text) => [...text.matchAll(from)].map(([, name]) => name!)).toSorted();
}

/** What every class of a provider needs. */
const COMMON: ReadonlySet<string> = new Set([
  'aws/utilities',
  'azure-native/types/enums/index',
  'azure-native/types/input',
  'azure-native/utilities',
  'gcp/utilities',
  'kubernetes/path',
  'kubernetes/types/enums/index',
  'kubernetes/types/input',
  'kubernetes/utilities',
]);

/** The files of providers that some modules load. */
function loaded(modules: readonly string[]): string[] {
  const files = filesOf(modules);
  return files
    .flatMap((file) => /@pulumi\/((?:kubernetes|aws|gcp|azure-native)\/.*)\.js$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** The files that some modules load, in a process of its own. */
function filesOf(modules: readonly string[]): string[] {
  const script = `${JSON.stringify(modules)}.forEach((one) => require(one)); console.log(Object.keys(require.cache).join('\\n'))`;
  const args = ['-r', './scripts/typescript-hook.cjs', '-e', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n');
}

test('components load the classes of providers that they use, and what those need', () => {
  const own = imported().map((name) => name.replace('@pulumi/', ''));
  const all = loaded(imported());
  expect(all.filter((file) => !own.includes(file) && !COMMON.has(file))).toEqual([]);
  expect(all).toEqual(expect.arrayContaining(own));
}, 60_000);

test('fleetwright/stacks loads no provider of a cloud before a cluster is made there', () => {
  expect(loaded(['./stacks/index.ts']).filter((file) => !file.startsWith('kubernetes/'))).toEqual([]);
}, 60_000);

test('fleetwright/stacks does not load the YAML library before it reads a kubeconfig or a manifest that needs it', () => {
  expect(filesOf(['./stacks/index.ts']).filter((file) => /node_modules\/yaml\//.test(file))).toEqual([]);
}, 60_000);

/** What a program prints that starts as the one of Pulumi.yaml does. */
function printedByProgram(code: string): string {
  const script = `require('./stacks/setup-main.ts'); const pulumi = require('@pulumi/pulumi'); ${code}`;
  return execFileSync(process.execPath, ['-r', './scripts/typescript-hook.cjs', '-e', script], { encoding: 'utf8' });
}

test('the program of Pulumi.yaml does not load what the SDK uses only to serialize functions', () => {
  const files = printedByProgram(`console.log(Object.keys(require.cache).join('\\n'))`).split('\n');
  expect(files.filter((file) => /node_modules\/pacote\//.test(file))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(@npmcli\/arborist|typescript)\//.test(file))).toHaveLength(2);
}, 60_000);

test('the SDK serializes a function with what the program of Pulumi.yaml loads later', () => {
  const code = `pulumi.runtime.serializeFunction(() => 1).then(({ text }) => console.log(text))`;
  expect(printedByProgram(code)).toContain('return () => 1');
}, 60_000);
