import { collectOrEmitDeclarations, emitProblemIfRequested, resolveProgramFleet } from '../../constructs/declarations';
import type { Fleet } from '../../constructs/fleet';
import { attempt, problemsOf } from '../../src/base/attempt';
import { type Diagnostic, errorAt } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { formatCommandArguments } from '../../src/base/text';
import { findDefaultLockPath, findProgram, formatProgramArguments, PROGRAM_FILE } from '../../src/files/fleet-paths';
import { readTextFileIfExists } from '../../src/files/read-file';
import {
  type PartialFleetRule,
  readManifests,
  refuseEmptyInput,
  type ResolvedFleet,
  resolveFleet,
} from '../../src/files/read-fleet';
import { type CommandTarget, diagnoseOutOfDateLock } from '../../src/plan/apply-blockers';
import type { Renderer } from '../../src/render/renderer';
import { EMPTY_LOCK, type Lock, LOCK_FILE } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';

/** The sources of a fleet and its lock, and how they are evaluated. */
export interface FleetSource {
  /** The folder or file of its manifests, or a `Fleet` construct. A path is relative to the working directory. */
  readonly fleet: Fleet | string;

  /**
   * The path of the lock file.
   *
   * @default fleet.lock.yaml next to the manifests, or in the working directory for constructs
   */
  readonly lock?: string;

  /**
   * `require`: the lock must exist and be up to date; `fleetwright lock` writes it. `ephemeral`: no lock is read, and
   * every run decides everything again, for temporary stacks.
   *
   * @default require
   */
  readonly lockMode?: 'require' | 'ephemeral';

  /**
   * Custom renderers of replicas, in the order of precedence.
   *
   * @default - none
   */
  readonly renderers?: readonly Renderer[];
}

/** A fleet and its lock as read, before placement. */
export interface LoadedFleetSource {
  readonly resolved: ResolvedFleet;
  readonly lock: Lock;
  readonly renderers: readonly Renderer[];

  /** The fleet as arguments of the command line. */
  readonly target: CommandTarget;

  /** Whether a lock is required and missing. */
  readonly unlocked: boolean;
}

/**
 * Reads a fleet and its lock.
 *
 * @param rule checks the parts that could be read if there are problems
 * @throws FleetwrightError with all problems of the declarations and the lock
 */
export function readFleetSource(source: FleetSource, rule: PartialFleetRule): LoadedFleetSource {
  const { fleet } = source;
  return typeof fleet === 'string' ? readFolder(fleet, source, rule) : readConstructs(fleet, source, rule);
}

function readFolder(folder: string, source: FleetSource, rule: PartialFleetRule): LoadedFleetSource {
  if (findProgram(folder)) throw otherProgramError(folder);
  emitProblemIfRequested(stackOfManifestsProblem(folder));
  const defaultPath = findDefaultLockPath(folder);
  const path = source.lock ?? defaultPath;
  const command = formatCommandArguments(folder, path === defaultPath ? undefined : path);
  const read = readManifests(folder, { exclude: [path] });
  refuseEmptyInput(read, folder);
  return readFleetAndLock(source, { path, target: targetOf(path, command, source) }, () => resolveFleet(read, rule));
}

function readConstructs(fleet: Fleet, source: FleetSource, rule: PartialFleetRule): LoadedFleetSource {
  const { lock: path = LOCK_FILE, renderers = [] } = source;
  const target = targetOf(path, formatProgramArguments(path), source);
  const names = renderers.map(({ name }) => name);
  return readFleetAndLock(source, { path, target }, () =>
    resolveProgramFleet(collectOrEmitDeclarations(fleet, { lock: target.lock, renderers: names }), rule),
  );
}

/** Reads the declarations before the lock: a program that the command line runs ends when it emits its declarations. */
function readFleetAndLock(
  source: FleetSource,
  { path, target }: { path: string; target: CommandTarget },
  read: () => ResolvedFleet,
): LoadedFleetSource {
  const resolved = attempt(read);
  const locked = attempt(() => readLock(path, source));
  if ('problems' in resolved || 'problems' in locked) {
    const missing = 'value' in locked ? checkLockExists({ ...locked.value, target }) : [];
    throw new FleetwrightError([...problemsOf(resolved), ...problemsOf(locked), ...missing]);
  }
  return { resolved: resolved.value, renderers: source.renderers ?? [], ...locked.value, target };
}

/** Reports a required lock that is missing. */
export function checkLockExists({ unlocked, target }: Pick<LoadedFleetSource, 'unlocked' | 'target'>): Diagnostic[] {
  return unlocked && target.lock !== undefined ? [diagnoseOutOfDateLock(target, true, [])] : [];
}

function targetOf(lock: string, command: string, { lockMode }: FleetSource): CommandTarget {
  return { command, ...(lockMode !== 'ephemeral' && { lock }) };
}

function readLock(path: string, { lockMode }: FleetSource): Pick<LoadedFleetSource, 'lock' | 'unlocked'> {
  const text = lockMode === 'ephemeral' ? '' : readTextFileIfExists(path);
  return {
    lock: text === undefined || text === '' ? EMPTY_LOCK : parseLock(text, path),
    unlocked: text === undefined,
  };
}

function otherProgramError(where: string): FleetwrightError {
  const what = 'a program declares this fleet, and this stack reads manifests only';
  const hint = 'Create a FleetStack in the program, with its Fleet';
  return new FleetwrightError([errorAt('other-program', where, what, hint)]);
}

/** The problem of a command that runs the program of a stack of manifests. */
function stackOfManifestsProblem(folder: string): Diagnostic {
  const what = 'manifests in this folder declare the fleet of the FleetStack, and its program declares none';
  return errorAt(
    'other-program',
    folder,
    what,
    `Run the command on this folder, and remove 'app' from ${PROGRAM_FILE}`,
  );
}
