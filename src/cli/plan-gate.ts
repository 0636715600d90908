import type { MoreNodes } from '../analyze/survive/more-nodes';
import type { Diagnostic } from '../base/diagnostic';
import { getOrComputeWeak, lazily, type WeakPairMap } from '../base/memoize';
import { joinAnd, joinNames } from '../base/text';
import type { FleetDiff } from '../diff/fleet-diff';
import type { GateFinding, WorseTool } from '../diff/gate-findings';
import type { ApplyMode } from '../diff/serving-during-change';
import { crowdedSurgeOf } from '../plan/checks/crowded-surges';
import type { Decision } from '../plan/decision';
import { findUnrefusedRemoval } from '../plan/large-removals';
import type { Comparison } from './compare-against';
import { isDeniedByPolicy } from '../plan/policy/check-policies';
import type { RefusalText } from '../report/diff/gate-text';
import type { JudgedChange } from '../report/diff/gate-verdict';
import type { Refusals } from '../report/diff/refusals';
import type { TryRemedies } from '../report/diff/unplaced-findings';
import { formatRemoval } from '../report/plan/removal-text';
import type { LargeRemoval } from '../scheduler/lock/removals';
import { applyModeOf, type PlanFlags } from './commands/plan-flags';
import type { ValidDecision } from './decide-valid-resources';
import { describeExit, EXIT, EXIT_MEANINGS, type ExitCode } from './exit-code';
import type { Io } from './output';
import type * as PlanViews from './plan-views';
import { countWarnings } from './strict-warnings';

function views(): typeof PlanViews {
  return require('./plan-views') as typeof PlanViews;
}

/** What `--gate` judges. */
export interface Gate {
  readonly diff: FleetDiff;

  readonly applied: ApplyMode;

  /** A removal of most replicas that nothing else refuses, and that `--accept-removals` does not accept. */
  readonly removal: LargeRemoval | undefined;
  readonly findings: readonly GateFinding[];

  /** The tools with which it would refuse what it passes. */
  readonly worse: readonly WorseTool[];

  /** Whether it would refuse more without `--accept-removals`. */
  readonly acceptsRemovals: boolean;

  /** Tries what comes of it where the change declares remedies too. */
  readonly trialOf: TryRemedies;

  /** Finds the nodes that give all replicas without a place one. */
  readonly findMoreNodes: () => MoreNodes | undefined;

  /** Whether warnings fail the change too. */
  readonly strict: boolean;
}

/** Compares with the lock of the earlier state, and with the present lock: either can be the one that was cut off. */
export function createGate(
  decided: ValidDecision,
  comparison: Comparison | undefined,
  flags: PlanFlags,
): Gate | undefined {
  if (!comparison || !flags.gate) return undefined;
  const { before, diff } = comparison;
  const { acceptRemovals = false, strict = false } = flags;
  const lost = [before.decision.lock, decided.previous].flatMap(({ placements }) => {
    return findUnrefusedRemoval(placements, decided.lock.placements, decided.plan) ?? [];
  });
  const applied = applyModeOf(flags);
  const context = { before: before.decision, after: decided, applied, acceptRemovals };
  const { createRemedyTrial, findGateFindings, findWorseTools } = views();
  const trialOf = createRemedyTrial(comparison, decided, context);
  const [findings, worse] = [findGateFindings(diff, context), findWorseTools(diff, context)];
  const isLess = (): boolean =>
    lost.length > 0 || findGateFindings(diff, { ...context, acceptRemovals: false }).length > findings.length;
  const removal = acceptRemovals ? undefined : lost[0];
  const acceptsRemovals = acceptRemovals && isLess();
  const findMoreNodes = lazily(() => findNodesForAll(decided));
  return { diff, applied, removal, findings, worse, acceptsRemovals, trialOf, findMoreNodes, strict };
}

/** Finds the nodes for all replicas without a place. Undefined for a single one, or if there are none. */
export function findNodesForAll(decided: ValidDecision): MoreNodes | undefined {
  const { totals, cost, deployments } = decided.plan;
  return totals.unplaced < 2 ? undefined : views().findMoreNodes({ ...decided, cost }, deployments);
}

/** Finds the nodes for replicas of clusters that a change declares lost, where it accepts that they have no place. */
export function findNodesForAcceptedLost(decided: Decision, diff: FleetDiff): MoreNodes | undefined {
  const { totals, cost, deployments } = decided.plan;
  // Where others have no place either, nodes for one part of them are not enough.
  if (totals.unplaced > 0) return undefined;
  const { countAcceptedLost, findNodesForLost } = views();
  return findNodesForLost({ ...decided, cost }, deployments, countAcceptedLost(diff, decided.plan));
}

/** All that fails a change, with or without a gate. */
export function refusalsOf(decided: ValidDecision, gate: Gate): Refusals {
  return getOrComputeWeak(REFUSALS, gate, decided, collectRefusalsOf);
}

/** The comment, the exit code and the errors are made of the same refusals. */
const REFUSALS: WeakPairMap<Gate, ValidDecision, Refusals> = new WeakMap();

function collectRefusalsOf(gate: Gate, { plan, fleet, problems }: ValidDecision): Refusals {
  return views().collectRefusals({ ...gate, plan, problems, fleet });
}

/** Prints what the gate refuses, and returns the exit code for it. */
export function runGate(gate: Gate, decided: ValidDecision, io: Io): ExitCode[] {
  const removal = describeRemoval(gate);
  const refused = [
    ...(removal ? [removal] : []),
    ...views().describeRefusals(refusalsOf(decided, gate), decided, gate),
  ];
  const joint = describeJoint(gate, decided);
  if (joint !== undefined) io.err(`${joint}.\n`);
  for (const one of refused) io.err(views().formatRefusedLines(one));
  return isRefused(gate, decided) ? [EXIT.refused] : [];
}

/** Whether the gate itself refuses a change: replicas without a place alone have an exit code of their own. */
function isRefused(gate: Gate, decided: ValidDecision): boolean {
  const { findings, unplaced } = refusalsOf(decided, gate);
  return gate.removal !== undefined || findings.length > 0 || unplaced.some((one) => one.findings.length > 0);
}

/** What solves all problems at once. Undefined: nothing is known that does. */
function describeJoint(gate: Gate, decided: ValidDecision): string | undefined {
  const refusals = refusalsOf(decided, gate);
  // A change that policies deny, or that removes too much, has no such remedy.
  const problems = views().countProblems(refusals, decided, { removal: false, denied: 0 });
  return views().describeJoint(refusals, problems, { cite: { nameEdits: namePlaces }, diff: gate.diff });
}

/** `fleet.yaml:11:53`: where edits are, which have no numbers here. */
function namePlaces(edits: readonly { readonly where: string }[]): string {
  return joinNames(edits.map(({ where }) => where));
}

/** Returns what the gate refuses as errors at their lines, without a removal of most replicas. */
export function toGateErrors(gate: Gate, decided: ValidDecision): Diagnostic[] {
  return views().toRefusalProblems(refusalsOf(decided, gate), decided, gate);
}

/** Counts what fails a change. */
export function judge(gate: Gate, decided: ValidDecision): JudgedChange {
  const { plan } = decided;
  const denied = plan.policies.filter(({ severity }) => severity === 'error').length;
  const refusals = refusalsOf(decided, gate);
  const exit = findOtherExit(gate, decided);
  return {
    ...gate,
    exit,
    unplaced: exit?.code === EXIT.unplaced ? 0 : plan.totals.unplaced,
    problems: views().countProblems(refusals, decided, { removal: gate.removal !== undefined, denied }),
  };
}

/** Finds why a refused change does not end with the exit code of a gate. Undefined: it does. */
export function findOtherExit(gate: Gate, decided: ValidDecision): ReturnType<typeof describeExit> | undefined {
  const { plan, problems } = decided;
  if (problems.length > 0) return describeExit('badInput', classifyErrors(problems));
  if (gate.strict && countWarnings([...plan.policies, ...plan.warnings]) > 0) {
    return describeExit('badInput', 'warnings, which --strict does not allow');
  }
  if (isRefused(gate, decided) || isDeniedByPolicy(plan) || plan.totals.unplaced === 0) return undefined;
  return describeExit('unplaced', views().describeUnplacedCount(plan.totals.unplaced));
}

/** What errors are about where no mistake in the input is: the change leaves too little room for what runs. */
const LACKS_ROOM: readonly { readonly isIn: (error: Diagnostic) => boolean; readonly meaning: string }[] = [
  { isIn: (error) => views().homelessOf(error) !== undefined, meaning: 'replicas lose their only places' },
  { isIn: (error) => crowdedSurgeOf(error) !== undefined, meaning: 'a surge has no room' },
];

/** `replicas lose their only places`: what kinds of errors there are, those of the input first. */
function classifyErrors(errors: readonly Diagnostic[]): string {
  const found = LACKS_ROOM.filter(({ isIn }) => errors.some(isIn));
  const isInput = errors.some((error) => !LACKS_ROOM.some(({ isIn }) => isIn(error)));
  return joinAnd([...(isInput ? [EXIT_MEANINGS.badInput] : []), ...found.map(({ meaning }) => meaning)]);
}

const REMOVAL_HINT =
  'If a file or a part of a file is missing, restore it; if the removal is intended, add --accept-removals to plan --gate';

/** What a removal of most replicas is refused with. */
export function describeRemoval({ removal }: Gate): RefusalText | undefined {
  return removal && { what: formatRemoval(removal), hint: REMOVAL_HINT };
}
