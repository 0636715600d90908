import { describe } from '../errors';
import { groupBy } from '../order';
import { formatDrain } from '../plan/drain-text';
import { changeText as costText, formatCostParts } from '../plan/cost-changes-text';
import { plural } from '../plan/format';
import type { DeploymentPlan, Plan } from '../plan/plan';
import { formatPolicy } from '../plan/policies-of';
import { PLAIN } from '../plan/style';
import { cloudLines, cloudTotals } from './cloud-text';
import { cutLines } from './cut-lines';
import type { DeploymentDiff, FleetDiff } from './fleet-diff';
import { folded } from './folded';
import { code, escaped } from './markup';
import type { ReplicaChange } from './replica-changes';
import { routeLines } from './route-text';
import { fieldText } from './value-text';
import {
  becauseText,
  cacheText,
  changeText,
  countOf,
  diffTotals,
  objectName,
  objectTotals,
  outages,
  outageText,
  placeText,
} from './words';

/** A comment of GitHub holds 65,536 characters; the rest is for what others put around it. */
const LONGEST = 60_000;

/** Characters that what rules and gates say has at most, which is told before the rest of the head. */
const VERDICTS = 5_000;

/** Characters that are left to each folded part whatever is above it: its title, and some lines. */
const FOLDED = 1_000;

/** More than a line takes that tells of others. */
const NOTE = 100;

/** Rows of the table, so that it is read. */
const MOST_ROWS = 100;

/** What a comment says besides what happens. */
export interface Comment {
  /** What the fleet is called. */
  readonly name: string;

  /** The lock that has to be written before the change is merged. Absent: it says what the plan does. */
  readonly stale?: StaleLock | undefined;

  /** What rules and gates say of the plan, a line each. */
  readonly verdicts: readonly string[];
}

/** A lock that does not say what would be decided now. */
export interface StaleLock {
  readonly path: string;

  /** What writes it: `fleetwright lock fleet`. */
  readonly command: string;

  /** Whether there is none yet. */
  readonly missing: boolean;
}

/**
 * A comparison as a comment of a pull request: what nobody should merge, a table of deployments, what needs attention,
 * and the details folded. However large the comparison is, it fits; what is left out is counted.
 */
export function formatMarkdown(diff: FleetDiff, plan: Plan, comment: Comment): string {
  const sections: [string, string[]][] = [
    [`Declarations: ${diff.declarations.length} changed`, declarationLines(diff)],
    [`Replicas: why`, replicaLines(diff)],
    [`Caches: ${diff.caches.length} changed`, diff.caches.map(cacheText)],
    [`Routes: ${plural(diff.routes.services.length, 'service')} changed`, routeLines(diff.routes)],
    [`Cloud resources: ${cloudTotals(diff.cloud)}`, cloudLines(diff.cloud)],
    ['Cost: where it changes', diff.cost ? formatCostParts(diff.cost) : []],
    [`Objects: ${objectTotals(diff.objects)}`, objectLines(diff)],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const text = [...headOf(diff, plan, comment, LONGEST - shown.length * FOLDED), ''].join('\n');
  const share = Math.floor((LONGEST - text.length) / Math.max(1, shown.length));
  return [text, ...shown.map(([title, lines]) => folded(title, lines, share))].join('\n');
}

/** What is not folded, in so many characters. */
function headOf(diff: FleetDiff, plan: Plan, { verdicts, ...comment }: Comment, room: number): string[] {
  const said = cutLines(
    verdicts.flatMap((verdict) => ['', escaped(verdict)]),
    VERDICTS,
    moreLines,
  );
  const lines = [
    `### Fleet ${code(comment.name)} against ${code(diff.against)}`,
    '',
    ...refusals(plan, comment),
    ...tableOf(diff),
    '',
    ...costLine(diff),
    ...attention(diff, plan),
  ];
  return [...cutLines(lines, room - said.join('\n').length - NOTE, moreLines), ...said];
}

/** Apart from what is above, or it would be a row of a table, or belong to the last point of a list. */
function moreLines(count: number): string[] {
  return ['', `And ${plural(count, 'line')} more: see ${code('fleetwright plan')}.`];
}

/** Above all else: what refuses the change. */
function refusals({ policies }: Plan, { stale }: Pick<Comment, 'stale'>): string[] {
  const denied = policies.filter(({ effect }) => effect === 'Deny').map(formatPolicy);
  const lines = [...(stale ? [`- :x: ${staleText(stale)}`] : []), ...listed(':x:', denied, 'findings')];
  return lines.length > 0 ? [...lines, ''] : [];
}

function staleText({ path, command, missing }: StaleLock): string {
  const what = missing
    ? `There is no ${code(path)} yet`
    : `${code(path)} does not say what would be decided now`;
  return `${what}. Run ${code(command)} and commit it.`;
}

/** Above the rest, as it is what a change is often decided by. */
function costLine({ cost }: FleetDiff): string[] {
  if (!cost) return [];
  const text = escaped(costText(cost, 'perMonth').replaceAll('->', '→'));
  return [`cost/month in ${cost.currency}: ${text}`, ''];
}

const COLUMNS: readonly (readonly [string, (deployment: DeploymentDiff) => string])[] = [
  ['deployment', ({ deployment }) => deployment],
  ['replicas', ({ serving: { before, after } }) => (before === after ? `${after}` : `${before} → ${after}`)],
  ['placed', counted('place')],
  ['moved', counted('move')],
  ['rolled', counted('roll')],
  ['leaving', counted('leaving')],
  ['removed', counted('remove')],
  ['serving meanwhile', ({ serving }) => meanwhile(serving)],
];

function tableOf({ deployments }: FleetDiff): string[] {
  if (deployments.length === 0) return ['No replica changes.'];
  const rows = deployments.slice(0, MOST_ROWS).map((one) => COLUMNS.map(([, cell]) => cell(one)));
  const more = deployments.length - rows.length;
  return [
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map((_, i) => (i === 0 ? '---' : '---:'))),
    ...rows.map(row),
    ...(more > 0 ? ['', `And ${plural(more, 'deployment')} more.`] : []),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function counted(action: ReplicaChange['action']): (deployment: DeploymentDiff) => string {
  return ({ changes }) => String(countOf(changes, action) || '');
}

function meanwhile({ before, after, withWaves, atOnce }: DeploymentDiff['serving']): string {
  if (before === 0 || after === 0) return '';
  return withWaves === atOnce ? `≥ ${withWaves}` : `≥ ${withWaves} (${atOnce} at once)`;
}

/** Lines of a list of what to see to, so that a comment stays readable. */
const MOST_REMARKS = 20;
const LONGEST_REMARK = 600;

function attention(diff: FleetDiff, plan: Plan): string[] {
  const remarks = [
    ...outages(diff, true).map(outageText),
    ...plan.deployments.flatMap(unplacedText),
    ...plan.drains.filter(({ stuck }) => stuck.length > 0).map((drain) => formatDrain(drain, PLAIN)),
    ...plan.policies.filter(({ effect }) => effect === 'Warn').map(formatPolicy),
    ...plan.warnings.map((warning) => describe(warning).split('\n', 1).join('')),
  ];
  return [
    ...listed(':warning:', remarks, 'warnings'),
    ...(remarks.length > 0 ? [''] : []),
    `Changes of ${diffTotals(diff)}`,
  ];
}

/** Remarks as a list; those that are too many are counted, under what they are called. */
function listed(sign: string, remarks: readonly string[], noun: string): string[] {
  const more = remarks.length - MOST_REMARKS;
  return [
    ...remarks
      .slice(0, MOST_REMARKS)
      .map((remark) => `- ${sign} ${escaped(remark.slice(0, LONGEST_REMARK))}`),
    ...(more > 0 ? [`- and ${more} more ${noun}`] : []),
  ];
}

function unplacedText({ deployment, shortfall }: DeploymentPlan): string[] {
  if (!shortfall || shortfall.accepted) return [];
  return [`${deployment}: ${plural(shortfall.missing, 'replica')} without a place`];
}

function declarationLines({ declarations }: FleetDiff): string[] {
  const marks = { added: '+', removed: '-', changed: '~' } as const;
  return declarations.flatMap(({ id, action, where, fields }) => [
    `${marks[action]} ${id}   ${where}`,
    ...fields.map((field) => `    ${fieldText(field)}   ${field.where}`),
  ]);
}

function replicaLines({ deployments }: FleetDiff): string[] {
  return deployments.flatMap(({ deployment, changes }) => [
    deployment,
    ...changes.map((change) => `    ${placeText(change)}   ${changeText(change)}`),
  ]);
}

function objectLines({ objects }: FleetDiff): string[] {
  const marks = { create: '+', change: '~', replace: '±', delete: '-' } as const;
  return [...groupBy(objects, ({ cluster }) => cluster)].flatMap(([cluster, changes]) => [
    cluster,
    ...changes.flatMap((change) => [
      `    ${marks[change.action]} ${objectName(change)}${becauseText(change.causes)}`,
      ...change.fields.map((field) => `        ${fieldText(field)}`),
    ]),
  ]);
}
