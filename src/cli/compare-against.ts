import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Locate, Resource } from '../api/kinds';
import { type Diagnostic, formatDiagnostic, relocate } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { diffStates, type FleetDiff } from '../diff/fleet-diff';
import type { FleetState } from '../diff/fleet-state';
import { type CompareObjects, createObjectComparer } from '../diff/object-changes';
import { findProgram } from '../files/fleet-paths';
import { readTextFile } from '../files/read-file';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { Policy } from '../fleet/policy';
import { type LoadedFleet, readManifests, resolveFleet } from '../files/read-fleet';
import { keepsRouting, listWritten, replaceSetAside, type SetAside, setAsideFaults } from '../files/set-aside';
import { withWorkFolder } from '../files/work-folder';
import { placeFleet } from '../plan/decide';
import type { PlacedFleet } from '../plan/decision';
import { computePlacedCost } from '../plan/plan-cost';
import type { MapComparison } from '../report/map/build-map-data';
import { EMPTY_LOCK, type Lock } from '../scheduler/lock/lock';
import { parseLock } from '../scheduler/lock/parse-lock';
import { isSameLock } from '../scheduler/lock/compare-locks';
import { recordRevision } from '../scheduler/previous-revision';
import { commandError } from './command-error';
import { type DecidedFleet, toRealPath } from './decide-fleet';
import { type ValidDecision, heldDeploymentsOf } from './decide-valid-resources';
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

interface ComparisonRun {
  readonly decided: ValidDecision;
  readonly io: Io;
}

/** What a fleet is compared with, and what comes of it. */
export interface Comparison extends MapComparison {
  /** Compares the objects of other later states with the same earlier one. */
  readonly compareObjects: CompareObjects;
}

/** Compares a fleet with a git revision, a folder or a saved plan. */
export function compareAgainst(name: string, target: string, flags: AgainstFlags, run: ComparisonRun): Comparison {
  const { decided, io } = run;
  io.progress?.(`reading ${name}`);
  const before = readEarlierState(name, target, flags, run);
  const { written, locate, warnings, plan } = decided;
  const decision = keepEarlierRoutes(decided, before.decision);
  const after: FleetState = { name: target, ...written, locate, warnings, decision, cost: plan.cost };
  io.progress?.(`comparing with ${name}`);
  const compareObjects = createObjectComparer(before);
  const diff = diffStates(before, after, replanFromLock(before.decision, decided, locate), compareObjects);
  return { before, diff, compareObjects };
}

/** Compares an earlier state with a later one whose fleet declares something else. */
export function compareSupposed(
  fleet: Fleet,
  { before, compareObjects }: Omit<Comparison, 'diff'>,
  { written, locate, warnings, given, held }: ValidDecision,
): { readonly decision: PlacedFleet; readonly diff: FleetDiff } {
  const options = { ...NO_REMARKS, former: listRevisions(before.decision), held: held.requested };
  const decision = placeFleet(fleet, locate, given, options);
  const cost = computePlacedCost(decision);
  const after: FleetState = { name: before.name, ...written, locate, warnings, decision, cost };
  const isOfEarlierLock = isSameLock(before.decision.previous, given);
  const planned = isOfEarlierLock ? decision : replanFromLock(before.decision, decision, locate);
  return { decision, diff: diffStates(before, after, planned, compareObjects) };
}

/** Routes that cannot be decided because of errors stay as they were, as do the manifests that `synth` writes. */
function keepEarlierRoutes(later: ValidDecision, { routing }: PlacedFleet): PlacedFleet {
  return keepsRouting(later.aside) ? { ...later, routing } : later;
}

/** Decides the later declarations from the earlier lock. */
function replanFromLock(before: PlacedFleet, after: PlacedFleet, locate: Locate): PlacedFleet {
  if (isSameLock(before.previous, after.previous)) return after;
  const options = { ...NO_REMARKS, former: listRevisions(before), held: after.held.requested };
  return placeFleet(after.fleet, locate, before.previous, options);
}

function listRevisions({ fleet }: PlacedFleet): PreviousRevision[] {
  return fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
}

/** Reads the earlier state. A name is interpreted as a folder first, then as a file, then as a git revision. */
function readEarlierState(name: string, target: string, flags: AgainstFlags, run: ComparisonRun): FleetState {
  const { decided, io } = run;
  const later = laterRunOf(run);
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    const read = readInput(name, flags.allowOutside ? { allowOutside: true } : {}, io, decided.readings);
    return decideEarlierState(name, { read, lock: readOwnLock(name, read) }, later);
  }
  if (stat) {
    const { read, lock } = parseSavedPlan(readTextFile(name), name);
    return decideEarlierState(name, { read, lock }, later);
  }
  return readRevisionState(name, target, flags, run);
}

function laterRunOf({ decided, io }: ComparisonRun): LaterRun {
  const report = (problem: Diagnostic): void => io.err(`${formatDiagnostic(problem)} The comparison leaves it out.\n`);
  return { later: decided.aside, report };
}

const NO_REMARKS = { notes: [], warnings: [] };

/** The declarations of an earlier state. */
interface EarlierInput {
  readonly read: LoadedFleet;
  readonly lock: Lock;

  /** Converts positions to those that users know. Default: they are known. */
  readonly rename?: (where: string) => string;
}

/** The run that an earlier state is decided for. */
interface LaterRun {
  /** The resources that are set aside in the later state. */
  readonly later: SetAside;

  /** Reports a resource with errors, which the comparison leaves out. */
  readonly report: (problem: Diagnostic) => void;
}

/**
 * Decides the earlier state from its own lock. Resources with errors are left out, like those of the later state: if
 * both have them, the same declarations take their place.
 */
function decideEarlierState(
  name: string,
  { read, lock, rename = same }: EarlierInput,
  { later, report }: LaterRun,
): FleetState {
  const step = (aside: SetAside): FleetState => {
    const { fleet: found, locate: position, resources, warnings, notes } = resolveFleet(replaceSetAside(read, aside));
    const fleet = withRenamedPolicies(found, rename);
    const locate: Locate = (...place) => rename(position(...place));
    const held = heldDeploymentsOf(aside);
    const decision = placeFleet(fleet, locate, lock, { ...NO_REMARKS, held });
    return { name, resources, locate, warnings, notes, decision, cost: computePlacedCost(decision) };
  };
  const known = new Map(later);
  const recall = (id: string): Resource | undefined => {
    const found = known.get(id);
    known.delete(id);
    return found;
  };
  return withRenamedErrors(rename, () => {
    const { value, problems, aside } = setAsideFaults(step, recall);
    const own = problems.filter(({ code, subject = '' }) => code !== 'set-aside' && !later.has(subject));
    for (const problem of own) report(relocate(problem, rename));
    return { ...value, ...listWritten(read, { aside, problems }) };
  });
}

function withRenamedPolicies(fleet: Fleet, rename: (where: string) => string): Fleet {
  if (!fleet.policies) return fleet;
  const policies = fleet.policies.map((one): Policy => {
    return { ...one, where: rename(one.where), place: (path) => rename(one.place(path)) };
  });
  return { ...fleet, policies };
}

function same(where: string): string {
  return where;
}

function withRenamedErrors<T>(rename: (where: string) => string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    throw new FleetwrightError(error.diagnostics.map((one) => relocate(one, rename)));
  }
}

/** @throws FleetwrightError when the fleet of the revision cannot be read, or later files are not committed */
function readRevisionState(revision: string, target: string, flags: AgainstFlags, run: ComparisonRun): FleetState {
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
  const { paths = [], readings } = run.decided;
  const lock = lockPathOf(target, flags);
  if (!flags.allowDirty) refuseUncommitted(revision, { target, top, paths, lock });
  const fleet = { revision, tree, top, inside, paths: paths.map((path) => realpathSync(path)) };
  refuseMissingFromCommit(fleet);
  const lockText = readFileAtRevision(revision, lock);
  const previous = lockText === undefined ? EMPTY_LOCK : parseLock(lockText, `${revision}:${lock}`);
  const lockInside = relative(top, toRealPath(lock));
  const earlier = readFleetAtRevision(fleet, lockInside, readings);
  return decideEarlierState(revision, { ...earlier, lock: previous }, laterRunOf(run));
}

/** Positions contain the revision. The lock can be among the files under any name. */
function readFleetAtRevision(
  { revision, tree, top, inside }: RevisionFleet,
  lock: string,
  earlier: DecidedFleet['readings'],
): Required<Omit<EarlierInput, 'lock'>> {
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
