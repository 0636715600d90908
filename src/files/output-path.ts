/** The list of what `writeOutput` wrote, in the folder that it wrote to. */
export const INVENTORY_FILE = '.fleetwright-inventory.json';

/** The file that keeps two runs from writing to one folder at the same time. */
export const RUN_FILE = '.fleetwright-run.lock';

const RESERVED: ReadonlySet<string> = new Set([INVENTORY_FILE, RUN_FILE]);

/**
 * Whether a path names a file below a folder: relative, with forward slashes, without `.` and `..`, and
 * none of our own bookkeeping.
 */
export function isOutputPath(path: string): boolean {
  const parts = path.split('/');
  return parts.every(isPlain) && !RESERVED.has(path);
}

function isPlain(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part);
}

/** The folders around a path, outermost first: `a`, `a/b` for `a/b/c.yaml`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
