import { basename, dirname, resolve } from 'node:path';
import { attemptAll } from '../../base/attempt';
import type { Diagnostic } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { formatCommandArguments, quoteShellWord } from '../../base/text';
import { listEarlierRemarks } from '../../diff/earlier-remarks';
import { estimateStateCost } from '../../diff/cost-estimates';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { FleetState } from '../../diff/fleet-state';
import { writeFileAtomic } from '../../files/write-file';
import { explainSecurityLevel } from '../../plan/notes';
import { summarizePart } from '../../plan/part-summary';
import type { Plan } from '../../plan/plan';
import { listSpotPools } from '../../fleet/prices/node-price';
import { checkPolicies } from '../../plan/policy/check-policies';
import { createRendererSelector } from '../../render/renderers';
import { formatCost } from '../../report/cost/cost-summary';
import { formatCostTables, NOTHING_BOUGHT } from '../../report/cost/cost-tables';
import { type Block, styledLines } from '../../report/document/document';
import { terminalLines } from '../../report/document/write-terminal';
import type { MapComparison } from '../../report/map/build-map-data';
import type { Comparison } from '../compare-against';
import { annotatePlan } from '../../report/plan/plan-annotations';
import { planBlocks } from '../../report/plan/plan-text';
import { formatPolicyVerdict } from '../../report/plan/policy-text';
import { toRemovalProblem } from '../../report/plan/removal-text';
import { countReleases, formatReleases } from '../../report/plan/releases-text';
import { formatFaultEffect, formatFaultVerdict } from '../../report/plan/resource-error-text';
import { formatTotal } from '../../report/plan/total-line';
import { commandError } from '../command-error';
import { createOutOfDateLockAnnotation, type DecidedFleet } from '../decide-fleet';
import { decideValidResources, type ValidDecision } from '../decide-valid-resources';
import { pendingExitCodesOf, policyExitCodesOf, shortfallExitCodesOf } from '../decision-exit-codes';
import { chooseExitCode, describeExit, type ExitCode } from '../exit-code';
import { type PlanDocument, toPlanFields } from '../json-documents';
import { formatBlocks, formatJsonDocument, type Io, printAnnotations } from '../output';
import { readPageAssets } from '../page-assets';
import {
  createGate,
  describeRemoval,
  findNodesForAcceptedLost,
  findNodesForAll,
  findOtherExit,
  type Gate,
  judge,
  runGate,
  toGateErrors,
} from '../plan-gate';
import type * as PlanViews from '../plan-views';
import { lockPathOf } from '../read-inputs';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';
import { formatSavedPlan } from '../saved-plan';
import { refuseWarnings } from '../strict-warnings';
import { formatUnnoticedLock, nextCommandsOf, outOfDateLockOf } from './out-of-date-lock';
import { type PlanFlags, refuseComparedScope, refuseComparisonFlags, refuseTwoOutputs } from './plan-flags';

/** What compares states and draws fleets, which most runs do not need. */
function views(): typeof PlanViews {
  return require('../plan-views') as typeof PlanViews;
}

/** `fleetwright plan`: shows what accepting the declarations would do. Writes nothing but what `--save` and `--html` name. */
export function runPlan(target: string, flags: PlanFlags, io: Io): ExitCode {
  checkPlanFlags(target, flags);
  try {
    return runComparablePlan(target, flags, io);
  } catch (error) {
    if (flags.markdown && error instanceof FleetwrightError) printRefusedComment(error, target, flags, io);
    throw error;
  }
}

function printRefusedComment({ diagnostics }: FleetwrightError, target: string, flags: PlanFlags, io: Io): void {
  const { against, repoUrl } = flags;
  if (against === undefined) return;
  const comment = views().formatRefusedComment(diagnostics, {
    name: target,
    against,
    exit: describeExit('badInput'),
    declarations: views().compareDeclarations(against, target, flags, io),
    linkOf: views().createSourceLinks(target, repoUrl, io),
  });
  io.out(comment);
}

/** @throws FleetwrightError with all flags that exclude or need each other */
export function checkPlanFlags(target: string, flags: PlanFlags): void {
  attemptAll({
    outputs: () => refuseTwoOutputs(target, flags),
    comparison: () => refuseComparisonFlags(target, flags),
    scope: () => refuseComparedScope(target, flags),
  });
}

function runComparablePlan(target: string, flags: PlanFlags, io: Io): ExitCode {
  const { against } = flags;
  const alone = withComparisonNote(decideValidResources(target, flags, io), against !== undefined);
  const comparison =
    against === undefined ? undefined : views().compareAgainst(against, target, flags, { decided: alone, io });
  const gate = createGate(alone, comparison, flags);
  const judged = gate ? withoutGateWarnings(alone) : alone;
  const decided = comparison ? withFindingsSince(judged, comparison, target) : alone;
  if (flags.html !== undefined) {
    writeFileAtomic(
      flags.html,
      views().formatMapPage(views().buildMapData(decided, fleetNameOf(target, decided), comparison), readPageAssets()),
    );
  }
  if (flags.save !== undefined) writeFileAtomic(flags.save, formatSavedPlan(decided, decided.lock));
  if (flags.summary !== undefined) writeFileAtomic(flags.summary, formatPartSummary(target, decided));
  const run = { target, flags, io, gate, comparison };
  // What stops the change comes first: the plan of the rest can be long.
  printFaults(decided, flags, io);
  if (flags.json) {
    const fields = { ...toPlanFields(decided, comparison?.diff), ...moreNodesOf(decided, flags) };
    io.outDocument('Plan', { ...fields, ...toFaultFields(decided) });
  } else io.out(formatPlanOutput(decided, run) + nameWritten(flags));
  printAnnotations(() => annotationsOf(decided, run), flags, io);
  const pending = flags.detailedExitcode ? pendingExitCodesOf(decided, comparison?.diff) : [];
  return chooseExitCode([
    ...faultExitCodesOf(decided),
    ...shortfallExitCodesOf(decided),
    ...policyExitCodesOf(decided),
    ...pending,
    refuseWarnings([...decided.plan.policies, ...decided.plan.warnings], flags, io),
    ...(gate ? runGate(gate, decided, io) : []),
  ]);
}

/** Names the files that a run wrote, a line each. Empty next to a document and next to the total alone. */
function nameWritten({ html, save, summary, markdown, graph, quiet }: PlanFlags): string {
  if (markdown || graph || quiet) return '';
  const files: [what: string, file: string | undefined][] = [
    ['the map', html],
    ['the plan', save],
    ['the summary', summary],
  ];
  return files.map(([what, file]) => (file === undefined ? '' : `Wrote ${what} to ${file}.\n`)).join('');
}

/** What a comparison of a program leaves out. */
const PROGRAM_NOTE =
  'objects are compared as place() renders them, without later changes and additions of the program, which fleetwright synth includes.';

function withComparisonNote(decided: ValidDecision, isCompared: boolean): ValidDecision {
  if (!isCompared || decided.source !== 'program') return decided;
  return { ...decided, plan: { ...decided.plan, notes: [...decided.plan.notes, PROGRAM_NOTE] } };
}

/** Leaves out what the gate refuses, or passes with `--accept-removals`. */
function withoutGateWarnings(decided: ValidDecision): ValidDecision {
  const warnings = decided.plan.warnings.filter(({ code }) => code !== 'cluster-left');
  return { ...decided, plan: { ...decided.plan, warnings } };
}

/** Finds what is new, and evaluates the policies, since the compared state instead of since the lock. */
function withFindingsSince(compared: ValidDecision, { before, diff, applied }: Comparison, at: string): ValidDecision {
  const { mustExist } = compared.plan;
  const change = { before: before.decision, after: compared, mustExist, at, applied };
  const warnings = [...compared.plan.warnings, ...views().findChangeWarnings(diff, change)];
  const explained = views().explainEmptyServices(compared.problems, diff, before.decision.fleet.services);
  const problems = [...explained, ...views().findShrunkVolumes(diff, at)];
  const decided = { ...compared, plan: { ...compared.plan, warnings }, problems };
  const { plan, schedule, locate } = decided;
  const mustExistNew = views().findNeedsOfChange(diff, before.decision, plan.mustExist);
  const move = views().countReplacedReplicas(diff);
  if (move <= plan.totals.move) return { ...decided, plan: { ...plan, mustExistNew } };
  const judged = { ...decided, cost: plan.cost, placements: schedule.placements, totals: { move } };
  return { ...decided, plan: { ...plan, mustExistNew, policies: checkPolicies(judged, locate) } };
}

/** @throws FleetwrightError when the fleet has no name */
function formatPartSummary(target: string, decided: ValidDecision): string {
  const { settings } = decided.fleet;
  if (settings) return formatJsonDocument('PartSummary', summarizePart(settings.metadata.name, decided));
  const what = 'the fleet has no Fleet resource, whose name is that of the part';
  throw commandError('unnamed-part', target, what, "Add a resource of kind Fleet with 'metadata.name'");
}

/**
 * The name of the fleet on the map page: the declared one, else the name of its folder only, since the page is read
 * elsewhere. Of a folder that is called fleet, the name of the folder around it says more.
 */
function fleetNameOf(target: string, { fleet: { settings } }: DecidedFleet): string {
  if (settings) return settings.metadata.name;
  if (target === '-') return 'from standard input';
  const folder = resolve(target);
  return basename(folder) === 'fleet' ? basename(dirname(folder)) || 'fleet' : basename(folder);
}

/** The annotations of a change: the reasons why it is rejected, and other findings. */
function annotationsOf(decided: ValidDecision, { target, flags, gate, comparison }: PlanRun): Diagnostic[] {
  const isOutOfDate = comparison !== undefined && decided.outOfDate && flags.from === undefined;
  const { removal } = gate ?? {};
  const command = `fleetwright lock ${formatCommandArguments(target, flags.lock)} --accept-removals`;
  return [
    ...decided.problems,
    ...(isOutOfDate ? [createOutOfDateLockAnnotation(target, flags, decided)] : []),
    ...(removal ? [toRemovalProblem(removal, lockPathOf(target, flags), command)] : []),
    ...(gate ? toGateErrors(gate, decided) : []),
    ...annotatePlan(decided),
  ];
}

interface PlanRun {
  readonly target: string;
  readonly flags: PlanFlags;
  readonly io: Io;

  /** Absent if no gate runs. */
  readonly gate: Gate | undefined;

  /** Absent if the plan is compared with no other state. */
  readonly comparison: MapComparison | undefined;
}

/** Formats the plan for people, as requested: a graph, a pull request comment, cost tables, one line, or text. */
function formatPlanOutput(decided: ValidDecision, run: PlanRun): string {
  const { target, flags, io, gate, comparison } = run;
  const { plan } = decided;
  const diff = comparison?.diff;
  if (flags.graph) return views().formatFleetGraph(plan);
  if (comparison && flags.markdown) {
    const policies = formatPolicyVerdict(decided.fleet, plan.policies);
    const lock = formatUnnoticedLock(decided, target, flags);
    return formatComment(decided, { ...run, comparison }, [...policies, ...lock]);
  }
  const verdicts = [...formatVerdicts(decided, gate), ...formatUnnoticedLock(decided, target, flags)];
  if (flags.quiet) return `${[...formatTotalLines(decided, diff, flags), ...verdicts].join('\n')}\n`;
  const blocks = flags.cost
    ? [...formatPlanCostTables(decided, diff), ...(verdicts.length > 0 ? [''] : [])]
    : createPlanBlocks(decided, run);
  return formatBlocks([...blocks, ...styledLines('strong', verdicts)], { flags, io, fit: true });
}

function createPlanBlocks(decided: ValidDecision, { target, flags, gate, comparison }: PlanRun): Block[] {
  const { all = false, markdown, quiet, cost, strict } = flags;
  const { moreNodes } = moreNodesOf(decided, flags);
  // With --strict, each warning is a reason to refuse the plan.
  const isList = comparison && ![all, markdown, quiet, cost, strict].includes(true);
  const base = `fleetwright plan ${formatCommandArguments(target, flags.lock)}`;
  const command = comparison ? `${base} --against ${quoteShellWord(comparison.diff.against)} --all` : `${base} --all`;
  const view = {
    all,
    each: all || strict ? undefined : command,
    command: `${base} --all`,
    compare: `${base} --against REVISION`,
    moreNodes: moreNodes ? views().formatMoreNodes(moreNodes, { prices: false }) : [],
    estimate: comparison?.diff.cost ? undefined : estimateStateCost(decided),
    prices: moreNodes ? views().listPricesOfMoreNodes(moreNodes) : [],
    releases: all ? formatReleases(decided.fleet) : [],
    earlier: isList ? listEarlierRemarks(comparison.before) : undefined,
    read: decided.remarks.notes,
  };
  if (!comparison) return planBlocks(decided.plan, target, { ...view, releaseCount: countReleases(decided.fleet) });
  const { diff } = comparison;
  return views().comparisonBlocks(decided.plan, { ...view, diff, applied: gate?.applied }, all ? undefined : command);
}

/** What the policies of the state that a plan is compared with say of it. */
function checkEarlierPolicies({ decision, cost, locate }: FleetState): Plan['policies'] {
  const { placements } = decision.schedule;
  return checkPolicies({ ...decision, cost, placements, totals: { move: 0 } }, locate);
}

/** What the policies of the state that a plan is compared with say of the plan. */
function checkFormerRules(
  { decision }: FleetState,
  { plan, schedule, locate, ...decided }: ValidDecision,
): Plan['policies'] {
  const fleet = { ...decided.fleet, policies: decision.fleet.policies ?? [] };
  return checkPolicies(
    { ...decided, fleet, cost: plan.cost, placements: schedule.placements, totals: plan.totals },
    locate,
  );
}

/** The nodes for all replicas without a place, which only a plan with such replicas looks for. */
function moreNodesOf(
  decided: ValidDecision,
  { json, quiet, cost: isCost, graph, markdown }: PlanFlags,
): Pick<PlanDocument, 'moreNodes'> {
  const isShown = json === true || ![quiet, isCost, graph, markdown].includes(true);
  const found = isShown ? findNodesForAll(decided) : undefined;
  return found ? { moreNodes: found } : {};
}

function formatComment(
  decided: ValidDecision,
  { target, flags, io, gate, comparison: { before, diff } }: PlanRun & { readonly comparison: MapComparison },
  verdicts: readonly string[],
): string {
  return views().formatPullRequestComment(diff, decided.plan, {
    name: target,
    commands: nextCommandsOf(target, flags),
    outOfDate: decided.outOfDate ? outOfDateLockOf(target, flags, decided) : undefined,
    problems: decided.problems,
    gate: gate && {
      ...gate,
      exit: findOtherExit(gate, decided),
      removal: describeRemoval(gate),
      located: decided,
    },
    levelReasonOf: (lowered) =>
      explainSecurityLevel(decided.replicas, createRendererSelector(decided.renderers), lowered),
    endpoints: [...before.decision.fleet.endpoints, ...decided.fleet.endpoints],
    verdicts: [...verdicts, ...(decided.source === 'program' ? [`Note: ${PROGRAM_NOTE}`] : [])],
    isProgram: decided.source === 'program',
    earlierWarnings: listEarlierRemarks(before).warnings,
    earlierPolicies: checkEarlierPolicies(before),
    policiesUndone: diff.policies?.length ? checkFormerRules(before, decided) : undefined,
    earlierCost: before.cost,
    spotPools: listSpotPools(decided.fleet),
    moreNodes: gate ? gate.findMoreNodes() : moreNodesOf(decided, { ...flags, markdown: false }).moreNodes,
    nodesForLost: findNodesForAcceptedLost(decided, diff),
    linkOf: views().createSourceLinks(target, flags.repoUrl, io),
  });
}

function formatTotalLines(decided: DecidedFleet, diff: FleetDiff | undefined, { cost }: PlanFlags): string[] {
  if (cost) return [formatPlanCostTotal(decided, diff)];
  return [formatTotal(decided.plan, diff)];
}

function formatVerdicts(decided: ValidDecision, gate: Gate | undefined): string[] {
  const { fleet, plan, problems } = decided;
  const policies = formatPolicyVerdict(fleet, plan.policies);
  if (!gate) return [...formatFaultVerdict(problems), ...policies];
  return [...formatFaultEffect(problems), ...policies, views().formatGateVerdict(judge(gate, decided))];
}

/** Formats the cost of a fleet as tables. For a comparison, the cost before, after, and the difference. */
function formatPlanCostTables(decided: DecidedFleet, diff: FleetDiff | undefined): Block[] {
  if (diff?.cost) return views().formatCostChangeTables(diff.cost);
  return [...(diff ? [OTHER_CURRENCY] : []), ...formatCostTables(decided.plan.cost, estimateStateCost(decided))];
}

function formatPlanCostTotal(decided: DecidedFleet, diff: FleetDiff | undefined): string {
  const alone = (): Block[] => formatCost(decided.plan.cost, [], estimateStateCost(decided));
  const [total] = terminalLines(diff?.cost ? views().formatCostChanges(diff.cost) : alone());
  return total ?? NOTHING_BOUGHT;
}

const OTHER_CURRENCY = 'The other state has costs in another currency, so only the costs of this state are shown.';
