import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { compareText } from '../base/order';
import { parentFoldersOf } from './output-inventory';

/** The change that `writeOutput` makes in a folder. */
export interface OutputChange {
  readonly folder: string;

  /** The paths to write. */
  readonly wanted: ReadonlySet<string>;

  /** The paths that earlier runs wrote. */
  readonly old: ReadonlySet<string>;

  /** Whether the run found a file at a path already. Large folders take long to look at twice. */
  readonly isCurrent: (path: string) => boolean;
}

type EntryKind = 'link' | 'file' | 'folder' | undefined;

/** The kinds of obstacles, and their text in messages. */
const OBSTACLES = {
  foreign: 'these files exist, and fleetwright did not write them',
  link: 'these paths are symbolic links',
  file: 'these paths must be folders, and are files',
  folder: 'these paths must be files, and are folders',
} as const;

type Obstacle = keyof typeof OBSTACLES;

/** Finds everything that prevents a change: one problem for each kind of obstacle. */
export function findObstacles(change: OutputChange): Diagnostic[] {
  const kindOf = createKindLookup(change);
  const found = new Map<string, Obstacle>();
  for (const path of new Set([...change.wanted, ...change.old])) {
    const above = parentFoldersOf(path).find((folder) => kindOf(folder) !== 'folder');
    const at = above ?? path;
    const isFile = !above && (change.isCurrent(path) || kindOf(path) === 'file');
    if (isFile && change.old.has(path)) continue;
    const obstacle = isFile ? 'foreign' : kindOf(at);
    if (obstacle && (change.wanted.has(path) || obstacle === 'link')) found.set(at, obstacle);
  }
  const sorted = [...found].sort(([a], [b]) => compareText(a, b));
  return Object.entries(OBSTACLES).flatMap(([obstacle, what]) => {
    const paths = sorted.filter(([, kind]) => kind === obstacle).map(([path]) => path);
    return paths.length > 0 ? [toObstacleProblem(change.folder, what, paths)] : [];
  });
}

/** Creates a lookup of the entry kinds in a folder. Each path is read once. */
function createKindLookup({ folder }: OutputChange): (path: string) => EntryKind {
  const kinds = new Map<string, EntryKind>();
  return (path) => {
    if (!kinds.has(path)) kinds.set(path, readEntryKind(join(folder, path)));
    return kinds.get(path);
  };
}

function readEntryKind(path: string): EntryKind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return 'link';
  return stat.isDirectory() ? 'folder' : 'file';
}

const MAX_PATHS_SHOWN = 3;

function toObstacleProblem(folder: string, what: string, paths: readonly string[]): Diagnostic {
  const more = paths.length > MAX_PATHS_SHOWN ? ` and ${paths.length - MAX_PATHS_SHOWN} more` : '';
  const hint = 'Use another folder, or remove them';
  return errorAt('output-blocked', folder, `${what}: ${paths.slice(0, MAX_PATHS_SHOWN).join(', ')}${more}`, hint);
}
