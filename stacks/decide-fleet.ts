import type { Locate } from '../src/api/locate';
import { decideProgram } from '../constructs/decide-program';
import { soundDeclarations } from '../constructs/emit';
import type { Fleet } from '../constructs/fleet';
import { FleetwrightError } from '../src/errors';
import { lockBeside } from '../src/files/lock-file';
import { programArguments } from '../src/files/program-folder';
import { programIn } from '../src/files/program-in';
import { readFileIfThere } from '../src/files/read-file';
import { judgeFleet, readManifests, refuseNothing } from '../src/files/read-fleet';
import { type Decision, decide } from '../src/plan/decide';
import type { Target } from '../src/plan/refusals';
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

/** A fleet that was decided, be it sound or not. */
export interface DecidedFleet {
  readonly decision: Decision;
  readonly locate: Locate;

  /** What it is called on the command line. */
  readonly target: Target;

  /** Whether a lock is needed and there is none. */
  readonly unlocked: boolean;
}

/**
 * Reads a fleet and its lock, and decides where every replica goes.
 *
 * @throws FleetwrightError with everything that is wrong with the declarations or the lock
 */
export function decideFleet(source: FleetSource): DecidedFleet {
  const { fleet } = source;
  return typeof fleet === 'string' ? decideManifests(fleet, source) : decideConstructs(fleet, source);
}

function decideManifests(folder: string, source: FleetSource): DecidedFleet {
  if (programIn(folder)) throw isProgram(folder);
  const beside = lockBeside(folder);
  const path = source.lock ?? beside;
  const { text, lock } = lockOf(path, source);
  const read = readManifests(folder, { exclude: [path] });
  refuseNothing(read, folder);
  const { renderers = [] } = source;
  const judged = judgeFleet(read);
  const decision = decide(judged.fleet, judged.locate, lock, { ...judged, renderers });
  const command = path === beside ? folder : `${folder} --lock ${path}`;
  return {
    decision,
    locate: judged.locate,
    target: targetOf(path, command, source),
    unlocked: text === undefined,
  };
}

function decideConstructs(fleet: Fleet, source: FleetSource): DecidedFleet {
  const { lock: path = LOCK_FILE, renderers = [] } = source;
  const target = targetOf(path, programArguments(path), source);
  const names = renderers.map(({ name }) => name);
  const declarations = soundDeclarations(fleet, { lock: target.lock, renderers: names });
  const { text, lock } = lockOf(path, source);
  return { ...decideProgram(declarations, lock, renderers), target, unlocked: text === undefined };
}

function targetOf(lock: string, command: string, { lockMode }: FleetSource): Target {
  return { command, ...(lockMode !== 'ephemeral' && { lock }) };
}

function lockOf(path: string, { lockMode }: FleetSource): { text: string | undefined; lock: Lock } {
  const text = lockMode === 'ephemeral' ? '' : readFileIfThere(path);
  return { text, lock: text === undefined || text === '' ? EMPTY_LOCK : parseLock(text, path) };
}

function isProgram(where: string): FleetwrightError {
  const what = 'a program declares this fleet, and only manifests are read here';
  const hint = 'Make a FleetStack in the program, with its Fleet';
  return new FleetwrightError([{ code: 'other-program', where, what, hint }]);
}
