import { describe } from '../errors';
import { groupBy } from '../order';
import { formatDrain } from '../plan/drain-text';
import { changeText as costText, formatCostChanges } from '../plan/cost-changes-text';
import { plural } from '../plan/format';
import type { DeploymentPlan, Plan } from '../plan/plan';
import { PLAIN } from '../plan/style';
import { cloudLines, cloudTotals } from './cloud-text';
import type { DeploymentDiff, FleetDiff } from './fleet-diff';
import type { ReplicaChange } from './replica-changes';
import { routeLines } from './route-text';
import { fieldText } from './value-text';
import { cacheText, changeText, diffTotals, objectName, objectTotals, outages, outageText } from './words';

/** A comment of GitHub holds 65,536 characters; the rest is for what others put around it. */
const LONGEST = 60_000;

/** Rows of the table, so that it is read. */
const MOST_ROWS = 100;

/**
 * A comparison as a comment of a pull request: a table of deployments, what needs attention, and the details folded.
 * However large the comparison is, it fits; what is left out is counted.
 *
 * @param name what the fleet is called
 */
export function formatMarkdown(diff: FleetDiff, plan: Plan, name: string): string {
  const head = [
    `### Fleet ${code(name)} against ${code(diff.against)}`,
    '',
    ...tableOf(diff),
    '',
    ...costLine(diff),
    ...attention(diff, plan),
  ];
  const sections: [string, string[]][] = [
    [`Declarations: ${diff.declarations.length} changed`, declarationLines(diff)],
    [`Replicas: why`, replicaLines(diff)],
    [`Caches: ${diff.caches.length} changed`, diff.caches.map(cacheText)],
    [`Routes: ${plural(diff.routes.services.length, 'service')} changed`, routeLines(diff.routes)],
    [`Cloud resources: ${cloudTotals(diff.cloud)}`, cloudLines(diff.cloud)],
    ['Cost: where it changes', costLines(diff)],
    [`Objects: ${objectTotals(diff.objects)}`, objectLines(diff)],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const text = [...head, ''].join('\n');
  const share = Math.floor((LONGEST - text.length) / Math.max(1, shown.length));
  return [text, ...shown.map(([title, lines]) => folded(title, lines, share))].join('\n');
}

/** Above the rest, as it is what a change is often decided by. */
function costLine({ cost }: FleetDiff): string[] {
  if (!cost) return [];
  const text = escaped(costText(cost, 'perMonth').replaceAll('->', '→'));
  return [`cost/month: ${text} ${cost.currency}`, ''];
}

/** Its first line says what is above already. */
function costLines({ cost }: FleetDiff): string[] {
  return cost ? formatCostChanges(cost).slice(1) : [];
}

const COLUMNS: readonly (readonly [string, (deployment: DeploymentDiff) => string])[] = [
  ['deployment', ({ deployment }) => deployment],
  ['replicas', ({ serving: { before, after } }) => (before === after ? `${after}` : `${before} → ${after}`)],
  ['placed', counted('place')],
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
  return ({ changes }) => String(changes.filter((change) => change.action === action).length || '');
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
    ...plan.warnings.map((warning) => describe(warning).split('\n', 1).join('')),
  ];
  const more = remarks.length - MOST_REMARKS;
  return [
    ...remarks
      .slice(0, MOST_REMARKS)
      .map((remark) => `- :warning: ${escaped(remark.slice(0, LONGEST_REMARK))}`),
    ...(more > 0 ? [`- and ${more} more warnings`] : []),
    ...(remarks.length > 0 ? [''] : []),
    `Changes of ${diffTotals(diff)}`,
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
    ...changes.map((change) => `    ${change.cluster}/${change.index}   ${changeText(change)}`),
  ]);
}

function objectLines({ objects }: FleetDiff): string[] {
  const marks = { create: '+', change: '~', replace: '±', delete: '-' } as const;
  return [...groupBy(objects, ({ cluster }) => cluster)].flatMap(([cluster, changes]) => [
    cluster,
    ...changes.flatMap((change) => [
      `    ${marks[change.action]} ${objectName(change)}`,
      ...change.fields.map((field) => `        ${fieldText(field)}`),
    ]),
  ]);
}

/** A part that opens on a click, with as many lines as fit. */
function folded(title: string, lines: readonly string[], room: number): string {
  const fence = fenceFor(lines);
  const kept: string[] = [];
  let left = room - title.length - 2 * fence.length - 200;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const more = lines.length - kept.length;
  if (more > 0) kept.push(`... and ${plural(more, 'line')} more: see 'fleetwright plan'`);
  return [
    '<details>',
    `<summary>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
    '',
    `${fence}text`,
    ...kept,
    fence,
    '',
    '</details>',
    '',
  ].join('\n');
}

/** A fence that no line closes. */
function fenceFor(lines: readonly string[]): string {
  return '`'.repeat(lines.reduce((longest, line) => Math.max(longest, longestRun(line) + 1), 3));
}

function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return `${fence}${text.replace(/\s+/g, ' ')}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Text that means itself, also what looks like markup, a mention or the end of a line. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#|@~]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));
}
