import { join } from 'node:path';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { tryParseJson } from '../base/json';
import { sortUnique } from '../base/order';
import { readTextFileIfExists } from './read-file';

const INVENTORY_VERSION = 1;

/** Formats an inventory. The paths are sorted, one in a line, so that a diff shows added and removed files. */
export function formatInventory(paths: Iterable<string>): string {
  const files = sortUnique(paths);
  return `${JSON.stringify({ version: INVENTORY_VERSION, files }, undefined, 2)}\n`;
}

/**
 * Reads the paths that an earlier run wrote to a folder. Undefined if there is no inventory.
 *
 * @throws FleetwrightError if this version cannot read the inventory
 */
export function readInventory(folder: string): readonly string[] | undefined {
  const path = join(folder, INVENTORY_FILE);
  const text = readTextFileIfExists(path);
  if (text === undefined) return undefined;
  const { version, files } = (tryParseJson(text) ?? {}) as { readonly version?: unknown; readonly files?: unknown };
  if (version === INVENTORY_VERSION && isPathList(files)) return files;
  throw new FleetwrightError([describeBadInventory(path, version)]);
}

function describeBadInventory(path: string, version: unknown): Diagnostic {
  if (typeof version !== 'number' || version === INVENTORY_VERSION) {
    const hint = 'Restore it, or remove the folder and run again';
    return errorAt('bad-inventory', path, 'this is not an inventory of written files', hint);
  }
  const what = `the inventory has version ${version}, and this release reads version ${INVENTORY_VERSION}`;
  return errorAt('bad-inventory', path, what, 'Use the release that wrote it, or remove the folder and run again');
}

function isPathList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && isOutputPath(path));
}

/** The file in an output folder that lists the files which `writeOutput` wrote. */
export const INVENTORY_FILE = '.fleetwright-inventory.json';

/** The file that prevents two runs from writing to a folder at the same time. */
export const RUN_LOCK_FILE = '.fleetwright-run.lock';

const RESERVED_NAMES: ReadonlySet<string> = new Set([INVENTORY_FILE, RUN_LOCK_FILE]);

/**
 * Whether a path is valid for a file in an output folder: relative, with forward slashes, without `.` and `..`, and
 * not the inventory or the run lock.
 */
export function isOutputPath(path: string): boolean {
  return path.split('/').every(isPlainName) && !RESERVED_NAMES.has(path);
}

function isPlainName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part);
}

/** The parent folders of a path, outermost first: `a`, `a/b` for `a/b/c.yaml`. */
export function parentFoldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
