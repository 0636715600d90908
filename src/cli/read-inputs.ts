import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { asWarning, type Diagnostic } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import { quoteShellWord } from '../base/text';
import { findDefaultLockPath, findProgram, type FleetProgram } from '../files/fleet-paths';
import { readTextFileIfExists } from '../files/read-file';
import {
  type LoadedFleet,
  readManifests,
  refuseEmptyInput,
  type ResolvedFleet,
  resolveFleet,
} from '../files/read-fleet';
import { fleetFolderOf } from '../files/inside-folder';
import { readProgramReferences, type SnapshotPattern } from '../files/referenced-files';
import { createConstructLocator } from '../manifest/program-output';
import type { FileReadings } from '../manifest/reuse-declarations';
import { EMPTY_LOCK, type Lock, LOCK_FILE } from '../scheduler/lock/lock';
import { hasConflictMarkers, parseConflictedLock, parseLock } from '../scheduler/lock/parse-lock';
import { commandError } from './command-error';
import { readFileAtRevision } from './git/repository';
import type { Io } from './output';
import { runProgram } from './run-program';

export interface InputFlags {
  /** The lock file. Default: `fleet.lock.yaml` next to the manifests. */
  readonly lock?: string;
  readonly ephemeral?: boolean;
  /** Whether links and named files may lead out of the folder of the fleet. */
  readonly allowOutside?: boolean;
  /** The file for the summary of this part of a split fleet. The first part has no summaries of others to read. */
  readonly summary?: string;
  /** Whether the run judges a change, for which it needs the summaries of all parts. */
  readonly gate?: boolean;
  /** Whether the run asks running clusters. It needs no snapshots, and may be what records them. */
  readonly live?: boolean;
}

/** Those of commands that ask running clusters. */
export const LIVE: InputFlags = { live: true };

export interface DeclaredFleet extends ResolvedFleet {
  /** The absolute path of the lock that a program reads when it is run directly. */
  readonly programLock?: string | undefined;
  /** The names of the custom renderers of a program. They render only when the program is run directly. */
  readonly programRenderers: readonly string[];

  /** Where snapshots are looked for. */
  readonly snapshotPatterns: readonly SnapshotPattern[];
  readonly source: 'files' | 'program' | 'stdin';
}

/**
 * Reads a folder, a file or standard input, or runs the program of a folder.
 *
 * @param earlier what files held when they were read before: those of the same text are not parsed again
 * @throws FleetwrightError with every problem of every file
 */
export function readFleet(target: string, flags: InputFlags, io: Io, earlier?: FileReadings): DeclaredFleet {
  return resolveInput(readInput(target, flags, io, earlier));
}

/** Reads a folder, a file or standard input, or runs the program of a folder, without judging the declarations. */
export function readInput(target: string, flags: InputFlags, io: Io, earlier?: FileReadings): DeclaredInput {
  const program = target === '-' ? undefined : findProgram(target);
  const read: LoadedInput = program
    ? readProgramDeclarations(program, flags, io)
    : readManifests(target, {
        stdin: io.stdin,
        progress: io.progress,
        exclude: [lockPathOf(target, flags)],
        allowOutside: flags.allowOutside,
        earlier,
      });
  refuseEmptyInput(read, target);
  return {
    ...withOptionalParts(withOptionalSnapshots(read, flags), flags),
    source: program ? 'program' : target === '-' ? 'stdin' : 'files',
  };
}

function withOptionalSnapshots(read: LoadedInput, { live }: InputFlags): LoadedInput {
  return live ? { ...read, missing: read.missing.filter(({ code }) => code !== 'no-snapshot') } : read;
}

/** Warns of missing summaries where the run writes one, because those of all parts cannot be written at once. */
function withOptionalParts(read: LoadedInput, { summary, gate }: InputFlags): LoadedInput {
  const { missingParts = [], older = [] } = read;
  if (summary === undefined || gate) return read;
  return { ...read, missingParts: [], older: [...older, ...missingParts.map(expectOnFirstRun)] };
}

function expectOnFirstRun(missing: Diagnostic): Diagnostic {
  const message = `${missing.message} yet, as expected before the first summary is written`;
  const hint = "Run 'fleetwright plan PART --summary FILE' for each part, then for this one again";
  return { ...asWarning(missing), message, hint };
}

/** @throws FleetwrightError with every problem of the declarations */
export function resolveInput(input: DeclaredInput): DeclaredFleet {
  const { programLock, programRenderers = [], snapshotPatterns = [], source } = input;
  return { ...resolveFleet(input), programLock, programRenderers, snapshotPatterns, source };
}

/** The declarations of a command, before validation. */
export interface DeclaredInput extends LoadedInput {
  readonly source: DeclaredFleet['source'];
}

interface LoadedInput extends LoadedFleet {
  readonly programLock?: string | undefined;
  readonly programRenderers?: readonly string[] | undefined;
}

function readProgramDeclarations(program: FleetProgram, { allowOutside }: InputFlags, io: Io): LoadedInput {
  const { resources, constructs, lock, renderers } = runProgram(program, io);
  const locate = createConstructLocator(constructs);
  const named = readProgramReferences(
    resources,
    locate,
    program.folder,
    allowOutside ? undefined : fleetFolderOf(program.folder, true),
  );
  const loaded = { resources, locate, ignored: [], problems: [], unread: [] };
  return { ...loaded, ...named, programLock: lock, programRenderers: renderers };
}

export function lockPathOf(target: string, { lock }: InputFlags): string {
  return lock ?? (target === '-' ? LOCK_FILE : findDefaultLockPath(target));
}

export interface LockSource extends InputFlags {
  /** The git revision that contains the lock. Default: the current lock file. */
  readonly from?: string;
}

/**
 * Reads the lock of a git revision, or the lock file. Without a file, a fleet was never locked and its lock is empty.
 * A file or revision that the user selects must exist.
 */
export function readLock(target: string, flags: LockSource): Lock {
  const path = lockPathOf(target, flags);
  const { from, lock } = flags;
  const text = from === undefined ? readTextFileIfExists(path) : readFileAtRevision(from, path);
  const name = from === undefined ? path : `${from}:${path}`;
  if (text !== undefined) return parseLock(text, name);
  if (from === undefined && lock === undefined) return EMPTY_LOCK;
  const hint = from === undefined ? 'Check the path' : 'Use a revision that has one';
  throw commandError('no-lock', name, 'the lock file does not exist', hint);
}

/**
 * Refuses a folder without a lock above a folder that has one: the fleet would be planned as new, and get a second lock.
 *
 * @throws FleetwrightError unless a flag names the lock
 */
export function refuseLockBelow(target: string, flags: LockSource, { paths = [] }: DeclaredInput): void {
  if (flags.lock !== undefined || flags.from !== undefined || flags.ephemeral || hasLock(target, flags)) return;
  const own = dirname(lockPathOf(target, flags));
  const folders = sortUnique(paths.map(dirname)).filter((folder) => relative(own, folder) !== '');
  const below = folders.find((folder) => existsSync(join(folder, LOCK_FILE)));
  if (below === undefined) return;
  const what = `the folder has no lock, and ${join(below, LOCK_FILE)} exists`;
  const hint = `Name the folder of the fleet: 'fleetwright plan ${quoteShellWord(below)}'. For a fleet of several folders, name its lock with --lock`;
  throw commandError('lock-below', target, what, hint);
}

/** The note which lock a plan starts from. None for the default, the lock file of the fleet. */
export function describeLockSource(target: string, flags: LockSource): string[] {
  const path = lockPathOf(target, flags);
  if (flags.from !== undefined) return [`The plan starts from the lock of ${flags.from}, not from ${path}.`];
  return path === lockPathOf(target, {}) ? [] : [`The plan starts from the lock file ${path}.`];
}

/** Reads the lock that a program reads, or the one next to the manifests. Empty if the fleet was never locked. */
export function readOwnLock(target: string, { programLock }: Pick<DeclaredFleet, 'programLock'>): Lock {
  const path = programLock ?? lockPathOf(target, {});
  const text = readTextFileIfExists(path);
  return text === undefined ? EMPTY_LOCK : parseLock(text, path);
}

export function hasLock(target: string, flags: InputFlags): boolean {
  return readTextFileIfExists(lockPathOf(target, flags)) !== undefined;
}

/**
 * Reads the lock like `readLock`, but accepts a lock with conflict markers, whose two sides together are the previous
 * state, and a new file.
 */
export function readLockResolvingConflicts(target: string, flags: LockSource): Lock {
  if (flags.from !== undefined) return readLock(target, flags);
  const path = lockPathOf(target, flags);
  const text = readTextFileIfExists(path);
  if (text === undefined) return EMPTY_LOCK;
  return hasConflictMarkers(text) ? parseConflictedLock(text, path) : parseLock(text, path);
}
