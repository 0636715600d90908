import { join } from 'node:path';
import { FleetwrightError } from '../errors';
import { jsonIn } from '../json-in';
import { sortedBy } from '../order';
import { INVENTORY_FILE, isOutputPath } from './output-path';
import { readFileIfThere } from './read-file';

const VERSION = 1;

/** The text of an inventory: sorted, a path a line, so that a diff shows what came and went. */
export function formatInventory(paths: Iterable<string>): string {
  const files = sortedBy(new Set(paths), (path) => path);
  return `${JSON.stringify({ version: VERSION, files }, undefined, 2)}\n`;
}

/**
 * The paths that an earlier run wrote to a folder, or nothing if none did.
 *
 * @throws FleetwrightError if the inventory is not one that this version wrote
 */
export function readInventory(folder: string): readonly string[] | undefined {
  const path = join(folder, INVENTORY_FILE);
  const text = readFileIfThere(path);
  if (text === undefined) return undefined;
  const { version, files } = (jsonIn(text) ?? {}) as Content;
  if (version === VERSION && isPaths(files)) return files;
  const isOther = typeof version === 'number' && version !== VERSION;
  throw new FleetwrightError([
    {
      code: 'bad-inventory',
      where: path,
      what: isOther
        ? `the inventory has version ${version}, and this release reads version ${VERSION}`
        : 'this is no inventory of written files',
      hint: isOther
        ? 'Use the release that wrote it, or remove the folder and run again'
        : 'Restore it, or remove the folder and run again',
    },
  ]);
}

interface Content {
  readonly version?: unknown;
  readonly files?: unknown;
}

function isPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && isOutputPath(path));
}
