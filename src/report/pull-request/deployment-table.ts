import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { pluralize } from '../../base/text';
import type { CostChanges, RangeChange } from '../../cost/cost-changes';
import { toRangeChange } from '../cost/cost-changes-tables';
import { formatRangeDifference, type MonthlySum, sumRangeChanges } from '../cost/cost-difference';
import { formatCopiesChange } from '../diff/copies-changes-text';
import { escapeMarkdown, formatCode, formatMarkdownTable } from '../document/write-markdown';
import type { Counts, DeploymentRow } from './deployment-rows';

/** The most rows of the table. */
const MAX_ROWS = 40;

const ACTION_COLUMN = new Set([3]);

/** Formats the table of deployments, with the cost of idle capacity and of the fleet below them. */
export function formatDeploymentTable(rows: readonly DeploymentRow[], cost: CostChanges | undefined): string[] {
  if (rows.length === 0 && (!cost || isZero(cost))) return [];
  const currency = cost?.currency;
  const titles = ['deployment', 'replicas', 'GPUs', 'what happens', 'serving during rollout'];
  const costTitles = currency === undefined ? [] : ['cost a month', 'after', 'difference'];
  const shown = rows.slice(0, MAX_ROWS);
  const cells = shown.map((row) => [
    formatNames(row),
    `${formatCounts(row.replicas)}${row.unplaced ? ` of ${formatCount(row.unplaced.declared)} declared` : ''}`,
    row.accelerators.before + row.accelerators.after === 0 ? '' : formatCounts(row.accelerators),
    formatActions(row),
    formatServing(row),
    ...(currency === undefined ? [] : formatCostCells(row, currency)),
  ]);
  const more = rows.length - shown.length;
  return [
    ...formatMarkdownTable(
      { rows: [[...titles, ...costTitles], ...cells, ...(cost ? formatFleetRows(cost) : [])] },
      ACTION_COLUMN,
    ),
    ...(more > 0 ? ['', `And ${pluralize(more, 'more row')}: see ${formatCode('fleetwright plan')}.`] : []),
  ];
}

/** `2 → 3`. */
export function formatCounts({ before, after }: Counts): string {
  return before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`;
}

function formatNames({ deployments }: DeploymentRow): string {
  const [first = ''] = deployments;
  if (deployments.length === 1) return formatCode(first);
  return `${formatCount(deployments.length)} deployments: ${formatCode(first)} …`;
}

/** The words for what happens to replicas, in the order of the cell. */
const ACTION_WORDS = [
  ['offline', 'down'],
  ['roll', 'restarted'],
  ['restart', 'restarted'],
  ['place', 'added'],
  ['move', 'moved'],
  ['draining', 'draining'],
  ['remove', 'removed'],
  ['evict', 'evicted: no place any more'],
] as const;

/** `2 restarted, 1 at a time: v0.22.0 → v0.23.0; 1 added`. */
function formatActions(row: DeploymentRow): string {
  const parts = ACTION_WORDS.flatMap(([action, word]) => {
    const count = row.actions[action];
    if (count === 0) return [];
    return [`${formatCount(count)} ${word}${ACTION_DETAILS[action]?.(row) ?? ''}`];
  });
  return escapeMarkdown([...formatDeclared(row), ...parts, ...formatCopies(row), ...formatUnplaced(row)].join('; '));
}

function formatDeclared(row: DeploymentRow): string[] {
  const { declared, renamed } = row;
  if (declared === undefined) return [];
  const edit = describeEdit(row);
  if (declared === 'added')
    return [renamed === undefined ? 'new' : `new name of ${renamed}${edit === undefined ? '' : `, ${edit}`}`];
  return [renamed === undefined ? 'no longer declared' : `renamed to ${renamed}`];
}

function formatCopies({ copies }: DeploymentRow): string[] {
  return copies ? [formatCopiesChange(copies, '→')] : [];
}

function formatUnplaced({ unplaced }: DeploymentRow): string[] {
  if (!unplaced) return [];
  const { missing, accepted } = unplaced;
  return [`${formatCount(missing)} ${missing === 1 ? 'does' : 'do'} not fit${accepted ? ', as accepted' : ''}`];
}

const ACTION_DETAILS: Partial<Record<keyof DeploymentRow['actions'], (row: DeploymentRow) => string>> = {
  roll: (row) => {
    const scope = row.eachCluster ? ' on each cluster' : '';
    const steps = row.actions.roll === 1 ? '' : `, ${row.atATime} at a time${scope}`;
    const pace = row.atATime === 0 ? ' without downtime' : steps;
    const why = describeEdit(row) ?? (row.restartsFor && `${row.restartsFor} changed`);
    return `${pace}${why ? `: ${why}` : ''}`;
  },
  offline: ({ actions: { offline }, withoutPool }) => {
    const whose = offline === 1 ? 'its' : 'their';
    if (withoutPool < offline) return `: ${whose} nodes are deleted first`;
    return ` until ${offline === 1 ? 'it has another place' : 'they have other places'}: ${whose} node pool is deleted`;
  },
  restart: ({ actions }) => `${actions.roll > 0 ? ' once more' : ''} while nodes are recreated`,
  move: (row) => {
    const { moves, movedWithDowntime: down } = row;
    const late = down === 0 ? '' : `, ${formatCount(down)} with downtime`;
    const [first = '', ...others] = moves;
    const where = others.length === 0 && first.startsWith('within ') ? ` ${first}` : `: ${moves.join(', ')}`;
    const why = where.startsWith(' ') ? describeEdit(row) : undefined;
    return `${moves.length === 0 ? '' : where}${late}${why === undefined ? '' : `: ${why}`}`;
  },
};

/** `v0.22.0 → v0.23.0, model a → b, enforce-eager added`. Undefined where more than single values change. */
function describeEdit({ image, model, steps }: DeploymentRow): string | undefined {
  const edits = [
    ...(image ? [`${image.pods ? `${image.pods} only, ` : ''}${image.before} → ${image.after}`] : []),
    ...(model ? [`model ${model.before} → ${model.after}`] : []),
    ...(steps === undefined ? [] : [steps]),
  ];
  return edits.length > 0 ? edits.join(', ') : undefined;
}

function formatServing({ serving, replicas }: DeploymentRow): string {
  if (!serving) return '';
  const { withWaves, perCluster, atOnce } = serving;
  const least = `${withWaves > 0 ? '≥ ' : ''}${formatCount(withWaves)} of ${formatCount(replicas.before)}`;
  const warned = withWaves === 0 ? `:warning: ${least}` : least;
  const independent = 'if clusters are applied independently, as with Argo CD';
  const without = 'without waves, as with Flux or kubectl';
  const isSame = perCluster === atOnce;
  const notes = [
    ...(perCluster < withWaves ? [`${formatCount(perCluster)} ${independent}${isSame ? `, or ${without}` : ''}`] : []),
    ...(isSame ? [] : [`${formatCount(atOnce)} if applied ${without}`]),
  ];
  return notes.length === 0 ? warned : `${warned} (${notes.join('; ')})`;
}

function formatCostCells(row: DeploymentRow, currency: string): string[] {
  return row.cost.length === 0 ? ['', '', 'unchanged'] : formatRanges(sumRangeChanges(row.cost), currency);
}

function formatSum({ perMonth, unknown }: MonthlySum, currency: string): string {
  if (perMonth === undefined) return 'unknown';
  return `${unknown > 0 ? '≥ ' : ''}${formatAmount(perMonth, currency)}`;
}

/** The rows below the deployments: capacity that nothing uses, and the total. */
function formatFleetRows(cost: CostChanges): string[][] {
  const { idle, currency } = cost;
  const isIdleChanged = (idle.delta.perMonth ?? 0) !== 0;
  const blank = ['', '', '', ''];
  const total = formatRanges(cost, currency).map((cell) => `**${cell}**`);
  return [
    ...(isIdleChanged ? [['idle capacity', ...blank, ...formatRanges(toRangeChange(idle), currency)]] : []),
    ['**fleet**', ...blank, ...total],
  ];
}

/** The cells of a cost before, after, and of the difference. */
function formatRanges(change: RangeChange, currency: string): string[] {
  const { before, after } = change;
  const text = ({ least, most }: RangeChange['before']): string => {
    const [low, high] = [formatSum(least, currency), formatSum(most, currency)];
    // Equal amounts of which one is a lower bound are that bound.
    return low === high || formatSum({ ...least, unknown: most.unknown }, currency) === high
      ? high
      : `${low} to ${high}`;
  };
  return [text(before), text(after), formatRangeDifference(change, currency)].map(escapeMarkdown);
}

function isZero({ delta, idle }: CostChanges): boolean {
  return [delta.least, delta.most, idle.delta].every(({ perMonth, unknown }) => perMonth === 0 && unknown === 0);
}
