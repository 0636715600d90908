import { declarationsHere } from '../constructs/emit';
import type { Fleet } from '../constructs/fleet';
import { judgeProgram } from '../constructs/judge-program';
import { attempt, problemsOf } from '../src/attempt';
import { commandArguments } from '../src/command-arguments';
import { FleetwrightError, type Problem } from '../src/errors';
import { lockBeside } from '../src/files/lock-file';
import { programArguments } from '../src/files/program-folder';
import { programIn } from '../src/files/program-in';
import { readFileIfThere } from '../src/files/read-file';
import {
  judgeFleet,
  type PartRule,
  readManifests,
  type ReadFleet,
  refuseNothing,
} from '../src/files/read-fleet';
import { staleLock, type Target } from '../src/plan/refusals';
import type { Renderer } from '../src/render/renderer';
import { EMPTY_LOCK, type Lock, LOCK_FILE } from '../src/scheduler/lock';
import { parseLock } from '../src/scheduler/lock-parse';

/** A fleet and its lock, and how the fleet is decided. */
export interface FleetSource {
  /** The folder or file of its manifests, or constructs. A path is relative to the working directory. */
  readonly fleet: Fleet | string;

  /**
   * The path of the lock file.
   *
   * @default fleet.lock.yaml beside the manifests, or in the working directory for constructs
   */
  readonly lock?: string;

  /**
   * `require`: the lock has to be there and up to date; `fleetwright lock` writes it. `ephemeral`: none is read, and
   * everything is decided afresh at every run, for stacks that are thrown away.
   *
   * @default require
   */
  readonly lockMode?: 'require' | 'ephemeral';

  /**
   * What renders replicas beside ours, asked in this order.
   *
   * @default - none
   */
  readonly renderers?: readonly Renderer[];
}

/** A fleet and its lock, before anything is decided. */
export interface ReadSource {
  readonly judged: ReadFleet;
  readonly lock: Lock;
  readonly renderers: readonly Renderer[];

  /** What it is called on the command line. */
  readonly target: Target;

  /** Whether a lock is needed and there is none. */
  readonly unlocked: boolean;
}

/**
 * Reads a fleet and its lock.
 *
 * @param rule asked where something is wrong, of all that could be read
 * @throws FleetwrightError with everything that is wrong with the declarations and the lock
 */
export function readSource(source: FleetSource, rule: PartRule): ReadSource {
  const { fleet } = source;
  return typeof fleet === 'string' ? readFolder(fleet, source, rule) : readConstructs(fleet, source, rule);
}

function readFolder(folder: string, source: FleetSource, rule: PartRule): ReadSource {
  if (programIn(folder)) throw isProgram(folder);
  const beside = lockBeside(folder);
  const path = source.lock ?? beside;
  const command = commandArguments(folder, path === beside ? undefined : path);
  const read = readManifests(folder, { exclude: [path] });
  refuseNothing(read, folder);
  return readWith(source, { path, target: targetOf(path, command, source) }, () => judgeFleet(read, rule));
}

function readConstructs(fleet: Fleet, source: FleetSource, rule: PartRule): ReadSource {
  const { lock: path = LOCK_FILE, renderers = [] } = source;
  const target = targetOf(path, programArguments(path), source);
  const names = renderers.map(({ name }) => name);
  return readWith(source, { path, target }, () =>
    judgeProgram(declarationsHere(fleet, { lock: target.lock, renderers: names }), rule),
  );
}

/** Declarations before the lock: a program that the command line runs ends when it has told its own. */
function readWith(
  source: FleetSource,
  { path, target }: { path: string; target: Target },
  read: () => ReadFleet,
): ReadSource {
  const judged = attempt(read);
  const locked = attempt(() => lockOf(path, source));
  if ('problems' in judged || 'problems' in locked) {
    const missing = 'value' in locked ? missingLock({ ...locked.value, target }) : [];
    throw new FleetwrightError([...problemsOf(judged), ...problemsOf(locked), ...missing]);
  }
  return { judged: judged.value, renderers: source.renderers ?? [], ...locked.value, target };
}

/** That a lock is needed and there is none. */
export function missingLock({ unlocked, target }: Pick<ReadSource, 'unlocked' | 'target'>): Problem[] {
  return unlocked && target.lock !== undefined ? [staleLock(target, true)] : [];
}

function targetOf(lock: string, command: string, { lockMode }: FleetSource): Target {
  return { command, ...(lockMode !== 'ephemeral' && { lock }) };
}

function lockOf(path: string, { lockMode }: FleetSource): Pick<ReadSource, 'lock' | 'unlocked'> {
  const text = lockMode === 'ephemeral' ? '' : readFileIfThere(path);
  return {
    lock: text === undefined || text === '' ? EMPTY_LOCK : parseLock(text, path),
    unlocked: text === undefined,
  };
}

function isProgram(where: string): FleetwrightError {
  const what = 'a program declares this fleet, and only manifests are read here';
  const hint = 'Make a FleetStack in the program, with its Fleet';
  return new FleetwrightError([{ code: 'other-program', where, what, hint }]);
}
