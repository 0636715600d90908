import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Workspace } from './cli';

/** The files of a workspace that took long to make, for others that begin with the same. */
export type KeptFiles = readonly (readonly [path: string, content: Buffer])[];

/** The files as they are, those of git among them. */
export function keepFiles({ root }: Workspace): KeptFiles {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map(({ path, name }) => join(path, name));
  return paths.map((path) => [relative(root, path), readFileSync(path)]);
}

export function writeKept(space: Workspace, files: KeptFiles): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(space.path(path)), { recursive: true });
    writeFileSync(space.path(path), content);
  }
}
