import { findMoreNodes } from '../../analyze/survive/more-nodes';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { toDiagnosticDocument } from '../../base/diagnostic-document';
import { formatCommandArguments, joinNames, pluralize, quoteShellWord } from '../../base/text';
import { estimateStateCost } from '../../diff/cost-estimates';
import { writeFileAtomic } from '../../files/write-file';
import { hasBlockingShortfall } from '../../plan/apply-blockers';
import { findLostLines, keepHeldLines } from '../../plan/held-deployments';
import { findUnrefusedRemoval, isForLackOfRoom } from '../../plan/large-removals';
import { computeCostOfPlacements } from '../../plan/plan-cost';
import { checkPolicies, isDeniedByPolicy } from '../../plan/policy/check-policies';
import { createUsageLookup } from '../../plan/replica-usage';
import { formatMoreNodes, listPricesOfMoreNodes } from '../../report/analyze/added-nodes-text';
import { type Finalization, formatFinalization, formatFinalizedTotal } from '../../report/plan/finalized-text';
import { annotatePlan, toShortfallProblems } from '../../report/plan/plan-annotations';
import { formatPlan, formatWarnings, type PlanView } from '../../report/plan/plan-text';
import { formatPolicyFinding, formatPolicyVerdict } from '../../report/plan/policy-text';
import { toRemovalProblem } from '../../report/plan/removal-text';
import { formatRebalance, formatStopped } from '../../report/plan/rebalance-text';
import { formatFaultVerdict } from '../../report/plan/resource-error-text';
import { formatTotal } from '../../report/plan/total-line';
import { formatLock, type Lock } from '../../scheduler/lock/lock';
import { computeNextLock } from '../../scheduler/lock/next-lock';
import { findLargeRemoval } from '../../scheduler/lock/removals';
import { placementKeyOf } from '../../scheduler/placement';
import {
  type CommonFlags,
  createOutOfDateLockAnnotation,
  createOutOfDateLockError,
  type DecidedFleet,
  type RebalanceFlags,
} from '../decide-fleet';
import { type AcceptFlags, decideValidResources, type RefitFlags, type ValidDecision } from '../decide-valid-resources';
import { policyExitCodesOf, shortfallExitCodesOf } from '../decision-exit-codes';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { planDocument } from '../json-documents';
import type { OnlyFlags } from '../narrow-plan';
import { createStyle, type Io, printAnnotations } from '../output';
import { hasLock, lockPathOf, readLockResolvingConflicts } from '../read-inputs';
import { faultExitCodesOf, printFaults, printImpossible, toFaultFields } from '../resource-errors';

export interface LockFlags extends CommonFlags, OnlyFlags, RebalanceFlags, RefitFlags, AcceptFlags {
  readonly acceptRemovals?: boolean;
  readonly finalize?: boolean;
  readonly check?: boolean;
  readonly from?: string;
}

/**
 * `fleetwright lock`: accepts the plan and writes it to the lock file. Writes nothing while replicas have no place,
 * unless `--accept-unplaced` accepts that, or when most replicas would be removed, unless `--accept-removals` accepts
 * that. With `--check`, it only compares.
 */
export function runLock(target: string, flags: LockFlags, io: Io): ExitCode {
  if (flags.check) return checkLock(target, flags, io);
  const current = decideValidResources(target, flags, io, readLockResolvingConflicts);
  const computed = computeNextLock(current.model, current.schedule, current.previous, flags);
  const next = dropLostLines(keepHeldLines(computed, current.given, current.held), current, flags);
  const decided = flags.finalize ? withFinalizedPolicies(current, next) : current;
  const short = !flags.acceptUnplaced && hasBlockingShortfall(decided.plan);
  const path = lockPathOf(target, flags);
  const denied = policyExitCodesOf(decided);
  const removal = findRemoval(target, flags, decided, next);
  const refused = short || denied.length > 0 || removal !== undefined;
  const changed = !refused && writeFileAtomic(path, formatLock(next));
  const finalization = flags.finalize ? finalizationOf(decided, next) : undefined;
  const emptied = listEmptied(decided, next);
  const accepting = acceptingFlags(decided, next);
  printOutcome(target, flags, io, { decided, finalization, path, short, accepting, removal, changed, emptied });
  printFaults(decided, flags, io);
  if (!flags.acceptUnplaced && !short) printImpossible(decided, flags, io);
  const problems = (): Diagnostic[] => [
    ...decided.problems,
    ...(removal ? [removal] : []),
    ...annotatePlan(decided, flags.acceptUnplaced),
  ];
  printAnnotations(problems, flags, io);
  const unplaced = flags.acceptUnplaced ? [] : shortfallExitCodesOf(decided);
  return chooseExitCode([...faultExitCodesOf(decided), ...denied, ...unplaced, ...(removal ? [EXIT.refused] : [])]);
}

/** Evaluates the policies on what runs once this lock is written. */
function withFinalizedPolicies(decided: ValidDecision, { placements }: Lock): ValidDecision {
  const { fleet, model, matcher, plan, given, locate } = decided;
  const cost = computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher));
  const judged = { fleet, model, matcher, cost, placements, totals: plan.totals, former: given.placements };
  return { ...decided, plan: { ...plan, policies: checkPolicies(judged, locate) } };
}

/** With `--accept-unplaced`, replicas of deployments with errors are removed from clusters that are not declared. */
function dropLostLines(next: Lock, { model, held }: ValidDecision, { acceptUnplaced, only }: LockFlags): Lock {
  if (!acceptUnplaced || only) return next;
  const lost = new Set(findLostLines(model, held).map(placementKeyOf));
  return { ...next, placements: next.placements.filter((line) => !lost.has(placementKeyOf(line))) };
}

/** Why removals need to be accepted. Undefined if they are, or if they only follow from a lack of room that is not accepted. */
function findRemoval(
  target: string,
  flags: LockFlags,
  { previous: { placements: before }, plan }: DecidedFleet,
  { placements: after }: Lock,
): Diagnostic | undefined {
  if (flags.acceptRemovals) return undefined;
  const { acceptUnplaced } = flags;
  const removal = acceptUnplaced ? findLargeRemoval(before, after) : findUnrefusedRemoval(before, after, plan);
  if (!removal) return undefined;
  const command = formatCommandWith({ acceptRemovals: true }, target, flags);
  return toRemovalProblem(removal, lockPathOf(target, flags), command, isForLackOfRoom(before, after, plan));
}

/** The flags with which the replicas without a place are given up. */
function acceptingFlags({ previous }: DecidedFleet, next: Lock): Partial<LockFlags> {
  const isLarge = findLargeRemoval(previous.placements, next.placements) !== undefined;
  return { acceptUnplaced: true, ...(isLarge && { acceptRemovals: true }) };
}

/** The flags that decide what is in the next lock. */
const DECIDING_FLAGS = [
  ['only', '--only'],
  ['from', '--from'],
  ['rebalance', '--rebalance'],
  ['refit', '--refit'],
  ['finalize', '--finalize'],
  ['acceptUnplaced', '--accept-unplaced'],
  ['acceptRemovals', '--accept-removals'],
] as const satisfies readonly (readonly [keyof LockFlags, string])[];

/** The command of this run with a further flag. */
function formatCommandWith(added: Partial<LockFlags>, target: string, flags: LockFlags): string {
  const all = { ...flags, ...added };
  const words = DECIDING_FLAGS.flatMap(([key, flag]) =>
    [all[key] ?? false]
      .flat()
      .filter((value) => value !== false)
      .map((value) => (value === true ? flag : `${flag}=${quoteShellWord(value)}`)),
  );
  return ['fleetwright lock', formatCommandArguments(target, flags.lock), ...words].join(' ');
}

/** What becomes of draining replicas, of those that this run is about. */
function finalizationOf({ schedule, held, plan }: ValidDecision, next: Lock): Finalization {
  const draining = schedule.placements.filter(
    (one) => one.draining && !one.lost && !held.requested.has(one.deployment),
  );
  const kept = new Set(next.placements.map(placementKeyOf));
  const removed = draining.filter((one) => !kept.has(placementKeyOf(one)));
  const freed = new Set(removed.map(({ cluster }) => cluster));
  const waiting = plan.deployments.filter(({ shortfall }) => {
    return shortfall?.remedies.some((one) => one.kind === 'finalize' && freed.has(one.cluster));
  });
  return {
    removed,
    kept: draining.filter((one) => kept.has(placementKeyOf(one))),
    short: new Set(schedule.shortfalls.map(({ deployment }) => deployment)),
    waiting: waiting.map(({ deployment }) => deployment),
  };
}

interface LockOutcome {
  readonly decided: ValidDecision;
  /** Absent without `--finalize`. */
  readonly finalization: Finalization | undefined;
  readonly path: string;
  readonly short: boolean;
  /** The flags that accept the shortfall. */
  readonly accepting: Partial<LockFlags>;
  /** Why the removals of this run need to be accepted. Absent if they do not. */
  readonly removal: Diagnostic | undefined;
  readonly changed: boolean;
  /** The deployments that lose their last replica. */
  readonly emptied: readonly string[];
}

/** Lists the deployments that lose their last replica because none of theirs fits. */
function listEmptied({ plan, previous }: ValidDecision, next: Lock): string[] {
  const left = new Set(next.placements.map(({ deployment }) => deployment));
  const before = new Set(previous.placements.map(({ deployment }) => deployment));
  return plan.deployments
    .filter(({ deployment, shortfall }) => shortfall && before.has(deployment) && !left.has(deployment))
    .map(({ deployment }) => deployment);
}

function printOutcome(target: string, flags: LockFlags, io: Io, outcome: LockOutcome): void {
  const { decided, finalization, path, short, accepting, removal, changed, emptied } = outcome;
  if (flags.json) {
    printDocument(io, outcome);
  } else if (isDeniedByPolicy(decided.plan)) {
    io.err(formatPolicies(decided.plan));
    io.err('Nothing was written. Change the plan, or the rule.\n');
  } else if (removal) {
    io.err(`${formatDiagnostic(removal)}\nNothing was written.\n`);
  } else if (short) {
    io.err(
      `${formatPlan(decided.plan, target, {
        style: createStyle(io, flags),
        estimate: estimateStateCost(decided),
        ...formatNodesForAll(decided),
      })}\n`,
    );
    for (const line of formatStopped(decided.plan.deployments)) io.err(`${line}\n`);
    io.err(
      `Nothing was written. Add capacity, or accept the shortfall with '${formatCommandWith(accepting, target, flags)}'.\n`,
    );
  } else if (!flags.quiet) {
    const written = changed ? `Wrote ${path}.` : `${path} is up to date already.`;
    const lines = [
      ...(finalization ? formatFinalization(finalization, formatLockCommand(target, flags)) : []),
      ...(emptied.length > 0 ? [`Without a replica now: ${joinNames(emptied)}.`] : []),
      ...formatWarnings(decided.plan.warnings),
      ...countNotes(decided.plan.notes, target, flags),
      ...formatRebalance(decided.plan.deployments, flags.rebalance),
      written,
      finalization ? formatFinalizedTotal(decided.plan, finalization) : formatTotal(decided.plan),
      ...formatFaultVerdict(decided.problems),
      ...formatPolicyVerdict(decided.fleet, decided.plan.policies),
    ];
    io.out(`${lines.join('\n')}\n`);
  }
}

function formatLockCommand(target: string, { lock }: LockFlags): string {
  return `fleetwright lock ${formatCommandArguments(target, lock)}`;
}

/** How many notes there are, and what lists them: the plan that this run accepts had them. */
function countNotes({ length }: readonly string[], target: string, { lock }: LockFlags): string[] {
  if (length === 0) return [];
  const command = `fleetwright plan ${formatCommandArguments(target, lock)} --all`;
  return [`${pluralize(length, 'note')}: '${command}' lists ${length === 1 ? 'it' : 'them'}.`];
}

function printDocument(io: Io, { decided, finalization, path, removal, changed }: LockOutcome): void {
  const { totals, policies, warnings, notes } = planDocument(decided.plan);
  const refused = removal && { refused: toDiagnosticDocument(removal) };
  io.outDocument('Lock', {
    written: changed ? path : null,
    ...refused,
    totals,
    finalized: finalization?.removed ?? [],
    policies,
    warnings,
    notes,
    ...toFaultFields(decided),
  });
}

/** The nodes with which all replicas have a place, for the view of the plan. */
function formatNodesForAll({ plan, ...decided }: ValidDecision): Pick<PlanView, 'moreNodes' | 'prices'> {
  const found = findMoreNodes({ ...decided, cost: plan.cost }, plan.deployments);
  return found ? { moreNodes: formatMoreNodes(found, { prices: false }), prices: listPricesOfMoreNodes(found) } : {};
}

function formatPolicies({ policies }: DecidedFleet['plan']): string {
  return policies.map((finding) => `${formatPolicyFinding(finding)}\n`).join('');
}

function checkLock(target: string, flags: LockFlags, io: Io): ExitCode {
  const decided = decideValidResources(target, flags, io);
  const outOfDate = decided.outOfDate || (flags.from === undefined && !hasLock(target, flags));
  const denied = policyExitCodesOf(decided);
  if (denied.length > 0 && !flags.json) io.err(formatPolicies(decided.plan));
  const { totals, policies } = planDocument(decided.plan);
  if (flags.json) io.outDocument('LockCheck', { outOfDate, totals, policies, ...toFaultFields(decided) });
  else if (outOfDate) io.err(`${createOutOfDateLockError(target, flags, decided).message}\n`);
  else if (!flags.quiet) io.out(`${lockPathOf(target, flags)} is up to date${formatExceptions(decided)}.\n`);
  printFaults(decided, flags, io);
  const problems = (): Diagnostic[] => [
    ...decided.problems,
    ...(outOfDate ? [createOutOfDateLockAnnotation(target, flags, decided)] : []),
    ...toShortfallProblems(decided),
    ...decided.plan.policies,
  ];
  printAnnotations(problems, flags, io);
  const faults = faultExitCodesOf(decided);
  return chooseExitCode([
    ...faults,
    ...(outOfDate ? [EXIT.outOfDate] : []),
    ...denied,
    ...shortfallExitCodesOf(decided),
  ]);
}

/** What fails a check of a lock that is up to date: `, but the check fails: 2 errors in declarations`. */
function formatExceptions({ problems, plan: { totals } }: ValidDecision): string {
  const { unplaced } = totals;
  const parts = [
    ...(problems.length > 0 ? [`${pluralize(problems.length, 'error')} in declarations`] : []),
    ...(unplaced > 0 ? [`${pluralize(unplaced, 'replica')} without a place`] : []),
  ];
  return parts.length > 0 ? `, but the check fails: ${parts.join(', ')}` : '';
}
