import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { State } from '../diff/state';
import { diffStates } from '../diff/fleet-diff';
import type { Comparison } from '../map/map-data-of';
import { FleetwrightError, type Problem } from '../errors';
import { judgeFleet, type Read, type ReadFleet, readManifests } from '../files/read-fleet';
import { readTextFile } from '../files/read-file';
import { programIn } from '../files/program-in';
import { type Placed, placeFleet } from '../plan/decide';
import { placedCost } from '../plan/plan-cost';
import { EMPTY_LOCK, type Lock, sameLock } from '../scheduler/lock';
import { recordShape } from '../scheduler/former-shape';
import { parseLock } from '../scheduler/lock-parse';
import { type Decided, realPath } from './context';
import { type CommitTree, isBelow, treeOf } from './commit-tree';
import { exportCommit } from './export-commit';
import { commitAt, gitShow, topLevel } from './git';
import { type InputFlags, lockPath, readFleet, readOwnLock } from './inputs';
import type { Io } from './output';
import { parseSavedPlan } from './saved-plan';
import { type InRevision, refuseNotInCommit } from './not-in-commit';
import { refuseUncommitted } from './uncommitted';

/** What is compared, and how. */
export interface AgainstFlags extends InputFlags {
  /** Whether files that are not committed are compared with a revision as they lie. Default: they are refused. */
  readonly allowDirty?: boolean;
}

/** The later state, and where to tell how far the work is. */
interface Run {
  readonly decided: Decided;
  readonly io: Io;
}

const NOTHING_TOLD = { notes: [], warnings: [] };

/** What happens to a fleet since a git revision, a folder or a saved plan. */
export function diffAgainst(name: string, target: string, flags: AgainstFlags, run: Run): Comparison {
  const { decided, io } = run;
  io.progress?.(`reading ${name}`);
  const before = stateOf(name, target, flags, { decided, io });
  const after: State = {
    name: target,
    resources: decided.resources,
    locate: decided.locate,
    decision: decided,
    cost: decided.plan.cost,
  };
  io.progress?.(`comparing with ${name}`);
  return { before, diff: diffStates(before, after, plannedFrom(before.decision, decided)) };
}

/** The later declarations decided from the earlier lock. */
function plannedFrom(before: Placed, after: Decided): Placed {
  if (sameLock(before.previous, after.previous)) return after;
  const former = before.fleet.deployments.flatMap((one) => recordShape(one) ?? []);
  const remarks = { ...NOTHING_TOLD, former, beside: after };
  return placeFleet(after.fleet, after.locate, before.previous, remarks);
}

/** A folder comes first, then a file, then a revision of git. */
function stateOf(name: string, target: string, flags: AgainstFlags, run: Run): State {
  const { decided, io } = run;
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    const read = readFleet(name, {}, io, decided);
    return stateFrom(name, read, readOwnLock(name, read), decided);
  }
  if (stat) {
    const { read, lock } = parseSavedPlan(readTextFile(name), name, decided);
    return stateFrom(name, judgeFleet(read), lock, decided);
  }
  return stateAt(name, target, flags, decided);
}

/** The earlier state decided from its own lock: what it has in common with the later one is not found again. */
function stateFrom(name: string, read: ReadFleet, lock: Lock, beside: Decided): State {
  const { fleet, locate, resources } = read;
  const decision = placeFleet(fleet, locate, lock, { ...NOTHING_TOLD, beside });
  return { name, resources, locate, decision, cost: placedCost(decision, beside) };
}

/**
 * The fleet as a revision of git has it.
 *
 * @throws FleetwrightError when there is no such revision, a program declared the fleet there, what it has is not
 *   sound, or what is compared with it is not committed
 */
function stateAt(revision: string, target: string, flags: AgainstFlags, decided: Decided): State {
  if (target === '-') throw notInGit(target, FROM_STDIN);
  const commit = commitAt(revision, target);
  const top = topLevel(target);
  const inside = relative(top, realpathSync(target));
  const tree = treeOf(commit, top, '');
  if (programIn(target) && has(tree, inside)) throw notInGit(target, ofProgram(revision));
  if (!flags.allowDirty) {
    refuseUncommitted(revision, { target, top, paths: decided.paths ?? [], lock: lockPath(target, flags) });
  }
  const paths = (decided.paths ?? []).map((path) => realpathSync(path));
  const fleet = { revision, tree, top, inside, paths };
  refuseNotInCommit(fleet);
  const lock = gitShow(revision, lockPath(target, flags));
  const previous =
    lock === undefined ? EMPTY_LOCK : parseLock(lock, `${revision}:${lockPath(target, flags)}`);
  const lockInside = relative(top, realPath(lockPath(target, flags)));
  return stateFrom(revision, readAt(fleet, lockInside, decided), previous, decided);
}

/** The declarations of a revision, of which the places name it. Its lock may be among them under any name. */
function readAt({ revision, tree, top, inside }: InRevision, lock: string, before: Decided): ReadFleet {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-')));
  const rename = (where: string): string => where.replace(`${folder}/`, `${revision}:`);
  try {
    exportCommit({ tree, top, below: '' }, folder);
    const at = join(folder, inside);
    const read: Read = existsSync(at)
      ? readManifests(at, { exclude: [join(folder, lock)], before })
      : NOTHING;
    const { locate, ...rest } = judgeFleet(read);
    return { ...rest, locate: (...place) => rename(locate(...place)) };
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    throw new FleetwrightError(
      error.problems.map((problem) => ({ ...problem, where: rename(problem.where) })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A revision that does not have the folder yet. */
const NOTHING: Read = {
  resources: [],
  locate: () => '',
  ignored: [],
  problems: [],
  unread: [],
  snapshots: [],
  definitions: [],
  missing: [],
};

/** Whether a commit has something there. */
function has({ files }: CommitTree, folder: string): boolean {
  return [...files.keys()].some((path) => isBelow(path, folder));
}

/** Why a revision does not have a fleet, and what to do. */
type Elsewhere = Pick<Problem, 'what' | 'hint'>;

const FROM_STDIN: Elsewhere = {
  what: 'what came from standard input is in no revision',
  hint: 'Name the folder of the fleet',
};

function ofProgram(revision: string): Elsewhere {
  return {
    what: `a program declares the fleet, and what it declared at '${revision}' is not in its files`,
    hint: 'Save a plan there with --save and compare with that, or name a checkout that can run',
  };
}

function notInGit(where: string, why: Elsewhere): FleetwrightError {
  return new FleetwrightError([{ code: 'not-in-git', where, ...why }]);
}
