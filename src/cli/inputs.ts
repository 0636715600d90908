import { dirname, join } from 'node:path';
import { statSync } from 'node:fs';
import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import { FleetwrightError, type Problem } from '../errors';
import { PROGRAM_FILE } from '../files/program-folder';
import { type NamedFiles, namedByProgram, separateNamed } from '../files/named-files';
import { readFileIfThere } from '../files/read-file';
import { readTree } from '../files/read-tree';
import { judgeSnapshots } from '../files/snapshots';
import { assemble, type Fleet } from '../fleet';
import { readHardware } from '../hardware/read-hardware';
import { constructLocator } from '../manifest/emission';
import { loadManifests } from '../manifest/load';
import type { Loaded } from '../manifest/load-files';
import { programCommand } from '../manifest/program-file';
import { plural } from '../plan/format';
import { EMPTY_LOCK, LOCK_FILE, type Lock } from '../scheduler/lock';
import { hasConflict, parseConflictedLock } from '../scheduler/lock-conflict';
import { parseLock } from '../scheduler/lock-parse';
import { gitShow } from './git';
import type { Io } from './output';
import { type Program, runProgram } from './run-program';

/** Which files a command works on. */
export interface InputFlags {
  /** Default: `fleet.lock.yaml` beside the manifests. */
  readonly lock?: string;

  /** Whether no lock is read at all. */
  readonly ephemeral?: boolean;
}

/** The declarations of a fleet. */
export interface Declared {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly resources: readonly Resource[];
  /** What was found and left alone, and what was judged by snapshots, for the reader of a plan. */
  readonly notes: readonly string[];
  /** What snapshots show otherwise than declared. */
  readonly warnings: readonly Problem[];
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
 * @throws FleetwrightError with every problem of every file
 */
export function readFleet(target: string, flags: InputFlags, io: Io): Declared {
  const program = programIn(target);
  const read = program ? readProgram(program, io) : readManifests(target, flags, io);
  const { resources, locate, ignored } = read;
  const { hardware, problems } = readHardware(read, resources);
  const all = [...read.problems, ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  if (resources.length === 0) throw new FleetwrightError([nothingDeclared(target)]);
  const seen = judgeSnapshots(assemble(resources, hardware), read.snapshots, locate);
  const notes = [...leftAlone(ignored), ...seen.notes];
  const { programLock, programRenderers = [] } = read;
  const { fleet, warnings } = seen;
  const source = program ? 'program' : target === '-' ? 'stdin' : 'files';
  return { fleet, locate, resources, notes, warnings, programLock, programRenderers, source };
}

/** What was read, before anything is judged. */
interface Read extends Loaded, NamedFiles {
  readonly problems: readonly Problem[];
  readonly programLock?: string | undefined;
  readonly programRenderers?: readonly string[] | undefined;
}

function readManifests(target: string, flags: InputFlags, io: Io): Read {
  const files = readTree(target, { exclude: [lockPath(target, flags)], stdin: io.stdin });
  const { manifests, ...named } = separateNamed(files);
  const loaded = loadManifests(manifests);
  return { ...named, ...loaded, problems: [...loaded.problems, ...named.problems] };
}

function readProgram(program: Program, io: Io): Read {
  const { resources, constructs, lock, renderers } = runProgram(program, io);
  const locate = constructLocator(constructs);
  const named = namedByProgram(resources, locate, program.folder);
  return { resources, locate, ignored: [], ...named, programLock: lock, programRenderers: renderers };
}

/** The program of a directory, if its cdk8s.yaml has one. */
function programIn(target: string): Program | undefined {
  if (target === '-' || !statSync(target, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const path = join(target, PROGRAM_FILE);
  const text = readFileIfThere(path);
  const command = text === undefined ? undefined : programCommand(text, path);
  return command === undefined ? undefined : { folder: target, command };
}

function leftAlone(ignored: Loaded['ignored']): string[] {
  if (ignored.length === 0) return [];
  const others = ignored.map(({ what, count }) => `${count} ${what}`).join(', ');
  const total = ignored.reduce((sum, { count }) => sum + count, 0);
  return [`left alone ${plural(total, 'document')} that Fleetwright does not read: ${others}`];
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
