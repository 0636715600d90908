import { formatDiagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { placeText, pluralize } from '../../base/text';
import {
  countReplicaChanges,
  type DeploymentDiff,
  findOutages,
  type FleetDiff,
  type ObjectChangeWithCauses,
} from '../../diff/fleet-diff';
import type { DeploymentPlan, Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import { formatCostChangeParts, formatRangeChange } from '../cost/cost-changes-text';
import { type Block, firstItems } from '../document/document';
import {
  cutLines,
  escapeMarkdown,
  formatCode,
  formatFoldedSection,
  formatMarkdownTable,
} from '../document/write-markdown';
import { formatDrain } from '../plan/plan-text';
import { formatPolicyFinding } from '../plan/policy-text';
import {
  formatCacheChange,
  formatDiffTotals,
  formatObjectTotals,
  formatOutage,
  formatReplicaChange,
} from './change-sentences';
import { formatCloudChanges, formatCloudTotals } from './cloud-changes-text';
import { formatDeclaration, formatObject } from './diff-text';
import { formatRouteChanges } from './route-changes-text';

/** The maximum length of a comment. GitHub allows 65,536 characters; the rest is for text that other tools add. */
const MAX_COMMENT_CHARACTERS = 60_000;

const MAX_VERDICT_CHARACTERS = 5_000;

/** The minimum characters for each folded section: its title and some lines. */
const MIN_FOLD_CHARACTERS = 1_000;

/** An upper bound for the characters of a line that counts omitted lines. */
const NOTE_CHARACTERS = 100;

const MAX_TABLE_ROWS = 100;

/** The parts of a comment that do not come from the comparison or the plan. */
interface CommentContext {
  readonly name: string;

  /** The lock that has to be written before the change is merged. Absent: the lock matches the plan. */
  readonly stale?: StaleLock | undefined;
  readonly verdicts: readonly string[];
}

export interface StaleLock {
  readonly path: string;

  /** The command that writes the lock: `fleetwright lock fleet`. */
  readonly command: string;
  readonly missing: boolean;
}

/**
 * Formats a comparison as a comment on a pull request: reasons to refuse the change, a table of deployments, what needs
 * attention, and the details in folded sections. The comment never exceeds the limit of GitHub; omitted lines are
 * counted.
 */
export function formatPullRequestComment(diff: FleetDiff, plan: Plan, comment: CommentContext): string {
  const objects = groupBy(diff.objects, ({ cluster }) => cluster);
  const sections: [string, readonly Block[]][] = [
    [`Declarations: ${diff.declarations.length} changed`, diff.declarations.map(formatDeclaration)],
    [`Replicas: why`, diff.deployments.flatMap(formatReplicas)],
    [`Caches: ${diff.caches.length} changed`, diff.caches.map(formatCacheChange)],
    [`Routes: ${pluralize(diff.routes.services.length, 'service')} changed`, formatRouteChanges(diff.routes)],
    [`Cloud resources: ${formatCloudTotals(diff.cloud)}`, formatCloudChanges(diff.cloud)],
    ['Cost: where it changes', diff.cost ? formatCostChangeParts(diff.cost) : []],
    [`Objects: ${formatObjectTotals(diff.objects)}`, [...objects].flatMap(formatObjects)],
  ];
  const shown = sections.filter(([, blocks]) => blocks.length > 0);
  const room = MAX_COMMENT_CHARACTERS - shown.length * MIN_FOLD_CHARACTERS;
  const text = [...formatHead(diff, plan, comment, room), ''].join('\n');
  const share = Math.floor((MAX_COMMENT_CHARACTERS - text.length) / Math.max(1, shown.length));
  return [text, ...shown.map(([title, blocks]) => formatFoldedSection(title, blocks, share))].join('\n');
}

/** Formats the part of the comment that is not folded, in at most `room` characters. */
function formatHead(diff: FleetDiff, plan: Plan, { verdicts, ...comment }: CommentContext, room: number): string[] {
  const verdictLines = cutLines(
    verdicts.flatMap((verdict) => ['', escapeMarkdown(verdict)]),
    MAX_VERDICT_CHARACTERS,
    formatMoreLines,
  );
  const lines = [
    `### Fleet ${formatCode(comment.name)} against ${formatCode(diff.against)}`,
    '',
    ...formatRefusals(plan, comment),
    ...formatDeploymentTable(diff),
    '',
    ...formatCostLine(diff),
    ...formatAttention(diff, plan),
  ];
  const available = room - verdictLines.join('\n').length - NOTE_CHARACTERS;
  return [...cutLines(lines, available, formatMoreLines), ...verdictLines];
}

/** Starts with a blank line: otherwise the line would become part of the table or list above. */
function formatMoreLines(count: number): string[] {
  return ['', `And ${pluralize(count, 'line')} more: see ${formatCode('fleetwright plan')}.`];
}

function formatRefusals({ policies }: Plan, { stale }: Pick<CommentContext, 'stale'>): string[] {
  const denied = policies.filter(({ severity }) => severity === 'error').map(formatPolicyFinding);
  const lines = [...(stale ? [`- :x: ${formatStaleLock(stale)}`] : []), ...formatList(':x:', denied, 'findings')];
  return lines.length > 0 ? [...lines, ''] : [];
}

function formatStaleLock({ path, command, missing }: StaleLock): string {
  const what = missing
    ? `There is no ${formatCode(path)} yet`
    : `${formatCode(path)} does not say what would be decided now`;
  return `${what}. Run ${formatCode(command)} and commit it.`;
}

function formatCostLine({ cost }: FleetDiff): string[] {
  if (!cost) return [];
  const text = escapeMarkdown(formatRangeChange(cost, 'perMonth').replaceAll('->', '→'));
  return [`cost/month in ${cost.currency}: ${text}`, ''];
}

const COLUMNS: readonly (readonly [string, (deployment: DeploymentDiff) => string])[] = [
  ['deployment', ({ deployment }) => deployment],
  ['replicas', ({ serving: { before, after } }) => (before === after ? `${after}` : `${before} → ${after}`)],
  ['placed', createCountCell('place')],
  ['moved', createCountCell('move')],
  ['rolled', createCountCell('roll')],
  ['leaving', createCountCell('leaving')],
  ['removed', createCountCell('remove')],
  ['serving meanwhile', ({ serving }) => formatServingCell(serving)],
];

function formatDeploymentTable({ deployments }: FleetDiff): string[] {
  if (deployments.length === 0) return ['No replica changes.'];
  const rows = deployments.slice(0, MAX_TABLE_ROWS).map((diff) => COLUMNS.map(([, cell]) => cell(diff)));
  const more = deployments.length - rows.length;
  return [
    ...formatMarkdownTable({ rows: [COLUMNS.map(([title]) => title), ...rows] }),
    ...(more > 0 ? ['', `And ${pluralize(more, 'deployment')} more.`] : []),
  ];
}

function createCountCell(action: ReplicaChange['action']): (deployment: DeploymentDiff) => string {
  return ({ changes }) => String(countReplicaChanges(changes, action) || '');
}

function formatServingCell({ before, after, withWaves, atOnce }: DeploymentDiff['serving']): string {
  if (before === 0 || after === 0) return '';
  return withWaves === atOnce ? `≥ ${withWaves}` : `≥ ${withWaves} (${atOnce} at once)`;
}

/** The maximum number of items of a list, which keeps a comment readable. */
const MAX_LIST_ITEMS = 20;

const MAX_ITEM_CHARACTERS = 600;

function formatAttention(diff: FleetDiff, plan: Plan): string[] {
  const remarks = [
    ...findOutages(diff, true).map(formatOutage),
    ...plan.deployments.flatMap(formatUnplaced),
    ...plan.drains.filter(({ stuck }) => stuck.length > 0).map(formatDrain),
    ...plan.policies.filter(({ severity }) => severity === 'warning').map(formatPolicyFinding),
    ...plan.warnings.map((warning) => formatDiagnostic(warning).split('\n', 1).join('')),
  ];
  return [
    ...formatList(':warning:', remarks, 'warnings'),
    ...(remarks.length > 0 ? [''] : []),
    `Changes of ${formatDiffTotals(diff)}`,
  ];
}

/** Formats remarks as a list. Items above the maximum are counted with a noun. */
function formatList(sign: string, remarks: readonly string[], noun: string): string[] {
  const items = remarks.map((remark) => `- ${sign} ${escapeMarkdown(remark.slice(0, MAX_ITEM_CHARACTERS))}`);
  return firstItems(items, MAX_LIST_ITEMS, (more) => `- and ${more} more ${noun}`);
}

function formatUnplaced({ deployment, shortfall }: DeploymentPlan): string[] {
  if (!shortfall || shortfall.accepted) return [];
  return [`${deployment}: ${pluralize(shortfall.missing, 'replica')} without a place`];
}

/** Formats the changes of replicas without marks, because the table above counts each action. */
function formatReplicas({ deployment, changes }: DeploymentDiff): Block[] {
  const lines = changes.map((change) => `${placeText(change)}   ${formatReplicaChange(change)}`);
  return [deployment, { indent: 4, blocks: lines }];
}

function formatObjects([cluster, changes]: [string, ObjectChangeWithCauses[]]): Block[] {
  return [cluster, { indent: 4, blocks: changes.map(formatObject) }];
}
