import { basename, resolve } from 'node:path';
import { commandArguments } from '../command-arguments';
import type { FleetDiff } from '../diff/fleet-diff';
import { formatGate } from '../diff/gate-text';
import { formatMarkdown, type StaleLock } from '../diff/markdown';
import { formatDiff } from '../diff/text';
import { outageProblems } from '../diff/outage-problems';
import { diffTotals, outages, outageText, takenOver } from '../diff/words';
import { FleetwrightError } from '../errors';
import { writeFileAtomic } from '../files/write-file';
import { mapDataOf } from '../map/map-data-of';
import { mapPage } from '../map/map-page';
import { fitted } from './fitted';
import { type Annotation, asErrors } from '../plan/annotations';
import { formatGraph } from '../plan/graph';
import { planAnnotations } from '../plan/plan-annotations';
import { formatVerdict, policiesOf } from '../plan/policies-of';
import type { Style } from '../plan/style';
import { formatPlan, formatRemarks, formatTotals } from '../plan/text';
import { type AgainstFlags, diffAgainst } from './against';
import { costTables, costTotal } from './cost-view';
import { type CommonFlags, type Decided, decideFleet, policyCodes, shortfallCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { hasLock, lockPath, readLock } from './inputs';
import { staleInFile } from './lock';
import { annotate, type Io, jsonDocument, styleFor } from './output';
import { planFields } from './plan-document';
import { formatSavedPlan } from './saved-plan';

export interface PlanFlags extends CommonFlags, AgainstFlags {
  readonly detailedExitcode?: boolean;
  readonly from?: string;

  /** A git revision, a folder, or a saved plan. */
  readonly against?: string;
  readonly markdown?: boolean;

  /** Whether to print clusters and services as a graph in Mermaid. */
  readonly graph?: boolean;

  /** Whether to print what each part costs, as tables. */
  readonly cost?: boolean;

  /** Whether a change is refused that leaves users of a deployment without any replica. */
  readonly gate?: boolean;

  /** False with `--no-waves`: what applies manifests does not wait. */
  readonly waves?: boolean;

  /** Where to keep the plan, to compare another with it. */
  readonly save?: string;

  /** Where to write a map of the fleet. */
  readonly html?: string;
}

/** `fleetwright plan`: shows what accepting the declarations would do. Writes nothing but what `--save` and `--html` name. */
export function plan(target: string, flags: PlanFlags, io: Io): ExitCode {
  refuseTwoViews(target, flags);
  refuseWithoutAgainst(target, flags);
  const alone = decideFleet(target, flags, io, readLock);
  const comparison =
    flags.against === undefined
      ? undefined
      : diffAgainst(flags.against, target, flags, { decided: alone, io });
  const diff = comparison?.diff;
  const decided = diff ? judgedSince(alone, diff) : alone;
  if (flags.html !== undefined) {
    writeFileAtomic(flags.html, mapPage(mapDataOf(decided, fleetName(target), comparison)));
  }
  if (flags.save !== undefined) writeFileAtomic(flags.save, formatSavedPlan(decided, decided.lock));
  io.out(viewOf(decided, diff, { target, flags, io }));
  annotate(() => annotationsOf(decided, diff, { target, flags, io }), flags, io);
  const pending = flags.detailedExitcode && decided.stale ? [EXIT.pending] : [];
  return exitCode([
    ...shortfallCodes(decided),
    ...policyCodes(decided),
    ...pending,
    ...gate(diff, flags, io),
  ]);
}

/**
 * A decision whose rules count all that moves since the state that it is compared with: against a lock that is written
 * already nothing does.
 */
function judgedSince(decided: Decided, diff: FleetDiff): Decided {
  const { plan, schedule, locate } = decided;
  const move = takenOver(diff);
  if (move <= plan.totals.move) return decided;
  const judged = { ...decided, cost: plan.cost, placements: schedule.placements, totals: { move } };
  return { ...decided, plan: { ...plan, policies: policiesOf(judged, locate) } };
}

/** A page is read far from the folder that it was made in, so that it names the folder alone. */
function fleetName(target: string): string {
  return target === '-' ? 'from standard input' : basename(resolve(target));
}

interface Run {
  readonly target: string;
  readonly flags: PlanFlags;
  readonly io: Io;
}

/** What is asked for: JSON, a graph, a comment of a pull request, tables of costs, one line, or text for a person. */
function viewOf(decided: Decided, diff: FleetDiff | undefined, { target, flags, io }: Run): string {
  const style = styleFor(io, flags);
  if (flags.json) return jsonDocument('Plan', planFields(decided, diff));
  if (flags.graph) return formatGraph(decided.plan);
  const verdicts = verdictsOf(decided, diff, flags);
  if (diff && flags.markdown) {
    const stale = decided.stale ? staleLock(target, flags) : undefined;
    return formatMarkdown(diff, decided.plan, { name: target, stale, verdicts });
  }
  if (flags.quiet) return `${[...totalsOf(decided, diff, flags), ...verdicts].join('\n')}\n`;
  const lines = flags.cost
    ? [...costTables(decided.plan, diff, { style, width: io.width }), ...(verdicts.length > 0 ? [''] : [])]
    : linesOf(decided, diff, target, style);
  return `${fitted([...lines, ...verdicts.map(style.strong)].join('\n'), io.width)}\n`;
}

/** All of it, for a person. */
function linesOf({ plan }: Decided, diff: FleetDiff | undefined, target: string, style: Style): string[] {
  if (!diff) return [formatPlan(plan, target, style)];
  return [formatDiff(diff, style), '', ...formatRemarks(plan, style)];
}

/** The same in a line or two. */
function totalsOf({ plan }: Decided, diff: FleetDiff | undefined, { cost }: PlanFlags): string[] {
  if (cost) return [costTotal(plan, diff)];
  return [...(diff ? [`Changes of ${diffTotals(diff)}`] : []), formatTotals(plan)];
}

/** What a change is refused for, as a comment of it says, and what is to see to. */
function annotationsOf(decided: Decided, diff: FleetDiff | undefined, { target, flags }: Run): Annotation[] {
  const { gate, waves = true } = flags;
  const isStale = diff && decided.stale && flags.from === undefined;
  return [
    ...asErrors(isStale ? [staleInFile(target, flags)] : []),
    ...asErrors(diff && gate ? outageProblems(diff, waves, decided) : []),
    ...planAnnotations(decided),
  ];
}

/** What rules of the fleet, and the gate, say of a plan. */
function verdictsOf({ fleet, plan }: Decided, diff: FleetDiff | undefined, flags: PlanFlags): string[] {
  const { gate, waves = true } = flags;
  return [...formatVerdict(fleet, plan.policies), ...(diff && gate ? [formatGate(diff, waves)] : [])];
}

/** The lock that a comment asks to write; none where the plan is made from that of a revision. */
function staleLock(target: string, flags: PlanFlags): StaleLock | undefined {
  if (flags.from !== undefined) return undefined;
  return {
    path: lockPath(target, flags),
    command: `fleetwright lock ${commandArguments(target, flags.lock)}`,
    missing: !hasLock(target, flags),
  };
}

function gate(diff: FleetDiff | undefined, { gate, waves = true }: PlanFlags, io: Io): ExitCode[] {
  const refused = diff && gate ? outages(diff, waves) : [];
  for (const one of refused) io.err(`refused: ${outageText(one)}.\n`);
  return refused.length > 0 ? [EXIT.refused] : [];
}

/** Each is all that a run prints. */
const VIEWS = ['json', 'graph', 'markdown', 'cost'] as const;

function refuseTwoViews(target: string, flags: PlanFlags): void {
  const [one, other] = VIEWS.filter((view) => flags[view]);
  if (one === undefined || other === undefined) return;
  const what = `--${one} and --${other} each say what is printed`;
  throw new FleetwrightError([{ code: 'two-views', where: target, what, hint: 'Leave one out' }]);
}

/** Flags that mean nothing where no two states are compared, and whether they are given. */
const OF_TWO: Readonly<Record<string, (flags: PlanFlags) => boolean | undefined>> = {
  markdown: ({ markdown }) => markdown,
  gate: ({ gate }) => gate,
  'no-waves': ({ waves = true }) => !waves,
  'allow-dirty': ({ allowDirty }) => allowDirty,
};

function refuseWithoutAgainst(target: string, flags: PlanFlags): void {
  if (flags.against !== undefined) return refuseWithoutGate(target, flags);
  const without = Object.keys(OF_TWO).filter((flag) => OF_TWO[flag]?.(flags));
  if (without.length === 0) return;
  const named = without.map((flag) => `--${flag}`).join(' and ');
  const what = `${named} ${without.length === 1 ? 'is' : 'are'} for two states, and only one is named`;
  throw new FleetwrightError([{ code: 'no-against', where: target, what, hint: 'Add --against REVISION' }]);
}

function refuseWithoutGate(target: string, { gate, waves = true }: PlanFlags): void {
  if (gate || waves) return;
  const what = '--no-waves is for the gate, and it is not asked for';
  throw new FleetwrightError([{ code: 'no-gate', where: target, what, hint: 'Add --gate' }]);
}
