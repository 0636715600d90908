import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { ModelEndpoint } from '../../api/model-endpoint';
import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { pluralize, toSentence } from '../../base/text';
import type { Cost } from '../../cost/cost';
import type { FleetDiff, ObjectChangeWithCauses } from '../../diff/fleet-diff';
import { downtimeAsApplied } from '../../diff/downtime';
import { type ApplyMode, countAsApplied } from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import { formatCostChangeParts, titleOfCostParts } from '../cost/cost-changes-text';
import { describeSigns, describeUncounted } from '../cost/cost-notes';
import { type CiteEdits, type FormatCauses, formatCacheChange, formatObjectTotals } from '../diff/change-sentences';
import { sayBeforeMerging } from '../diff/change-steps';
import { formatCloudChanges, formatCloudTotals } from '../diff/cloud-changes-text';
import { countWaves } from '../diff/cluster-waves';
import { formatObject } from '../diff/diff-text';
import { collectRefusals, type Refusals } from '../diff/refusals';
import { describePaces } from '../diff/scaling-text';
import type { Block } from '../document/document';
import {
  cutLines,
  EACH_CHANGE,
  escapeMarkdown,
  formatCode,
  formatFoldedMarkdown,
  formatFoldedSection,
} from '../document/write-markdown';
import { formatTotal } from '../plan/total-line';
import { type DeploymentRow, toDeploymentRows } from './deployment-rows';
import { formatShortfall } from '../plan/shortfall-text';
import { formatAcceptedLines } from './accepted-lines';
import { noteSums } from './capped-cost';
import { formatReplicasFold, formatRoutesFold } from './change-folds';
import { costInTable, formatDeploymentTable } from './deployment-table';
import { listPolicyEdits } from '../../diff/policy-changes';
import { type CreateLink, type EditList, numberEdits } from './edit-list';
import { listFirstSteps, listNextSteps } from './first-steps';
import { groupRows } from './group-rows';
import { type CommentGate, describeApplied, describeVerdict, formatHeading, judgeChange } from './heading';
import { formatHeadline, listUsedClusters } from './headline';
import { createInheritedNotes } from './inherited-values';
import { ANY_FLEET, type NextCommands } from './lock-steps';
import { listLostSteps, noteLost } from './lost-steps';
import { listNameFolds } from './name-folds';
import { formatNewNeeds } from './new-needs';
import { type ExplainLevel, formatLevelNotes } from './pod-security-notes';
import { linkPositions } from './position-links';
import { listRecordSteps } from './record-steps';
import { formatRefusalLines, listMoveSteps, listOtherReasons, type OutOfDateLock } from './refusal-lines';
import { formatSpaceNotes, formatStagingNotes, formatTierNotes } from './staging-notes';
import { arrangeSteps } from './step-list';
import { formatTrafficTable, omitRenamed } from './traffic-table';
import { nameOutside } from './traffic-clauses';
import { type SortedWarnings, sortWarnings } from './warning-sections';

/** The maximum length of a comment. GitHub allows 65,536 characters; the rest is for text that other tools add. */
export const MAX_COMMENT_CHARACTERS = 60_000;

const MAX_VERDICT_CHARACTERS = 5_000;

/** The minimum characters for each folded section: its title and some lines. */
const MIN_FOLD_CHARACTERS = 1_000;

/** An upper bound for the characters of a line that counts omitted lines. */
const NOTE_CHARACTERS = 100;

/** The parts of a comment that do not come from the comparison or the plan. */
interface CommentContext {
  /** The name of what is planned, which is the position of warnings that no edit causes. */
  readonly name: string;

  /** The lock that has to be written before the change is merged. Absent: the lock matches the plan. */
  readonly outOfDate?: OutOfDateLock | undefined;

  /** The commands of the fleet that steps name. */
  readonly commands?: NextCommands;

  /** The errors of resources that stay as they are. */
  readonly problems?: readonly Diagnostic[];

  /** What the gate says. Absent: no gate runs. */
  readonly gate?: CommentGate | undefined;

  /** Why a namespace restricts its pods less. Default: that is not known. */
  readonly levelReasonOf?: ExplainLevel;

  /** The endpoints that services can have. Default: their addresses are not named. */
  readonly endpoints?: readonly ModelEndpoint[];

  /** The later pools of spot nodes: `us/l4`. Default: they are not told apart. */
  readonly spotPools?: readonly string[];

  /** Whether a program renders the objects. What it changes after `place()` is not compared. */
  readonly isProgram?: boolean;

  /** The lines at the end besides that of the gate, which the heading has. */
  readonly verdicts: readonly string[];

  /** The warnings of the earlier state. Warnings that both states have are folded. */
  readonly earlierWarnings: readonly Diagnostic[];

  /** What policies say of the earlier state. What they say of both states is folded. Default: that is not known. */
  readonly earlierPolicies?: Plan['policies'] | undefined;

  /** What the earlier rules say of the later state. Where they deny nothing, an edit of a rule can be undone. */
  readonly policiesUndone?: Plan['policies'] | undefined;

  /** The cost of the earlier state. What has no price only since the change is named. Default: that is not known. */
  readonly earlierCost?: Cost | undefined;

  /** The nodes that give all replicas without a place one. */
  readonly moreNodes?: MoreNodes | undefined;

  /** The nodes that give replicas of lost clusters a place, where it is accepted that they have none. */
  readonly nodesForLost?: MoreNodes | undefined;

  /** The address of a source position. Default: positions are no links. */
  readonly linkOf?: CreateLink | undefined;
}

/**
 * Formats a comparison as a comment on a pull request: a heading with the verdict, a sentence that says what happens,
 * reasons to refuse the change, tables of deployments and of requests, the warnings that the change brings, and the details in folded sections. The
 * comment never exceeds the limit of GitHub; omitted lines are counted.
 */
export function formatPullRequestComment(diff: FleetDiff, plan: Plan, comment: CommentContext): string {
  const { gate, problems = [] } = comment;
  const { policies } = gate?.located.fleet ?? {};
  const edited = [...diff.declarations, ...listPolicyEdits(diff.policies, diff.declarations)];
  const edits = numberEdits(edited, comment.linkOf ?? (() => undefined), policies, createInheritedNotes(diff.routes));
  const findings = gate?.findings ?? [];
  const refused = { ...gate, diff, plan, problems, findings, fleet: gate?.located.fleet };
  const refusals = collectRefusals(refused);
  const warnings = sortWarnings(diff, plan, { ...comment, refusals, editsAt: edits.at, at: comment.name });
  const rows = toDeploymentRows(diff, plan, gate?.applied, new Set(comment.spotPools));
  const grouped = groupRows(rows);
  const folds: [string, readonly Block[]][] = [
    ['How to move replicas first', listMoveSteps({ refusals, cite: edits.cite }, diff)],
    ['Why nothing else fits', listOtherReasons(refusals.unplaced)],
    ["Why replicas do not fit, which the lock or 'allowPartial' accepts", listAcceptedReasons(rows, plan)],
    ...warnings.folds,
    ...listNameFolds(rows, grouped),
    ...listChangeFolds(diff, plan, { ...edits, applied: gate?.applied }),
    [`Warnings that the target branch has too: ${warnings.known.length}`, warnings.known],
  ];
  const shown = { ...comment, rows: grouped, refusals, cite: edits.cite, warnings };
  const headOf = (open: readonly string[], room: number): string[] =>
    formatHead(diff, plan, { ...shown, edits: open }, room);
  return layOut(
    folds.filter(([, blocks]) => blocks.length > 0),
    edits.lines,
    headOf,
  );
}

/** The folded sections on what changes, each with the numbers of its edits. */
function listChangeFolds(
  diff: FleetDiff,
  plan: Plan,
  { refer, applied }: Pick<EditList, 'refer'> & { readonly applied: ApplyMode | undefined },
): [string, readonly Block[]][] {
  const deployments = countWaves(diff.deployments, applied);
  const objects = groupBy(diff.objects, ({ cluster }) => cluster);
  return [
    ['Replicas', formatReplicasFold({ ...diff, deployments }, refer)],
    [`Caches: ${diff.caches.length} changed`, diff.caches.map((one) => formatCacheChange(one, refer))],
    [formatRouteTotals(diff.routes), formatRoutesFold(diff.routes, refer)],
    [`Cloud resources: ${formatCloudTotals(diff.cloud)}`, formatCloudChanges(diff.cloud, refer)],
    ['New, and must exist', formatNewNeeds(plan.mustExistNew, diff)],
    [diff.cost ? titleOfCostParts(diff.cost) : '', diff.cost ? formatCostChangeParts(diff.cost) : []],
    [
      `Objects: ${formatObjectTotals(diff.objects)}`,
      [...objects].flatMap(([cluster, changes]) => formatObjects(cluster, changes, refer)),
    ],
  ];
}

/** Why replicas have no place that the lock accepts to lack, of the deployments that the table has. */
function listAcceptedReasons(rows: readonly DeploymentRow[], { deployments }: Pick<Plan, 'deployments'>): Block[] {
  const accepted = new Set(rows.flatMap((row) => (row.unplaced?.accepted ? row.deployments : [])));
  return deployments.flatMap(({ deployment, shortfall }) =>
    shortfall && accepted.has(deployment) ? [deployment, { indent: 4, blocks: [formatShortfall(shortfall)] }] : [],
  );
}

/** `Routes: 2 services changed`; of cluster gateways alone, no services. */
function formatRouteTotals({ services, gateways }: FleetDiff['routes']): string {
  return services.length > 0
    ? `Routes: ${pluralize(services.length, 'service')} changed`
    : `Routes: ${pluralize(gateways.length, 'gateway')} changed`;
}

/** Joins the head, with the edits where they are few, and the folded sections, which share the room that is left. */
function layOut(
  folds: readonly [string, readonly Block[]][],
  edits: readonly string[],
  headOf: (open: readonly string[], room: number) => string[],
): string {
  const room = MAX_COMMENT_CHARACTERS - (folds.length + 1) * MIN_FOLD_CHARACTERS;
  const opened = edits.length <= MAX_OPEN_EDITS ? headOf(edits, room) : [];
  // A long head, or one that is cut, has no room for edits.
  const isShort = opened.length > 0 && opened.join('\n').length < room / 2;
  const isOpen = isShort && edits.length > 0 && edits.every((line) => opened.includes(line));
  const isFolded = edits.length > 0 && !isOpen;
  const count = folds.length + (isFolded ? 1 : 0);
  const text = [...(isOpen ? opened : headOf([], room)), ''].join('\n');
  const share = Math.floor((MAX_COMMENT_CHARACTERS - text.length) / Math.max(1, count));
  const title = `Edits: ${formatCount(edits.length)}; other sections refer to their numbers`;
  return [
    text,
    ...(isFolded ? [formatFoldedMarkdown(title, edits, share)] : []),
    ...folds.map(([summary, blocks]) => formatFoldedSection(summary, blocks, share)),
  ].join('\n');
}

/** The most edits that are not folded. */
export const MAX_OPEN_EDITS = 5;

/** The context of a comment, with the rows of its table and the edits that are not folded. */
interface HeadContext extends CommentContext {
  readonly rows: readonly DeploymentRow[];
  readonly edits: readonly string[];
  readonly refusals: Refusals;
  readonly cite: CiteEdits;

  /** The lines of warnings that are not folded. */
  readonly warnings: Pick<SortedWarnings, 'urgent' | 'lines'>;
}

/** A comparison whose numbers of serving replicas are those of a tool that applies changes in one way. */
function applyDiff(diff: FleetDiff, applied: ApplyMode = 'withWaves'): FleetDiff {
  const deployments = diff.deployments.map(({ downtime, ...one }) => ({
    ...one,
    serving: countAsApplied(one.serving, applied),
    ...(downtime && { downtime: downtimeAsApplied(downtime, applied) }),
  }));
  return { ...diff, deployments, routes: omitRenamed(diff) };
}

/** Formats the part of the comment that is not folded, in at most `room` characters. */
function formatHead(diff: FleetDiff, plan: Plan, comment: HeadContext, room: number): string[] {
  const { rows, gate } = comment;
  const judged = gate && judgeChange(diff, plan, comment.refusals, gate);
  const verdicts = [formatTotal(plan, diff), ...comment.verdicts, ...describeApplied(gate?.applied, diff)];
  const verdictLines = cutLines(
    verdicts.flatMap((verdict) => ['', escapeMarkdown(verdict)]),
    MAX_VERDICT_CHARACTERS,
    formatMoreLines,
  );
  const shown = applyDiff(diff, gate?.applied);
  const lines = [
    formatHeading(comment.name, diff.against, judged && describeVerdict(judged, comment)),
    '',
    formatHeadline(
      shown,
      rows,
      {
        ...plan,
        outside: nameOutside(comment.endpoints),
        moreNodes: comment.moreNodes,
        cite: comment.cite,
        isProgram: comment.isProgram,
      },
      comment.problems,
    ),
    '',
    ...withBlankLine([...formatProblems(diff, plan, comment), ...comment.warnings.urgent]),
    ...formatSteps(
      diff,
      plan,
      { ...comment, isRefused: judged !== undefined && judged.problems > 0 },
      formatTables(rows, shown, plan),
    ),
    ...describePaces(diff.paces, formatCode).flatMap((line) => [line, '']),
    ...formatOpenEdits(comment.edits),
    ...withBlankLine(comment.warnings.lines),
  ];
  const available = room - verdictLines.join('\n').length - NOTE_CHARACTERS;
  return [...cutLines(finishLines(lines, comment.linkOf), available, formatMoreLines), ...verdictLines];
}

/** The steps before and after a change, around the tables. */
function formatSteps(
  diff: FleetDiff,
  plan: Plan,
  { rows, gate, isRefused, ...comment }: HeadContext & { readonly isRefused: boolean },
  tables: readonly string[],
): string[] {
  const steps = [
    ...sayBeforeMerging(
      listFirstSteps(plan.mustExistNew, diff, { ...plan, merges: gate?.applied === 'perCluster' }),
      gate?.applied,
    ),
    ...listRecordSteps(diff.routes, plan),
    ...(isRefused
      ? []
      : [
          ...listNextSteps(rows, listUsedClusters(plan), plan, { ...diff, ...comment }),
          ...listLostSteps(rows, diff, { applied: gate?.applied, ...comment }),
        ]),
  ];
  const notes = [
    ...formatStagingNotes(diff),
    ...formatSpaceNotes(diff),
    ...formatTierNotes(diff),
    ...formatLevelNotes(diff, comment.levelReasonOf),
  ];
  const finalizing = isRefused ? noteFinalizing(tables, comment.commands) : [];
  return arrangeSteps(steps, notes, [...tables, ...finalizing]);
}

function formatProblems(diff: FleetDiff, plan: Plan, { gate, ...comment }: HeadContext): string[] {
  return [
    ...formatRefusalLines({ ...comment, located: gate?.located, removal: gate?.removal }, diff, plan),
    ...formatAcceptedLines(diff, plan, comment),
  ];
}

/** What finalizes old replicas, where a change is refused, so that no step says it. Empty: none of the tables has any. */
function noteFinalizing(tables: readonly string[], { command } = ANY_FLEET): string[] {
  if (!tables.some((line) => line.includes('until finalized'))) return [];
  const finalize = formatCode(`${command} --finalize`);
  return [`Finalized: when their replacements serve, ${finalize} stops the old replicas, in a later change.`, ''];
}

export function formatOpenEdits(edits: readonly string[]): string[] {
  return edits.length > 0 ? ['Edits:', '', ...edits, ''] : [];
}

/** The table of deployments with a legend of its costs, and that of requests. */
function formatTables(rows: readonly DeploymentRow[], diff: FleetDiff, plan: Pick<Plan, 'cost' | 'drains'>): string[] {
  const cost = costInTable(rows, diff.cost);
  const table = formatDeploymentTable(rows, diff, plan.cost);
  const signs = (cost ? describeSigns(cost.estimate?.assumed ?? [], plan.cost) : []).filter((note) =>
    table.some((line) => usesSign(line, note)),
  );
  const notes = [...signs, ...(diff.cost ? describeUncounted(diff.cloud, formatCode) : [])];
  return [
    ...withBlankLine(table),
    ...withBlankLine(diff.cost ? noteSums(diff.cost) : []),
    ...withBlankLine(noteLost(rows)),
    ...withBlankLine(notes.length === 0 ? [] : [toSentence(notes.join('; '))]),
    ...formatTrafficTable(
      diff.routes,
      plan.drains.flatMap((drain) => (drain.lost ? [drain.cluster] : [])),
    ),
  ];
}

/**
 * Whether a line has the sign of a note before an amount; before a number of replicas, it says what it says. The bundle
 * is read as Latin-1, so that regular expressions escape other characters.
 */
function usesSign(line: string, note: string): boolean {
  return line.replace(/\u2265 (?:\d[\d,]* of|all) /g, '').includes(note.slice(0, 1));
}

function withBlankLine(lines: readonly string[]): string[] {
  return lines.length > 0 ? [...lines, ''] : [];
}

/** Lines without blank ones at their end, with links. */
function finishLines(lines: readonly string[], linkOf: CreateLink | undefined): readonly string[] {
  const end = lines.findLastIndex((line) => line !== '');
  return linkPositions(lines.slice(0, end + 1), linkOf);
}

/** Starts with a blank line: otherwise the line would become part of the table or list above. */
function formatMoreLines(count: number): string[] {
  return ['', `And ${pluralize(count, 'more line')}: see ${formatCode(EACH_CHANGE)}.`];
}

function formatObjects(cluster: string, changes: readonly ObjectChangeWithCauses[], because: FormatCauses): Block[] {
  return [cluster, { indent: 4, blocks: changes.map((change) => formatObject(change, because)) }];
}
