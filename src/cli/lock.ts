import { FleetwrightError } from '../errors';
import { writeFileAtomic } from '../files/write-file';
import { formatPlan, formatTotals } from '../plan/text';
import { formatLock, type Lock, sameLock } from '../scheduler/lock';
import { nextLock } from '../scheduler/next-lock';
import { type CommonFlags, decideFleet, type Decided } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { lockPath, readLock, readUnsettledLock } from './inputs';
import { type Io, jsonDocument, styleFor } from './output';

export interface LockFlags extends CommonFlags {
  readonly acceptUnplaced?: boolean;
  readonly settle?: boolean;
  readonly check?: boolean;
  readonly from?: string;
}

/**
 * `fleetwright lock`: accepts the plan and writes it to the lock file. Writes nothing while replicas have no
 * place, unless `--accept-unplaced` says that this is known. With `--check` it only compares.
 */
export function lock(target: string, flags: LockFlags, io: Io): ExitCode {
  if (flags.check) return check(target, flags, io);
  const previous = readUnsettledLock(target, flags);
  const decided = decideFleet(target, flags, io, previous);
  const next = nextLock(decided.model, decided.schedule, previous, flags);
  const short = !flags.acceptUnplaced && decided.plan.totals.unplaced > 0;
  const path = lockPath(target, flags);
  if (!short) writeFileAtomic(path, formatLock(next));
  report(target, flags, io, { decided, next, path: short ? undefined : path });
  return short ? EXIT.unplaced : EXIT.ok;
}

interface Outcome {
  readonly decided: Decided;
  readonly next: Lock;
  /** Where the lock was written. Absent when it was not. */
  readonly path: string | undefined;
}

function report(target: string, flags: LockFlags, io: Io, { decided, next, path }: Outcome): void {
  if (flags.json) {
    io.out(
      jsonDocument('Lock', {
        written: path ?? null,
        totals: decided.plan.totals,
        replicas: next.placements.length,
      }),
    );
    return;
  }
  if (path === undefined) {
    io.err(`${formatPlan(decided.plan, target, styleFor(io, flags))}\n`);
    io.err(
      `Nothing was written. Make room, or accept the shortfall with 'fleetwright lock --accept-unplaced'.\n`,
    );
  } else if (!flags.quiet) {
    io.out(`${formatTotals(decided.plan)}\nWrote ${path}.\n`);
  }
}

function check(target: string, flags: LockFlags, io: Io): ExitCode {
  const current = readLock(target, flags);
  const decided = decideFleet(target, flags, io, current);
  const stale = !sameLock(decided.lock, current);
  if (flags.json) io.out(jsonDocument('LockCheck', { stale, totals: decided.plan.totals }));
  else if (stale) io.err(`${staleLock(target, flags).message}\n`);
  else if (!flags.quiet) io.out(`${lockPath(target, flags)} is up to date.\n`);
  return exitCode([
    ...(stale ? [EXIT.stale] : []),
    ...(decided.plan.totals.unplaced > 0 ? [EXIT.unplaced] : []),
  ]);
}

/** What a command says that needs the lock to be up to date. */
export function staleLock(target: string, flags: CommonFlags): FleetwrightError {
  const where = lockPath(target, flags);
  const what = 'the lock does not say what would be decided now';
  return new FleetwrightError([
    {
      code: 'stale-lock',
      where,
      what,
      hint: `Look at 'fleetwright plan ${target}', then run 'fleetwright lock ${target}'`,
    },
  ]);
}
