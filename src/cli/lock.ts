import { commandArguments } from '../command-arguments';
import { FleetwrightError, type Problem } from '../errors';
import { writeFileAtomic } from '../files/write-file';
import { asErrors } from '../plan/annotations';
import { planAnnotations, shortfallProblems } from '../plan/plan-annotations';
import { formatPolicy, formatVerdict, isDenied } from '../plan/policies-of';
import { staleLock as staleProblem } from '../plan/refusals';
import { formatPlan, formatTotals } from '../plan/text';
import { formatLock, type Lock } from '../scheduler/lock';
import { nextLock } from '../scheduler/next-lock';
import type { Placement } from '../scheduler/types';
import { type CommonFlags, decideFleet, type Decided, policyCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { hasLock, lockPath, readLock, readUnsettledLock } from './inputs';
import { annotate, formatNotes, type Io, jsonDocument, styleFor } from './output';

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
  const decided = decideFleet(target, flags, io, readUnsettledLock);
  const next = nextLock(decided.model, decided.schedule, decided.previous, flags);
  const short = !flags.acceptUnplaced && decided.plan.totals.unplaced > 0;
  const path = lockPath(target, flags);
  const denied = policyCodes(decided);
  const changed = !short && denied.length === 0 && writeFileAtomic(path, formatLock(next));
  report(target, flags, io, { decided, settled: settledBy(decided, next), path, short, changed });
  annotate(() => planAnnotations(decided, flags), flags, io);
  return exitCode([...denied, ...(short ? [EXIT.unplaced] : [])]);
}

interface Outcome {
  readonly decided: Decided;
  /** Replicas that were leaving and are dropped now. */
  readonly settled: readonly Placement[];
  readonly path: string;
  readonly short: boolean;
  readonly changed: boolean;
}

/** The replicas that settling takes out of the lock. */
function settledBy({ schedule }: Decided, next: Lock): Placement[] {
  return schedule.placements.filter((placement) => placement.leaving && !next.placements.includes(placement));
}

function report(target: string, flags: LockFlags, io: Io, outcome: Outcome): void {
  const { decided, settled, path, short, changed } = outcome;
  if (flags.json) {
    const { totals, policies, notes } = decided.plan;
    io.out(jsonDocument('Lock', { written: changed ? path : null, totals, settled, policies, notes }));
  } else if (isDenied(decided.plan)) {
    io.err(formatPolicies(decided.plan));
    io.err('Nothing was written. Change the plan, or the rule.\n');
  } else if (short) {
    io.err(`${formatPlan(decided.plan, target, styleFor(io, flags))}\n`);
    io.err(
      `Nothing was written. Make room, or accept the shortfall with 'fleetwright lock --accept-unplaced'.\n`,
    );
  } else if (!flags.quiet) {
    io.err(formatPolicies(decided.plan));
    const written = changed ? `Wrote ${path}.` : `${path} says so already.`;
    const lines = [
      formatTotals(decided.plan),
      ...formatVerdict(decided.fleet, decided.plan.policies),
      ...settled.map(
        ({ deployment, cluster, index }) => `Settled: ${deployment} leaves ${cluster}/${index}.`,
      ),
    ];
    io.out(`${lines.join('\n')}\n${formatNotes(decided.plan.notes)}${written}\n`);
  }
}

/** Every rule that is not met, a line each. */
function formatPolicies({ policies }: Decided['plan']): string {
  return policies.map((finding) => `${formatPolicy(finding)}\n`).join('');
}

function check(target: string, flags: LockFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, readLock);
  const stale = decided.stale || (flags.from === undefined && !hasLock(target, flags));
  if (flags.json) io.out(jsonDocument('LockCheck', { stale, totals: decided.plan.totals }));
  else if (stale) io.err(`${staleLock(target, flags).message}\n`);
  else if (!flags.quiet) io.out(`${lockPath(target, flags)} is up to date.\n`);
  const problems = (): Problem[] => [
    ...(stale ? [staleInFile(target, flags)] : []),
    ...shortfallProblems(decided),
  ];
  annotate(() => asErrors(problems()), flags, io);
  return exitCode([
    ...(stale ? [EXIT.stale] : []),
    ...(decided.plan.totals.unplaced > 0 ? [EXIT.unplaced] : []),
  ]);
}

/** What a command says that needs the lock to be up to date. */
export function staleLock(target: string, flags: CommonFlags): FleetwrightError {
  return new FleetwrightError([staleOf(target, flags)]);
}

/** The same at the head of the lock, where there is one. */
export function staleInFile(target: string, flags: CommonFlags): Problem {
  const problem = staleOf(target, flags);
  return hasLock(target, flags) ? { ...problem, where: `${problem.where}:1:1` } : problem;
}

function staleOf(target: string, flags: CommonFlags): Problem {
  const where = { lock: lockPath(target, flags), command: commandArguments(target, flags.lock) };
  return staleProblem(where, !hasLock(target, flags));
}
