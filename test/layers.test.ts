import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

/** What the files of a folder may import: folders of ours, then packages. The first folder that holds a file decides. */
const allowed: Record<string, RegExp> = {
  'src/cli': /^(src\/|node:|commander$|picocolors$|fleetwright\/package\.json$)/,
  // All that goes over the network.
  'src/live': /^(src\/(?!cli)|node:|yaml$|zod$)/,
  'src/report': /^(src\/(?!cli)|node:|yaml$|zod$)/,
  'src/files': /^(src\/(?!cli|live)|node:(fs|path|os|crypto)$)/,
  'src/cel': /^(src\/(?!cli|files|live)|cel-js$|re2js$)/,
  src: /^(src\/(?!cli|files|live)|node:(crypto|path)$|yaml$|zod$)/,
  constructs: /^(src\/(?!cli|live)|constructs\/|cdk8s|constructs$)/,
  // The indexes of providers take long to load: their classes have files of their own.
  stacks:
    /^(src\/(?!cli)|constructs\/|stacks\/|constructs$|@pulumi\/pulumi$|@pulumi\/(kubernetes|gcp|aws)\/)/,
};

test.each(['src', 'constructs', 'stacks'])('%s imports only what its layer may', (layer) => {
  expect(sources(layer).flatMap(violations)).toEqual([]);
});

test.each([
  ['src/scheduler/x.ts', "import { App } from 'cdk8s';"],
  ['src/scheduler/x.ts', "import * as pulumi from '@pulumi/pulumi';"],
  ['src/scheduler/x.ts', "import { readFileSync } from 'node:fs';"],
  ['src/scheduler/x.ts', "import { readTree } from '../files/read-tree';"],
  ['src/scheduler/x.ts', "const fs = require('fs');"],
  ['src/scheduler/x.ts', "export * from 'cel-js';"],
  ['src/scheduler/x.ts', "await import('../../stacks/gke');"],
  ['src/files/x.ts', "import { listObjects } from '../live/client/list-objects';"],
  ['constructs/x.ts', "import { listObjects } from '../src/live/client/list-objects';"],
  ['src/live/x.ts', "import { run } from '../cli/run';"],
  ['src/files/x.ts', "import { run } from '../cli/run';"],
  ['constructs/x.ts', "import { Gke } from '../stacks/gke';"],
  ['stacks/x.ts', "import * as k8s from '@pulumi/kubernetes';"],
  ['stacks/x.ts', "import { run } from '../src/cli/run';"],
])('%s may not say %s', (file, text) => {
  expect(violations(file, text)).toHaveLength(1);
});

test('clocks and randomness are nowhere in src', () => {
  const forbidden = /\bDate\.now\(|\bnew Date\(|\bMath\.random\(|\brandomUUID\(|\bperformance\.now\(/;
  const found = sources('src').filter((file) => forbidden.test(readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});

function sources(layer: string): string[] {
  const files = readdirSync(layer, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(layer, file));
}

function violations(file: string, text: unknown = undefined): string[] {
  const [, rule] = Object.entries(allowed).find(([folder]) => file.startsWith(`${folder}/`))!;
  const source = typeof text === 'string' ? text : readFileSync(file, 'utf8');
  return imports(file, source)
    .filter((name) => !rule.test(name))
    .map((name) => `${file} imports ${name}`);
}

/** The modules that a file imports in any form; those of ours as paths from the root. */
function imports(file: string, source: string): string[] {
  const forms = /(?:^(?:import|export)\s(?:[\w*{},\s]*?\sfrom\s)?|\brequire\(|\bimport\()'([^']+)'/gm;
  return [...source.matchAll(forms)].map(([, name]) => {
    return name!.startsWith('.') ? normalize(join(file, '..', name!)) : name!;
  });
}
