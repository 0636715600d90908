import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { relocate } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { findProgram } from '../files/fleet-paths';
import { readTextFile } from '../files/read-file';
import { type LoadedFleet, readManifests, type ResolvedFleet } from '../files/read-fleet';
import { withWorkFolder } from '../files/work-folder';
import { EMPTY_LOCK, type Lock } from '../scheduler/lock/lock';
import { parseLock } from '../scheduler/lock/parse-lock';
import { commandError } from './command-error';
import { toRealPath } from './decide-fleet';
import { exportCommit, isAtOrBelow, readCommitTree } from './git/commit-tree';
import { refuseMissingFromCommit, refuseUncommitted, type RevisionFleet } from './git/comparable-revision';
import { findTopLevel, readFileAtRevision, resolveCommit } from './git/repository';
import type { Io } from './output';
import { type InputFlags, lockPathOf, readInput, readOwnLock } from './read-inputs';
import { parseSavedPlan } from './saved-plan';

export interface AgainstFlags extends InputFlags {
  /** Whether uncommitted files can be compared with a revision. Default: they are rejected. */
  readonly allowDirty?: boolean;
}

/** The declarations of an earlier state. */
export interface EarlierInput {
  readonly read: LoadedFleet;
  readonly lock: Lock;

  /** Converts positions to those that users know. */
  readonly rename: (where: string) => string;
}

/** The later declarations, whose files are not parsed again where they are the same. */
interface LaterInput {
  readonly read: Pick<ResolvedFleet, 'paths' | 'readings'>;
  readonly io: Io;
}

/** Reads the earlier declarations. A name is interpreted as a folder first, then as a file, then as a git revision. */
export function readEarlierInput(name: string, target: string, flags: AgainstFlags, later: LaterInput): EarlierInput {
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    const options = flags.allowOutside ? { allowOutside: true } : {};
    const read = readInput(name, options, later.io, later.read.readings);
    return { read, lock: readOwnLock(name, read), rename: same };
  }
  if (stat) return { ...parseSavedPlan(readTextFile(name), name), rename: same };
  return readRevision(name, target, flags, later.read);
}

function same(where: string): string {
  return where;
}

/** @throws FleetwrightError when the fleet of the revision cannot be read, or later files are not committed */
function readRevision(revision: string, target: string, flags: AgainstFlags, later: LaterInput['read']): EarlierInput {
  if (target === '-') {
    const what = 'a fleet from standard input is not in a revision';
    throw commandError('not-in-git', target, what, 'Use the folder of the fleet');
  }
  const commit = resolveCommit(revision, target);
  const top = findTopLevel(target);
  const inside = relative(top, realpathSync(target));
  const tree = readCommitTree(commit, top, '');
  if (findProgram(target) && [...tree.files.keys()].some((path) => isAtOrBelow(path, inside))) {
    const what = `a program declares the fleet, so its declarations at '${revision}' are not in the files`;
    const hint =
      'Save a plan of that revision with --save and compare with it, or compare with a checkout that can run';
    throw commandError('not-in-git', target, what, hint);
  }
  const { paths = [], readings } = later;
  const lock = lockPathOf(target, flags);
  if (!flags.allowDirty) refuseUncommitted(revision, { target, top, paths, lock });
  const fleet = { revision, tree, top, inside, paths: paths.map((path) => realpathSync(path)) };
  refuseMissingFromCommit(fleet);
  const lockText = readFileAtRevision(revision, lock);
  const previous = lockText === undefined ? EMPTY_LOCK : parseLock(lockText, `${revision}:${lock}`);
  const lockInside = relative(top, toRealPath(lock));
  return { ...readFleetAtRevision(fleet, lockInside, readings), lock: previous };
}

/** Positions contain the revision. The lock can be among the files under any name. */
function readFleetAtRevision(
  { revision, tree, top, inside }: RevisionFleet,
  lock: string,
  earlier: LaterInput['read']['readings'],
): Omit<EarlierInput, 'lock'> {
  return withWorkFolder((folder) => {
    const rename = (where: string): string => where.replace(`${folder}/`, `${revision}:`);
    return withRenamedErrors(rename, () => {
      exportCommit(tree, top, '', folder);
      const at = join(folder, inside);
      // A commit holds no links that leave the repository.
      const options = { exclude: [join(folder, lock)], earlier, allowOutside: true };
      return { read: existsSync(at) ? readManifests(at, options) : NO_MANIFESTS, rename };
    });
  });
}

/** The declarations of a revision that does not contain the folder. */
const NO_MANIFESTS: LoadedFleet = {
  resources: [],
  locate: () => '',
  ignored: [],
  problems: [],
  unread: [],
  snapshots: [],
  otherParts: [],
  definitions: [],
  missing: [],
};

/** Runs a step whose problems get positions that users know. */
export function withRenamedErrors<T>(rename: (where: string) => string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    throw new FleetwrightError(error.diagnostics.map((one) => relocate(one, rename)));
  }
}
