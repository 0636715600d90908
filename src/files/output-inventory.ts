import { join } from 'node:path';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { tryParseJson } from '../base/json';
import { sortUnique } from '../base/order';
import { readTextFileIfExists } from './read-file';

const INVENTORY_VERSION = 1;

/** The text of an inventory: sorted, a path a line, so that a diff shows what came and went. */
export function formatInventory(paths: Iterable<string>): string {
  const files = sortUnique(paths);
  return `${JSON.stringify({ version: INVENTORY_VERSION, files }, undefined, 2)}\n`;
}

/**
 * The paths that an earlier run wrote to a folder, or nothing if none did.
 *
 * @throws FleetwrightError if the inventory is not one that this version wrote
 */
export function readInventory(folder: string): readonly string[] | undefined {
  const path = join(folder, INVENTORY_FILE);
  const text = readTextFileIfExists(path);
  if (text === undefined) return undefined;
  const { version, files } = (tryParseJson(text) ?? {}) as InventoryContent;
  if (version === INVENTORY_VERSION && isPathList(files)) return files;
  const isOther = typeof version === 'number' && version !== INVENTORY_VERSION;
  throw new FleetwrightError([
    errorAt(
      'bad-inventory',
      path,
      isOther
        ? `the inventory has version ${version}, and this release reads version ${INVENTORY_VERSION}`
        : 'this is no inventory of written files',
      isOther
        ? 'Use the release that wrote it, or remove the folder and run again'
        : 'Restore it, or remove the folder and run again',
    ),
  ]);
}

interface InventoryContent {
  readonly version?: unknown;
  readonly files?: unknown;
}

function isPathList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && isOutputPath(path));
}

/** The list of what `writeOutput` wrote, in the folder that it wrote to. */
export const INVENTORY_FILE = '.fleetwright-inventory.json';

/** The file that keeps two runs from writing to one folder at the same time. */
export const RUN_LOCK_FILE = '.fleetwright-run.lock';

const RESERVED_NAMES: ReadonlySet<string> = new Set([INVENTORY_FILE, RUN_LOCK_FILE]);

/**
 * Whether a path names a file below a folder: relative, with forward slashes, without `.` and `..`, and
 * none of our own bookkeeping.
 */
export function isOutputPath(path: string): boolean {
  const parts = path.split('/');
  return parts.every(isPlainName) && !RESERVED_NAMES.has(path);
}

function isPlainName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part);
}

/** The folders around a path, outermost first: `a`, `a/b` for `a/b/c.yaml`. */
export function parentFoldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
