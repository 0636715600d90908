import { mkdirSync } from 'node:fs';
import { orProblem } from './fs-error';

/** Makes a folder and those above it, where they are not there yet. */
export function makeFolder(path: string): void {
  orProblem('not-written', path, () => mkdirSync(path, { recursive: true }));
}
