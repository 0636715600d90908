import type { ModelEndpoint } from '../../api/model-endpoint';
import type { Diagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { placeText, pluralize, toSentence } from '../../base/text';
import type { Cost } from '../../cost/cost';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { FleetDiff, ObjectChangeWithCauses } from '../../diff/fleet-diff';
import { type ApplyMode, countAsApplied } from '../../diff/serving-during-change';
import { describeUnplacedOf } from '../../plan/apply-blockers';
import type { Plan } from '../../plan/plan';
import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { formatMoreNodesLine } from '../analyze/survival-text';
import { formatCostChangeParts } from '../cost/cost-changes-text';
import { describeSigns, describeUncounted, listNewlyUnpriced } from '../cost/cost-notes';
import {
  type FormatCauses,
  formatCacheChange,
  formatElsewhere,
  formatObjectTotals,
  formatReplicaChange,
} from '../diff/change-sentences';
import { formatCloudChanges, formatCloudTotals } from '../diff/cloud-changes-text';
import { formatObject } from '../diff/diff-text';
import { formatRouteChanges } from '../diff/route-changes-text';
import { type Block, firstItems } from '../document/document';
import {
  cutLines,
  escapeMarkdown,
  formatCode,
  formatFoldedMarkdown,
  formatFoldedSection,
} from '../document/write-markdown';
import { describeKept, listShortDeployments } from '../diff/shortfall-changes';
import { splitWarnings } from '../plan/fresh-remarks';
import { formatFaultEffect, formatFaultVerdict } from '../plan/resource-error-text';
import { formatDrain, formatRequiredObjects } from '../plan/plan-text';
import { formatNearest } from '../plan/shortfall-text';
import { formatTotal } from '../plan/total-line';
import { type DeploymentRow, toDeploymentRows } from './deployment-rows';
import { costInTable, formatDeploymentTable } from './deployment-table';
import { type CreateLink, numberEdits } from './edit-list';
import { type ExplainLevel, formatFirstSteps, formatNextSteps } from './first-steps';
import { groupRows } from './group-rows';
import { formatHeadline, listUsedClusters } from './headline';
import { explainLostLabels } from './lost-labels';
import { listNameFolds } from './name-folds';
import { nameOutside } from './traffic-clauses';
import { formatWarning, groupPolicies, groupWarnings, omitSaidMismatches, shareReasons } from './warning-lines';
import { formatTrafficTable, omitRenamed } from './traffic-table';

/** The maximum length of a comment. GitHub allows 65,536 characters; the rest is for text that other tools add. */
const MAX_COMMENT_CHARACTERS = 60_000;

const MAX_VERDICT_CHARACTERS = 5_000;

/** The minimum characters for each folded section: its title and some lines. */
const MIN_FOLD_CHARACTERS = 1_000;

/** An upper bound for the characters of a line that counts omitted lines. */
const NOTE_CHARACTERS = 100;

/** The parts of a comment that do not come from the comparison or the plan. */
interface CommentContext {
  readonly name: string;

  /** The lock that has to be written before the change is merged. Absent: the lock matches the plan. */
  readonly stale?: StaleLock | undefined;

  /** The errors of resources that stay as they are. */
  readonly problems?: readonly Diagnostic[];

  /** The positions of what the gate refuses. Warnings of it are not repeated. */
  readonly refusedAt?: readonly string[];

  /** How the change is applied. Default: wave by wave. */
  readonly applied?: ApplyMode | undefined;

  /** Why a namespace restricts its pods less. Default: that is not known. */
  readonly levelReasonOf?: ExplainLevel;

  /** The endpoints that services can have. Default: their addresses are not named. */
  readonly endpoints?: readonly ModelEndpoint[];

  /** The later pools of spot nodes: `us/l4`. Default: they are not told apart. */
  readonly spotPools?: readonly string[];

  /** What the gate refuses, as sentences, or a function that makes them and names edits as the comment does. */
  readonly refused: readonly string[] | ((because: FormatCauses) => readonly string[]);
  readonly verdicts: readonly string[];

  /** The warnings of the earlier state. Warnings that both states have are folded. */
  readonly earlierWarnings: readonly Diagnostic[];

  /** The cost of the earlier state. What has no price only since the change is named. Default: that is not known. */
  readonly earlierCost?: Cost | undefined;

  /** The nodes that give all replicas without a place one. */
  readonly moreNodes?: MoreNodes | undefined;

  /** The address of a source position. Default: positions are no links. */
  readonly linkOf?: CreateLink | undefined;
}

export interface StaleLock {
  readonly path: string;

  /** The command that writes the lock: `fleetwright lock fleet`. */
  readonly command: string;
  readonly missing: boolean;

  /** Whether the command writes nothing until there is room, or a shortfall is accepted. */
  readonly short: boolean;

  /** Whether the command writes nothing until the removal of most replicas is accepted. */
  readonly removes: boolean;
}

/**
 * Formats a comparison as a comment on a pull request: a sentence that says what happens, reasons to refuse the change,
 * tables of deployments and of requests, the warnings that the change brings, and the details in folded sections. The
 * comment never exceeds the limit of GitHub; omitted lines are counted.
 */
export function formatPullRequestComment(diff: FleetDiff, plan: Plan, comment: CommentContext): string {
  const objects = groupBy(diff.objects, ({ cluster }) => cluster);
  const edits = numberEdits(diff.declarations, comment.linkOf ?? (() => undefined));
  const { refer, cite } = edits;
  const refused = typeof comment.refused === 'function' ? comment.refused(cite) : comment.refused;
  const { fresh: all, known } = splitWarnings(plan, comment);
  const misfits = listShortDeployments(plan, diff).map(({ shortfall }) => formatNearest(shortfall));
  const fresh = omitSaidMismatches(all, [...(comment.problems ?? []).map(({ message }) => message), ...misfits]);
  const rows = toDeploymentRows(diff, plan, comment.applied, new Set(comment.spotPools));
  const grouped = groupRows(rows);
  const folds: [string, readonly Block[]][] = [
    ...listNameFolds(rows, grouped),
    ['Replicas', diff.deployments.flatMap((one) => formatReplicas(one, refer))],
    [`Caches: ${diff.caches.length} changed`, diff.caches.map((one) => formatCacheChange(one, refer))],
    [formatRouteTotals(diff.routes), formatRouteChanges(diff.routes, refer)],
    [`Cloud resources: ${formatCloudTotals(diff.cloud)}`, formatCloudChanges(diff.cloud, refer)],
    ['New, and must exist before manifests are applied', formatRequiredObjects(plan.mustExistNew, 'On clusters:')],
    ['Cost an hour', diff.cost ? formatCostChangeParts(diff.cost) : []],
    [
      `Objects: ${formatObjectTotals(diff.objects)}`,
      [...objects].flatMap(([cluster, changes]) => formatObjects(cluster, changes, refer)),
    ],
    [`Warnings that the target branch has too: ${known.length}`, known.map(formatWarning)],
  ];
  const headOf = (open: readonly string[], room: number): string[] =>
    formatHead(diff, { ...plan, warnings: fresh }, { ...comment, refused, rows: grouped, edits: open }, room);
  return layOut(
    folds.filter(([, blocks]) => blocks.length > 0),
    edits.lines,
    headOf,
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
  const title = `Edits: ${edits.length}; other sections refer to their numbers`;
  return [
    text,
    ...(isFolded ? [formatFoldedMarkdown(title, edits, share)] : []),
    ...folds.map(([summary, blocks]) => formatFoldedSection(summary, blocks, share)),
  ].join('\n');
}

/** The most edits that are not folded. */
const MAX_OPEN_EDITS = 5;

/** The context of a comment, with the rows of its table and the edits that are not folded. */
interface HeadContext extends CommentContext {
  readonly rows: readonly DeploymentRow[];
  readonly edits: readonly string[];
  readonly refused: readonly string[];
}

/** A comparison whose numbers of serving replicas are those of a tool that applies changes in one way. */
function applyDiff(diff: FleetDiff, applied: ApplyMode = 'withWaves'): FleetDiff {
  const deployments = diff.deployments.map((one) => ({ ...one, serving: countAsApplied(one.serving, applied) }));
  return { ...diff, deployments, routes: omitRenamed(diff) };
}

/**
 * Formats the part of the comment that is not folded, in at most `room` characters.
 *
 * @param plan with the warnings that the change brings
 */
function formatHead(diff: FleetDiff, plan: Plan, comment: HeadContext, room: number): string[] {
  const verdictLines = cutLines(
    [formatTotal(plan, diff), ...comment.verdicts].flatMap((verdict) => ['', escapeMarkdown(verdict)]),
    MAX_VERDICT_CHARACTERS,
    formatMoreLines,
  );
  const { rows } = comment;
  const shown = applyDiff(diff, comment.applied);
  const lines = [
    `### Fleet ${formatCode(comment.name)} against ${formatCode(diff.against)}`,
    '',
    ...withBlankLine(formatProblems(comment, diff)),
    ...withBlankLine(formatMisfits(plan, diff, comment.moreNodes)),
    formatHeadline(
      shown,
      rows,
      { ...plan, outside: nameOutside(comment.endpoints), moreNodes: comment.moreNodes },
      comment.problems,
    ),
    '',
    ...formatRefusals(plan, comment),
    ...formatFirstSteps(plan.mustExistNew, diff, comment.levelReasonOf),
    ...formatTables(rows, shown, plan),
    ...formatNextSteps(rows, listUsedClusters(plan), plan.cost),
    ...(comment.edits.length > 0 ? ['Edits:', '', ...comment.edits, ''] : []),
    ...formatAttention(plan, comment),
  ];
  const available = room - verdictLines.join('\n').length - NOTE_CHARACTERS;
  return [...cutLines(trimBlankLines(lines), available, formatMoreLines), ...verdictLines];
}

/** The table of deployments with a legend of its costs, and that of requests. */
function formatTables(rows: readonly DeploymentRow[], diff: FleetDiff, plan: Pick<Plan, 'cost'>): string[] {
  const cost = costInTable(rows, diff.cost);
  const table = formatDeploymentTable(rows, diff, plan.cost);
  const signs = (cost ? describeSigns(cost, plan.cost) : []).filter((note) =>
    table.some((line) => usesSign(line, note)),
  );
  const notes = [...signs, ...(diff.cost ? describeUncounted(diff.cloud, formatCode) : [])];
  return [
    ...withBlankLine(table),
    ...withBlankLine(notes.length === 0 ? [] : [toSentence(notes.join('; '))]),
    ...formatTrafficTable(diff.routes),
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

function trimBlankLines(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, end + 1);
}

/** Starts with a blank line: otherwise the line would become part of the table or list above. */
function formatMoreLines(count: number): string[] {
  return ['', `And ${pluralize(count, 'more line')}: see ${formatCode('fleetwright plan')}.`];
}

function formatRefusals({ policies }: Plan, { stale, refused }: Pick<HeadContext, 'stale' | 'refused'>): string[] {
  const denied = groupPolicies(policies.filter(({ severity }) => severity === 'error'));
  return withBlankLine([
    ...(stale ? [`- :x: ${formatStaleLock(stale, denied.length > 0)}`] : []),
    ...formatList(':x:', [...refused, ...denied], 'findings'),
  ]);
}

/** @param isDenied whether policies deny the plan. Then the command writes nothing. */
function formatStaleLock({ path, command, missing, short, removes }: StaleLock, isDenied: boolean): string {
  const what = missing ? `There is no ${formatCode(path)} yet` : `${formatCode(path)} is out of date`;
  if (isDenied) return `${what}. The lock cannot be written until the policies are met.`;
  const own = removes ? `${command} --accept-removals` : command;
  const meant = removes ? 'If the removal is intended, run' : 'Run';
  if (!short) return `${what}. ${meant} ${formatCode(own)} and commit it.`;
  const accept = formatCode(`${own} --accept-unplaced`);
  return `${what}. Add capacity and run ${formatCode(own)}, or run ${accept}; then commit it.`;
}

/** The maximum number of items of a list, which keeps a comment readable. */
const MAX_LIST_ITEMS = 20;

const MAX_ITEM_CHARACTERS = 1000;

function formatAttention(plan: Plan, { earlierCost }: CommentContext): string[] {
  const warnings = [
    ...plan.drains.filter(({ stuck }) => stuck.length > 0).map(formatDrain),
    ...groupPolicies(plan.policies.filter(({ severity }) => severity === 'warning')),
    ...groupWarnings(plan.warnings),
    ...(earlierCost ? listNewlyUnpriced(plan.cost, earlierCost) : []),
  ];
  return withBlankLine(formatList(':warning:', warnings, 'warnings'));
}

/** Formats texts as a list. Items above the maximum are counted with a noun. */
function formatList(sign: string, texts: readonly string[], noun: string): string[] {
  const items = texts.map((text) => `- ${sign} ${escapeMarkdown(text.slice(0, MAX_ITEM_CHARACTERS))}`);
  return firstItems(items, MAX_LIST_ITEMS, (more) => `- and ${more} more ${noun}`);
}

/** Formats that a change is refused because of errors, and which. */
function formatProblems({ problems: all = [], applied }: CommentContext, diff: FleetDiff): string[] {
  const { deployments, declarations } = diff;
  const problems = explainLostLabels(all, declarations);
  // The verdict of the gate, which has its own line, counts the errors.
  const [verdict] = applied === undefined ? formatFaultVerdict(problems) : formatFaultEffect(problems);
  if (verdict === undefined) return [];
  const subjects = new Set(problems.flatMap(({ subject }) => subject ?? []));
  const disrupted = deployments
    .filter(({ deployment }) => subjects.has(`ModelDeployment ${deployment}`))
    .flatMap(({ changes }) => changes.filter(({ nodes }) => nodes !== undefined));
  const whose = subjects.size === 1 ? 'Its' : 'Their';
  const stop = disrupted.length === 1 ? 'stops' : 'stop';
  const isForGood = disrupted.every(({ misplaced }) => misplaced);
  const how = isForGood ? 'for good: the new nodes do not match' : 'because nodes are replaced';
  const despite =
    disrupted.length === 0
      ? ''
      : ` ${whose} manifests do not change, but ${pluralize(disrupted.length, 'replica')} ${stop} ${how}.`;
  return [
    `**${escapeMarkdown(`${verdict}${despite}`)}**`,
    '',
    ...formatList(':x:', groupWarnings(shareReasons(problems)), 'errors'),
  ];
}

/** Formats the comment on a change that is refused as a whole, because of errors that concern all of a fleet. */
export function formatRefusedComment(name: string, against: string, problems: readonly Diagnostic[]): string {
  const verdict = `Refused as a whole: ${pluralize(problems.length, 'error')}. Nothing is planned until corrected.`;
  return [
    `### Fleet ${formatCode(name)} against ${formatCode(against)}`,
    '',
    `**${verdict}**`,
    '',
    ...formatList(':x:', groupWarnings(problems), 'errors'),
    '',
  ].join('\n');
}

/** The most reasons above the sentence. */
const MAX_MISFITS = 3;

/** Formats which replicas do not fit although nothing accepts that, why, and what would help. */
function formatMisfits(plan: Plan, diff: FleetDiff, moreNodes: MoreNodes | undefined): string[] {
  const short = listShortDeployments(plan, diff).filter(({ shortfall }) => !shortfall.accepted);
  const reasoned = short.map((one) => ({ one, why: formatNearest(one.shortfall, describeKept(one.deployment, diff)) }));
  const items = [...groupBy(reasoned, ({ why }) => why)].map(([why, all]) => {
    const what = describeUnplacedOf(all.map(({ one }) => one));
    return `- :x: **${escapeMarkdown(what)}**: ${escapeMarkdown(why.slice(0, MAX_ITEM_CHARACTERS))}.`;
  });
  const enough = items.length > 0 && moreNodes ? formatMoreNodesLine(moreNodes) : undefined;
  return [
    ...firstItems(
      items,
      MAX_MISFITS,
      (more) => `- and replicas of other deployments, for ${pluralize(more, 'other reason')}`,
    ),
    ...(enough === undefined ? [] : [`- ${escapeMarkdown(enough)}.`]),
  ];
}

/** Formats the changes of replicas without marks, because the table above counts each action. */
function formatReplicas(diff: DeploymentDiff, because: FormatCauses): Block[] {
  const lines = diff.changes.map((change) => `${placeText(change)}   ${formatReplicaChange(change, because)}`);
  return [diff.deployment, { indent: 4, blocks: [...lines, ...formatElsewhere(diff)] }];
}

function formatObjects(cluster: string, changes: readonly ObjectChangeWithCauses[], because: FormatCauses): Block[] {
  return [cluster, { indent: 4, blocks: changes.map((change) => formatObject(change, because)) }];
}
