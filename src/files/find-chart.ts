import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The working directory in which the program was started. */
const START_FOLDER = process.cwd();

/**
 * Finds a chart in a folder by the names that it can have: a packed chart, or the `Chart.yaml` of an unpacked one.
 * Returns a path that starts where the program was started, as other programs of a run need it: an absolute path would
 * differ between machines. Undefined if the folder has no such file.
 */
export function findChart(folder: string, names: readonly string[]): string | undefined {
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found === undefined) return undefined;
  const path = found.endsWith('/Chart.yaml') ? dirname(found) : found;
  return `./${relative(START_FOLDER, resolve(folder, path))}`;
}
