import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { attemptBoth } from '../base/attempt';
import { errorAt } from '../base/diagnostic';
import { type Diagnostic, relocate } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { formatCommandArguments } from '../base/text';
import { diagnoseStaleLock } from '../plan/apply-blockers';
import { decide } from '../plan/decide';
import type { Decision } from '../plan/decision';
import type { Lock } from '../scheduler/lock/lock';
import { findPreviousRevisions } from './git/previous-revision';
import type { Io, OutputFlags } from './output';
import {
  type DeclaredFleet,
  hasLock,
  type InputFlags,
  lockPathOf,
  type LockSource,
  readFleet,
} from './read-inputs';

/** Flags that every command on a fleet takes. */
export interface CommonFlags extends InputFlags, OutputFlags {
  /** Whether to print only what matters. */
  readonly quiet?: boolean;
}

/** Where a command has the lock from. */
export type LockReader = (target: string, flags: LockSource) => Lock;

/** A fleet that was read and decided. */
export interface DecidedFleet extends DeclaredFleet, Decision {}

/**
 * Reads a fleet and its lock, and decides.
 *
 * @throws FleetwrightError with everything that is wrong with both
 */
export function decideFleet(target: string, flags: LockSource, io: Io, read: LockReader): DecidedFleet {
  const [declared, lock] = attemptBoth(
    () => readFleet(target, flags, io),
    () => read(target, flags),
  );
  io.progress?.('deciding');
  refuseOtherLock(target, flags, declared);
  const { former, notes } = findPreviousRevisions(target, flags, declared, lock);
  const remarks = { ...declared, notes: [...declared.notes, ...notes], former };
  return { ...declared, ...decide(declared.fleet, declared.locate, lock, remarks) };
}

/** A program and the command line mean the same lock, unless the user names one: what one writes, the other reads. */
function refuseOtherLock(target: string, flags: InputFlags, { programLock }: DeclaredFleet): void {
  if (programLock === undefined || flags.lock !== undefined || flags.ephemeral) return;
  const path = lockPathOf(target, flags);
  if (toRealPath(path) === toRealPath(programLock)) return;
  const meant = relative('.', programLock);
  const what = `the program reads the lock ${meant}, and this command would use ${path}`;
  throw new FleetwrightError([errorAt('other-lock', target, what, `Run it with --lock ${meant}`)]);
}

/** The path of a file that need not be there, absolute; links of its folder are followed. */
export function toRealPath(path: string): string {
  const folder = dirname(resolve(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}

/** What a command says that needs the lock to be up to date. */
export function createStaleLockError(target: string, flags: CommonFlags): FleetwrightError {
  return new FleetwrightError([toStaleProblem(target, flags)]);
}

/** The same at the head of the lock, where there is one. */
export function createStaleLockAnnotation(target: string, flags: CommonFlags): Diagnostic {
  const problem = toStaleProblem(target, flags);
  return hasLock(target, flags) ? relocate(problem, (path) => `${path}:1:1`) : problem;
}

function toStaleProblem(target: string, flags: CommonFlags): Diagnostic {
  const where = { lock: lockPathOf(target, flags), command: formatCommandArguments(target, flags.lock) };
  return diagnoseStaleLock(where, !hasLock(target, flags));
}
