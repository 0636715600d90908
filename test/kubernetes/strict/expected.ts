import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../harness/client';
import { ROOT } from '../harness/paths';

/** The objects of one cluster that an example comes with, as users would apply them from its files. */
export interface Expected {
  readonly name: string;
  readonly manifests: readonly KubeObject[];
}

/** Objects that the program of an example makes with other libraries, which need not be as the API server would write them. */
const OF_PROGRAM = 'program.yaml';

/** Every object of every file of every example, by cluster, but those that a program makes itself. */
export function expectedManifests(): Expected[] {
  const examples = join(ROOT, 'examples');
  return folders(examples).flatMap((example) => {
    const expected = join(examples, example, 'expected');
    if (!existsSync(expected)) return [];
    return folders(expected).map((cluster) => ({
      name: `examples/${example}/expected/${cluster}`,
      manifests: filesIn(join(expected, cluster)).flatMap(objectsIn),
    }));
  });
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.yaml') && basename(name) !== OF_PROGRAM)
    .map((name) => join(folder, name));
}

function objectsIn(file: string): KubeObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    const object = document.toJS() as KubeObject | null;
    return object?.kind === undefined ? [] : [object];
  });
}
