import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../errors';
import { compareText } from '../order';
import { foldersOf } from './output-path';

/** What `writeOutput` is about to do in a folder. */
export interface Change {
  readonly folder: string;

  /** The paths it writes. */
  readonly wanted: ReadonlySet<string>;

  /** The paths that earlier runs wrote. */
  readonly old: ReadonlySet<string>;
}

type Kind = 'link' | 'file' | 'folder' | undefined;

/** What can stand in the way, and what the message calls it. */
const OBSTACLES = {
  foreign: 'files that fleetwright did not write stand where it would write',
  link: 'symbolic links stand where it would write',
  file: 'files stand where it needs folders',
  folder: 'folders stand where it needs files',
} as const;

type Obstacle = keyof typeof OBSTACLES;

/** Everything in the way of a change: one problem for each sort of obstacle. */
export function obstaclesTo(change: Change): Problem[] {
  const kindOf = kindsIn(change);
  const found = new Map<string, Obstacle>();
  for (const path of new Set([...change.wanted, ...change.old])) {
    const above = foldersOf(path).find((folder) => kindOf(folder) !== 'folder');
    const at = above ?? path;
    const obstacle = above ? obstacleAbove(kindOf(above)) : obstacleAt(path, kindOf(path), change);
    if (obstacle && (change.wanted.has(path) || obstacle === 'link')) found.set(at, obstacle);
  }
  const sorted = [...found].sort(([a], [b]) => compareText(a, b));
  return Object.entries(OBSTACLES).flatMap(([obstacle, what]) => {
    const paths = sorted.filter(([, kind]) => kind === obstacle).map(([path]) => path);
    return paths.length > 0 ? [problem(change.folder, what, paths)] : [];
  });
}

/** A folder that is not there yet is no obstacle. */
function obstacleAbove(kind: Kind): Obstacle | undefined {
  return kind === 'folder' ? undefined : kind;
}

function obstacleAt(path: string, kind: Kind, { old }: Change): Obstacle | undefined {
  if (kind !== 'file') return kind;
  return old.has(path) ? undefined : 'foreign';
}

/** What is at the paths of a folder, looked up once each. */
function kindsIn({ folder }: Change): (path: string) => Kind {
  const kinds = new Map<string, Kind>();
  return (path) => {
    if (!kinds.has(path)) kinds.set(path, kindAt(join(folder, path)));
    return kinds.get(path);
  };
}

function kindAt(path: string): Kind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return 'link';
  return stat.isDirectory() ? 'folder' : 'file';
}

const SHOWN = 3;

function problem(folder: string, what: string, paths: readonly string[]): Problem {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return {
    code: 'output-blocked',
    where: folder,
    what: `${what}: ${paths.slice(0, SHOWN).join(', ')}${more}`,
    hint: 'Choose another folder, or remove them',
  };
}
