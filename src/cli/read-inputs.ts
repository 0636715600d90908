import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { findDefaultLockPath, findProgram, type FleetProgram } from '../files/fleet-paths';
import { readTextFileIfExists } from '../files/read-file';
import {
  type LoadedFleet,
  readManifests,
  refuseEmptyInput,
  type ResolvedFleet,
  resolveFleet,
} from '../files/read-fleet';
import type { ReadTreeOptions } from '../files/read-tree';
import { readProgramReferences } from '../files/referenced-files';
import { createConstructLocator } from '../manifest/program-output';
import type { FileReadings } from '../manifest/reuse-declarations';
import { EMPTY_LOCK, type Lock, LOCK_FILE } from '../scheduler/lock/lock';
import { hasConflictMarkers, parseConflictedLock, parseLock } from '../scheduler/lock/parse-lock';
import { readFileAtRevision } from './git/repository';
import type { Io } from './output';
import { runProgram } from './run-program';

/** Which files a command works on. */
export interface InputFlags {
  /** Default: `fleet.lock.yaml` beside the manifests. */
  readonly lock?: string;

  /** Whether no lock is read at all. */
  readonly ephemeral?: boolean;
}

/** The declarations of a fleet. */
export interface DeclaredFleet extends ResolvedFleet {
  /** The absolute path of the lock that a program reads when it runs by itself. */
  readonly programLock?: string | undefined;
  /** The names of the renderers that a program brings, which render only when it runs by itself. */
  readonly programRenderers: readonly string[];
  /** Where they come from. */
  readonly source: 'files' | 'program' | 'stdin';
}

/**
 * Reads a directory, a file or standard input, or runs the program of a directory.
 *
 * @param earlier what files held when they were read before: those of the same text are not parsed again
 * @throws FleetwrightError with every problem of every file
 */
export function readFleet(target: string, flags: InputFlags, io: Io, earlier?: FileReadings): DeclaredFleet {
  const program = target === '-' ? undefined : findProgram(target);
  const read: LoadedInput = program
    ? readProgramDeclarations(program, io)
    : readManifests(target, { ...readOptionsOf(io), exclude: [lockPathOf(target, flags)], earlier });
  refuseEmptyInput(read, target);
  const { programLock, programRenderers = [] } = read;
  const source = program ? 'program' : target === '-' ? 'stdin' : 'files';
  return { ...resolveFleet(read), programLock, programRenderers, source };
}

function readOptionsOf({ stdin, progress }: Io): Pick<ReadTreeOptions, 'stdin' | 'progress'> {
  return { stdin, progress };
}

interface LoadedInput extends LoadedFleet {
  readonly programLock?: string | undefined;
  readonly programRenderers?: readonly string[] | undefined;
}

function readProgramDeclarations(program: FleetProgram, io: Io): LoadedInput {
  const { resources, constructs, lock, renderers } = runProgram(program, io);
  const locate = createConstructLocator(constructs);
  const named = readProgramReferences(resources, locate, program.folder);
  const sound = { resources, locate, ignored: [], problems: [], unread: [] };
  return { ...sound, ...named, programLock: lock, programRenderers: renderers };
}

/** The path of the lock file. */
export function lockPathOf(target: string, { lock }: InputFlags): string {
  if (lock !== undefined) return lock;
  if (target === '-') return LOCK_FILE;
  return findDefaultLockPath(target);
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
  const path = lockPathOf(target, flags);
  const { from, lock } = flags;
  const text = from === undefined ? readTextFileIfExists(path) : readFileAtRevision(from, path);
  const name = from === undefined ? path : `${from}:${path}`;
  if (text !== undefined) return parseLock(text, name);
  if (from === undefined && lock === undefined) return EMPTY_LOCK;
  const hint = from === undefined ? 'Check the path' : 'Name a revision that has one';
  throw new FleetwrightError([errorAt('no-lock', name, 'there is no such lock', hint)]);
}

/** The lock of a fleet by itself: the one that its program reads, or beside its manifests. None: it was never locked. */
export function readOwnLock(target: string, { programLock }: Pick<DeclaredFleet, 'programLock'>): Lock {
  const path = programLock ?? lockPathOf(target, {});
  const text = readTextFileIfExists(path);
  return text === undefined ? EMPTY_LOCK : parseLock(text, path);
}

/** Whether a fleet has a lock file. */
export function hasLock(target: string, flags: InputFlags): boolean {
  return readTextFileIfExists(lockPathOf(target, flags)) !== undefined;
}

/** As `readLock`, but both sides of a conflict together are the previous state, and a new file may be named. */
export function readLockResolvingConflicts(target: string, flags: LockSource): Lock {
  if (flags.from !== undefined) return readLock(target, flags);
  const path = lockPathOf(target, flags);
  const text = readTextFileIfExists(path);
  if (text === undefined) return EMPTY_LOCK;
  return hasConflictMarkers(text) ? parseConflictedLock(text, path) : parseLock(text, path);
}
