import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

/** The layers of `src`, in order: a file imports its own layer and those before it, types included. */
const LAYERS = [
  'base',
  'cel',
  'catalog',
  'api',
  'manifest',
  'fleet',
  'sizing',
  'engine',
  'scheduler',
  'replicas',
  'routing',
  'provision',
  'render',
  'cost',
  'snapshot',
  'plan',
  'diff',
  'analyze',
  'files',
  'live',
  'report',
  'cli',
];

/** The packages that the files of a folder may import. The first folder that holds a file decides. */
const PACKAGES: Record<string, RegExp> = {
  'src/cli': /^(node:|commander$|picocolors$|fleetwright\/package\.json$)/,
  // All that uses the network.
  'src/live/client': /^(node:|yaml$|zod$)/,
  'src/live/smoke': /^node:/,
  'src/files': /^node:(fs|path|os|crypto)$/,
  'src/cel': /^(node:(crypto|path)$|cel-js$|re2js$)/,
  src: /^(node:(crypto|path)$|yaml$|zod$)/,
  constructs: /^(cdk8s|constructs$)/,
  // The program of Pulumi.yaml owns its process, and with it the heap and what is loaded.
  'stacks/main.ts': /^(node:v8|@pulumi\/pulumi)$/,
  'stacks/setup-main.ts': /^node:module$/,
  // The indexes of providers take long to load: their classes have files of their own.
  stacks: /^(constructs$|@pulumi\/pulumi$|@pulumi\/(kubernetes|gcp|aws|azure-native)\/)/,
};

/** The folders that each top-level folder may import besides itself. */
const FOLDERS: Record<string, RegExp> = {
  src: /^src\//,
  constructs: /^(src\/(?!cli\/|live\/)|constructs\/)/,
  stacks: /^(src\/(?!cli\/)|constructs\/|stacks\/)/,
};

test.each(['src', 'constructs', 'stacks'])('%s imports only what it may', (folder) => {
  expect(sourcesOf(folder).flatMap((file) => violationsIn(file))).toEqual([]);
});

test('every file of src belongs to a layer', () => {
  expect(sourcesOf('src').filter((file) => layerOf(file) < 0)).toEqual([]);
});

test.each([
  ['src/scheduler/x.ts', "import { App } from 'cdk8s';"],
  ['src/scheduler/x.ts', "import * as pulumi from '@pulumi/pulumi';"],
  ['src/scheduler/x.ts', "import { readFileSync } from 'node:fs';"],
  ['src/scheduler/x.ts', "import { readTree } from '../files/read-tree';"],
  ['src/scheduler/x.ts', "import type { Plan } from '../plan/plan';"],
  ['src/scheduler/x.ts', "const fs = require('fs');"],
  ['src/scheduler/x.ts', "export * from 'cel-js';"],
  ['src/scheduler/x.ts', "await import('../../stacks/gke');"],
  ['src/base/x.ts', "import type { Fleet } from '../fleet/fleet';"],
  ['src/files/x.ts', "import { listObjects } from '../live/client/list-objects';"],
  ['src/live/status/x.ts', "import { request } from 'node:https';"],
  ['src/live/client/x.ts', "import { run } from '../../cli/run';"],
  ['src/report/x.ts', "import { run } from '../cli/run';"],
  ['constructs/x.ts', "import { listObjects } from '../src/live/client/list-objects';"],
  ['constructs/x.ts', "import { Gke } from '../stacks/gke';"],
  ['stacks/x.ts', "import * as k8s from '@pulumi/kubernetes';"],
  ['stacks/x.ts', "import { run } from '../src/cli/run';"],
])('%s may not say %s', (file, text) => {
  expect(violationsIn(file, text)).toHaveLength(1);
});

test('no file of src imports itself by way of others, types included', () => {
  const files = new Set(sourcesOf('src'));
  const imported = new Map([...files].map((file) => [file, ownImports(file, files)]));
  expect(cyclesIn(imported)).toEqual([]);
});

test.each([
  ['two files', { a: ['b'], b: ['a'] }, ['a -> b -> a']],
  ['three files', { a: ['b'], b: ['c'], c: ['a'], d: ['a'] }, ['a -> b -> c -> a']],
  ['a diamond is none', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
])('a cycle is found: %s', (_, graph, want) => {
  expect(cyclesIn(new Map(Object.entries(graph)))).toEqual(want);
});

test('src has no clock and no randomness', () => {
  const forbidden = /\bDate\.now\(|\bnew Date\(|\bMath\.random\(|\brandomUUID\(|\bperformance\.now\(/;
  const found = sourcesOf('src').filter((file) => forbidden.test(readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});

function sourcesOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
}

/** The place of the layer of a file. The public entry is above all layers. */
function layerOf(file: string): number {
  if (file === 'src/index.ts') return LAYERS.length;
  return LAYERS.indexOf(file.split('/')[1] ?? '');
}

function violationsIn(file: string, text?: string): string[] {
  const [, packages] = Object.entries(PACKAGES).find(([folder]) => `${file}/`.startsWith(`${folder}/`))!;
  const folders = FOLDERS[file.split('/')[0]!]!;
  return importsOf(file, text ?? readFileSync(file, 'utf8'))
    .filter((name) => !(isOwn(name) ? folders.test(name) && isEarlier(name, file) : packages.test(name)))
    .map((name) => `${file} imports ${name}`);
}

function isOwn(name: string): boolean {
  return /^(src|constructs|stacks)\//.test(name);
}

function isEarlier(name: string, file: string): boolean {
  return !file.startsWith('src/') || layerOf(`${name}.ts`) <= layerOf(file);
}

/** The modules that a file imports in any form; files of the repository as paths from its root. */
function importsOf(file: string, source: string): string[] {
  const forms = /(?:^(?:import|export)\s(?:[\w*{},\s]*?\sfrom\s)?|\brequire\(|\bimport\()'([^']+)'/gm;
  return [...source.matchAll(forms)].map(([, name]) => {
    return name!.startsWith('.') ? normalize(join(file, '..', name!)) : name!;
  });
}

function ownImports(file: string, files: ReadonlySet<string>): string[] {
  const names = importsOf(file, readFileSync(file, 'utf8')).map((name) => `${name}.ts`);
  return [...new Set(names)].filter((name) => files.has(name));
}

/** One cycle for each way back that a walk over the graph meets. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of [...graph.keys()].sort()) walk(file, []);
  return found;
}
