import { dirname, join } from 'node:path';
import { statSync } from 'node:fs';
import { FleetwrightError, type Problem } from '../errors';
import { readFileIfThere } from '../files/read-file';
import { readTree } from '../files/read-tree';
import { assemble, type Fleet } from '../fleet';
import { loadManifests, type Loaded } from '../manifest/load';
import { plural } from '../plan/format';
import { EMPTY_LOCK, LOCK_FILE, type Lock } from '../scheduler/lock';
import { hasConflict, parseConflictedLock } from '../scheduler/lock-conflict';
import { parseLock } from '../scheduler/lock-parse';
import { gitShow } from './git';
import type { Io } from './output';
import { judgeSnapshots, separateSnapshots } from './snapshots';

/** Which files a command works on. */
export interface InputFlags {
  /** Default: `fleet.lock.yaml` beside the manifests. */
  readonly lock?: string;
}

/** The declarations of a fleet. */
export interface Declared {
  readonly fleet: Fleet;
  readonly locate: Loaded['locate'];
  readonly resources: number;
  /** What was found and left alone, and what was judged by snapshots, for the reader of a plan. */
  readonly notes: readonly string[];
  /** What snapshots show otherwise than declared. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads a directory, a file or standard input.
 *
 * @throws FleetwrightError with every problem of every file
 */
export function readFleet(target: string, flags: InputFlags, io: Io): Declared {
  const files = readTree(target, { exclude: [lockPath(target, flags)], stdin: io.stdin });
  const { manifests, snapshots, problems: unnamed } = separateSnapshots(files);
  const { resources, locate, ignored, problems } = loadManifests(manifests);
  if (problems.length + unnamed.length > 0) throw new FleetwrightError([...problems, ...unnamed]);
  if (resources.length === 0) throw new FleetwrightError([nothingDeclared(target)]);
  const others = ignored.map(({ what, count }) => `${count} ${what}`);
  const total = ignored.reduce((sum, { count }) => sum + count, 0);
  const notes =
    total > 0
      ? [`left alone ${plural(total, 'document')} that Fleetwright does not read: ${others.join(', ')}`]
      : [];
  const declared = assemble(resources);
  const seen = judgeSnapshots(declared, snapshots, locate);
  return {
    fleet: seen.fleet,
    locate,
    resources: resources.length,
    notes: [...notes, ...seen.notes],
    warnings: seen.warnings,
  };
}

/** An empty input is a failed command in a pipe more often than a fleet that nobody wants any more. */
function nothingDeclared(where: string): Problem {
  const what = 'it declares nothing: no resource of ours is in it';
  return {
    code: 'nothing-declared',
    where,
    what,
    hint: 'Name the folder of the fleet; to give up a fleet, remove its files',
  };
}

/** The path of the lock file. */
export function lockPath(target: string, { lock }: InputFlags): string {
  if (lock !== undefined) return lock;
  if (target === '-') return LOCK_FILE;
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() ?? false;
  return join(isFile ? dirname(target) : target, LOCK_FILE);
}

/** Which lock to decide from. */
export interface LockSource extends InputFlags {
  /** The git revision whose lock it is. Default: the lock file as it is. */
  readonly from?: string;
}

/**
 * The lock of a git revision, or the lock file. Without a file a fleet was never locked, and starts from nothing;
 * a file or revision that the user names has to be there.
 */
export function readLock(target: string, flags: LockSource): Lock {
  const path = lockPath(target, flags);
  const { from, lock } = flags;
  const text = from === undefined ? readFileIfThere(path) : gitShow(from, path);
  const name = from === undefined ? path : `${from}:${path}`;
  if (text !== undefined) return parseLock(text, name);
  if (from === undefined && lock === undefined) return EMPTY_LOCK;
  const hint = from === undefined ? 'Check the path' : 'Name a revision that has one';
  throw new FleetwrightError([{ code: 'no-lock', where: name, what: 'there is no such lock', hint }]);
}

/** Whether a fleet has a lock file. */
export function hasLock(target: string, flags: InputFlags): boolean {
  return readFileIfThere(lockPath(target, flags)) !== undefined;
}

/** As `readLock`, but both sides of a conflict together are the previous state, and a new file may be named. */
export function readUnsettledLock(target: string, flags: LockSource): Lock {
  if (flags.from !== undefined) return readLock(target, flags);
  const path = lockPath(target, flags);
  const text = readFileIfThere(path);
  if (text === undefined) return EMPTY_LOCK;
  return hasConflict(text) ? parseConflictedLock(text, path) : parseLock(text, path);
}
