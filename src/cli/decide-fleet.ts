import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { attemptBoth } from '../base/attempt';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { decide, type Decision } from '../plan/decide';
import { isDeniedByPolicy } from '../plan/policy/check-policies';
import type { Lock } from '../scheduler/lock/lock';
import { EXIT, type ExitCode } from './exit-code';
import { findPreviousRevisions } from './git/previous-revision';
import type { Io, OutputFlags } from './output';
import { type DeclaredFleet, type InputFlags, lockPathOf, type LockSource, readFleet } from './read-inputs';

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

/** The exit codes that rules of the fleet ask for. */
export function policyExitCodesOf({ plan }: Decision): ExitCode[] {
  return isDeniedByPolicy(plan) ? [EXIT.refused] : [];
}

/** The exit codes that a shortfall asks for. */
export function shortfallExitCodesOf({ plan }: Decision): ExitCode[] {
  return plan.totals.unplaced > 0 ? [EXIT.unplaced] : [];
}
