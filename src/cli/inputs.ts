import { FleetwrightError } from '../errors';
import { lockBeside } from '../files/lock-file';
import { type Program, programIn } from '../files/program-in';
import { namedByProgram } from '../files/named-files';
import { readFileIfThere } from '../files/read-file';
import { judgeFleet, type Read, type ReadFleet, readManifests, refuseNothing } from '../files/read-fleet';
import type { ReadOptions } from '../files/read-tree';
import { constructLocator } from '../manifest/emission';
import type { ReadBefore } from '../manifest/file-reading';
import { EMPTY_LOCK, LOCK_FILE, type Lock } from '../scheduler/lock';
import { hasConflict, parseConflictedLock } from '../scheduler/lock-conflict';
import { parseLock } from '../scheduler/lock-parse';
import { gitShow } from './git';
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
export interface Declared extends ReadFleet {
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
 * @param before what was read of the fleet at another time: what did not change becomes the same object
 * @throws FleetwrightError with every problem of every file
 */
export function readFleet(target: string, flags: InputFlags, io: Io, before?: ReadBefore): Declared {
  const program = target === '-' ? undefined : programIn(target);
  const read: ReadHere = program
    ? readProgram(program, io)
    : readManifests(target, { ...readOptions(io), exclude: [lockPath(target, flags)], before });
  refuseNothing(read, target);
  const { programLock, programRenderers = [] } = read;
  const source = program ? 'program' : target === '-' ? 'stdin' : 'files';
  return { ...judgeFleet(read), programLock, programRenderers, source };
}

function readOptions({ stdin, progress }: Io): Pick<ReadOptions, 'stdin' | 'progress'> {
  return { stdin, progress };
}

interface ReadHere extends Read {
  readonly programLock?: string | undefined;
  readonly programRenderers?: readonly string[] | undefined;
}

function readProgram(program: Program, io: Io): ReadHere {
  const { resources, constructs, lock, renderers } = runProgram(program, io);
  const locate = constructLocator(constructs);
  const named = namedByProgram(resources, locate, program.folder);
  const sound = { resources, locate, ignored: [], problems: [], unread: [] };
  return { ...sound, ...named, programLock: lock, programRenderers: renderers };
}

/** The path of the lock file. */
export function lockPath(target: string, { lock }: InputFlags): string {
  if (lock !== undefined) return lock;
  if (target === '-') return LOCK_FILE;
  return lockBeside(target);
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

/** The lock of a fleet by itself: the one that its program reads, or beside its manifests. None: it was never locked. */
export function readOwnLock(target: string, { programLock }: Pick<Declared, 'programLock'>): Lock {
  const path = programLock ?? lockPath(target, {});
  const text = readFileIfThere(path);
  return text === undefined ? EMPTY_LOCK : parseLock(text, path);
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
