import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import { toRangeChange, type CostChanges } from '../../cost/cost-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatDowntime } from '../diff/change-sentences';
import { formatCopiesChange } from '../diff/copies-changes-text';
import { EACH_CHANGE, escapeMarkdown, formatCode, formatMarkdownTable } from '../document/write-markdown';
import { formatCostCells } from './cost-cells';
import { type DeploymentRow, isDown, keepsOld, mayServe } from './deployment-rows';
import { describeClusterPace, formatCounts } from './clauses';
import { formatFleetRows, type IdleDiff, isUnchangedSum, joinThen, TOTALS } from './fleet-rows';
import { shortenImage } from './image-change';
import { describeLostReplicas } from './loss-clauses';
import { listPairs } from './move-clauses';

/** The most rows of the table. */
const MAX_ROWS = 40;

/** The most pools that a cell names. */
const MAX_PLACES = 3;

/** The title of the only other column with text. */
const ACTIONS = 'what happens';

/** The first column of costs. */
const COST_COLUMN = 5;

/** A cell of a cost that says nothing: the sentence above the table names what has no price. */
const SAYS_NOTHING = /^(?:|\**unknown\**|\**(?:\u2248 )?unchanged\**)$/;

type TableDiff = Pick<FleetDiff, 'cost'> & IdleDiff;

/**
 * Formats the table of deployments, with idle capacity and the cost of the fleet below them.
 *
 * @param later the cost of the later state
 */
export function formatDeploymentTable(
  rows: readonly DeploymentRow[],
  diff: TableDiff,
  later: Pick<Cost, 'clusters'>,
): string[] {
  const given = costInTable(rows, diff.cost);
  if (rows.length === 0 && !given) return [];
  const isKnown = given !== undefined && saysCost(rows, given, formatFleetRows(given, diff, later));
  const cost = isKnown ? given : undefined;
  const titles = ['deployment', 'replicas', 'GPUs', ACTIONS, 'serving during rollout'];
  const costTitles = cost === undefined ? [] : ['cost a month before', 'after', 'difference'];
  const shown = rows.slice(0, MAX_ROWS);
  const cells = shown.map((row) => [
    formatNames(row, rows),
    formatReplicas(row),
    formatAccelerators(row),
    escapeMarkdown(describeActions(row)),
    formatServing(row),
    ...(cost ? formatRowCost(row, cost) : []),
  ]);
  const more = rows.length - shown.length;
  const below = formatFleetRows(cost, diff, later);
  const [used, ...body] = leaveOutEmpty([...titles, ...costTitles], [...cells, ...below]);
  return [
    ...formatMarkdownTable({ rows: [used, ...body] }, new Set([used.indexOf(ACTIONS)])),
    ...(more > 0 ? ['', `And ${pluralize(more, 'more row')}: see ${formatCode(EACH_CHANGE)}.`] : []),
  ];
}

/** The cells of the cost of a row: `$13,100 until finalized, then $5,022` where draining replicas have a part in it. */
function formatRowCost(row: DeploymentRow, cost: CostChanges): string[] {
  const [before = '', ...later] = formatCostCells(row, cost);
  if (!row.finalized || before === '') return [before, ...later];
  const [, ...then] = formatCostCells(row.finalized, cost);
  return [before, ...joinThen(later, then)];
}

/** A table, its titles first, without the columns that have no text below the title. */
function leaveOutEmpty(titles: string[], rows: readonly string[][]): [string[], ...string[][]] {
  const isUsed = titles.map((_, column) => rows.some((cells) => (cells[column] ?? '') !== ''));
  const keep = (cells: readonly string[]): string[] => cells.filter((_, column) => isUsed[column]);
  return [keep(titles), ...rows.map(keep)];
}

/** Whether columns of costs say more than that differences are unknown, of deployments or of the fleet. */
function saysCost(rows: readonly DeploymentRow[], cost: CostChanges, below: readonly string[][]): boolean {
  const fleet = below.map((row) => row.slice(COST_COLUMN));
  const all = [...rows.map((row) => formatCostCells(row, cost)), ...fleet];
  const total = fleet.filter((_, i) => TOTALS.has(below[i]?.[0] ?? ''));
  return (
    all.some(([, , difference = '']) => !SAYS_NOTHING.test(difference)) ||
    total.some(([before, after]) => before !== after)
  );
}

/** The cost that the table of rows has. Undefined: it changes neither for them nor for the fleet, or is not known. */
export function costInTable(rows: readonly DeploymentRow[], cost: CostChanges | undefined): CostChanges | undefined {
  return cost && rows.every(isCostKept) && isZero(cost) ? undefined : cost;
}

/** The name of a deployment, or the number of several and the first of them. */
export function formatNames({ deployments, renamed }: DeploymentRow, rows: readonly DeploymentRow[]): string {
  const [first = ''] = deployments;
  if (renamed !== undefined) return `${formatCode(first)} → ${formatCode(renamed)}`;
  if (deployments.length === 1) return formatCode(first);
  const other = rows.some((row) => row.deployments.length === 1) ? 'other ' : '';
  return `${formatCount(deployments.length)} ${other}deployments: ${formatCode(first)} …`;
}

/** `3 → 4`, `4 → 3 placed, of 4 declared; 2 old ones still serve, 1 until finalized and 1 until its replacement fits`. */
function formatReplicas({ replicas, unplaced, moves, actions }: DeploymentRow): string {
  if (!unplaced) return formatCounts(replicas);
  const moved = moves.filter(({ down, lost }) => !down && !lost).length;
  const old = moved + actions.draining + actions.unreplaced;
  const serving = old === 1 ? '; 1 old one still serves' : `; ${formatCount(old)} old ones still serve`;
  const kept = actions.unreplaced;
  const isMixed = kept > 0 && old > kept;
  const fits = kept === 1 ? 'its replacement fits' : 'their replacements fit';
  const until = isMixed ? `, ${formatCount(old - kept)} until finalized and ${formatCount(kept)} until ${fits}` : '';
  const placed = `${formatCounts(replicas)} placed, of ${formatCount(unplaced.declared)} declared`;
  return old === 0 ? placed : `${placed}${serving}${until}`;
}

/** `3 → 4`, `12 (+4 draining until finalized, +8 until replacements fit)`. */
function formatAccelerators({ accelerators }: DeploymentRow): string {
  const { before, after, draining, unreplaced } = accelerators;
  if (before + after + draining + unreplaced === 0) return '';
  const old = [
    ...(draining > 0 ? [`+${formatCount(draining)} draining until finalized`] : []),
    ...(unreplaced > 0 ? [`+${formatCount(unreplaced)} until replacements fit`] : []),
  ];
  return `${formatCounts(accelerators)}${old.length > 0 ? ` (${old.join(', ')})` : ''}`;
}

/** The words for what happens to replicas, in the order of the cell. */
const ACTION_WORDS = [
  ['offline', 'down'],
  ['mayRestart', 'may restart'],
  ['roll', 'restarted'],
  ['restart', 'restarted'],
  ['place', 'added'],
  ['move', 'moved'],
  ['draining', 'draining until finalized'],
  ['unreplaced', ''],
  ['lost', ''],
  ['remove', 'removed'],
  ['evict', 'evicted: no place any more'],
  ['finish', 'drained and removed'],
] as const;

/** `2 restarted, 1 at a time: v0.22.0 → v0.23.0; 1 added`. */
export function describeActions(row: DeploymentRow): string {
  const parts = ACTION_WORDS.flatMap(([action, word]) => {
    const count = row.actions[action];
    if (count === 0) return [];
    if (action === 'unreplaced') return [formatKept(row)];
    if (action === 'lost') return [describeLostReplicas(row)];
    return [`${formatCount(count)} ${word}${ACTION_DETAILS[action]?.(row) ?? ''}`];
  });
  return [...formatDeclared(row), ...parts, ...formatCopies(row), ...formatUnplaced(row)].join('; ');
}

function formatDeclared(row: DeploymentRow): string[] {
  const { declared, renamed, unreachable } = row;
  if (declared === undefined) return [];
  const edit = describeEdit(row);
  if (renamed !== undefined) {
    const howLong = row.downtime ? ` for ${formatDowntime(row.downtime, 'min')}` : '';
    const down = isDown(row) ? `, down${howLong}` : '';
    return [`renamed${edit === undefined ? '' : `, ${edit}`}${down}`];
  }
  if (declared === 'removed') return [`no longer declared${unreachable ? ', and no service selected it' : ''}`];
  return [formatNew(row)];
}

/** `new: Qwen/Qwen3-8B in vllm-openai:v0.24.0` */
function formatNew({ loads, runs }: DeploymentRow): string {
  const image = runs === undefined ? [] : [shortenImage(runs)];
  const parts = [...(loads === undefined ? [] : [loads]), ...image];
  return parts.length === 0 ? 'new' : `new: ${parts.join(' in ')}`;
}

function formatCopies({ copies }: DeploymentRow): string[] {
  return copies ? [formatCopiesChange(copies, '→')] : [];
}

/** `old one kept: the changed one fits nowhere`. */
function formatKept({ actions: { unreplaced: count }, drainsFor }: DeploymentRow): string {
  const [old, one] = count === 1 ? ['old one kept', 'one fits'] : [`${formatCount(count)} old ones kept`, 'ones fit'];
  return `${old}: the ${drainsFor === 'changed' ? 'changed' : 'new'} ${one} nowhere`;
}

function formatUnplaced(row: DeploymentRow): string[] {
  const { unplaced, actions } = row;
  if (!unplaced) return [];
  const { missing, declared, accepted, waits } = unplaced;
  // Other words say it of those whose old ones stay, and of what is evicted or lost.
  if (keepsOld(row) || actions.evict + actions.lost === missing) return accepted ? ['accepted'] : [];
  const suffix = waits ? ' yet' : accepted ? ', as accepted' : '';
  const kept = actions.unreplaced + actions.evict;
  // Those that are kept or evicted have the places that the missing ones lack.
  if (kept === missing)
    return [
      `so ${formatCount(missing)} of the ${formatCount(declared)} declared ${missing === 1 ? 'has' : 'have'} no place${suffix}`,
    ];
  const [rest, more] = actions.unreplaced > 0 ? [missing - kept, ' more'] : [missing, ''];
  return [`${formatCount(rest)}${more} ${rest === 1 ? 'does' : 'do'} not fit${suffix}`];
}

const ACTION_DETAILS: Partial<Record<keyof DeploymentRow['actions'], (row: DeploymentRow) => string>> = {
  roll: (row) => {
    const pace = describePace(withoutNodes(row));
    const why = describeEdit(row) ?? (row.restartsFor && `${row.restartsFor} changed`);
    return `${pace}${why ? `: ${why}` : ''}`;
  },
  place: ({ places, renamed }) =>
    renamed !== undefined || places.length > MAX_PLACES ? '' : ` on ${joinNames(places)}`,
  remove: ({ removedFrom = [], actions }) => {
    const clusters = sortUnique(removedFrom);
    // Some that lose their places may be no longer declared either.
    const isKnown = removedFrom.length === actions.remove && clusters.length <= MAX_PLACES;
    return isKnown ? ` from ${joinNames(clusters, MAX_PLACES, ' and ')}` : '';
  },
  offline: (row) => {
    const { withoutPool, misplaced } = row;
    const { offline } = row.actions;
    const whose = offline === 1 ? 'its' : 'their';
    if (misplaced === offline) return ' for good: the new nodes do not match';
    if (misplaced > 0) return `, ${formatCount(misplaced)} of them for good: the new nodes do not match`;
    if (withoutPool < offline) return `${describeHowLong(row)}: ${whose} nodes are deleted first`;
    return ` for good: ${whose} node pool is deleted`;
  },
  mayRestart: (row) => {
    const { drained, actions } = row;
    if (drained?.replicas === actions.mayRestart)
      return `: ${joinNames(drained.pools, MAX_PLACES, ' and ')} ${drained.pools.length === 1 ? 'gets' : 'get'} fewer nodes`;
    return `${describeHowLong(row)}: the cloud chooses which nodes go`;
  },
  restart: (row) => {
    const { roll, restart } = row.actions;
    if (roll === 0) return ` while nodes are recreated${describeHowLong(row, 'each ')}`;
    const [whose, each] = restart === 1 ? ['its node is', ''] : ['their nodes are', 'each '];
    return `${describeTurn(row)} when ${whose} recreated${describeHowLong(row, each)}`;
  },
  move: (row) => {
    const pairs = listPairs(row.moves);
    const down = row.moves.filter((move) => move.down).length;
    const isAll = down > 0 && down === row.actions.move;
    const how = `${isDown(row) ? 'with downtime' : 'down while moving'}${describeHowLong(row)}`;
    const late = down === 0 || isAll ? '' : `, ${formatCount(down)} ${how}`;
    const [first = '', ...others] = pairs;
    const where = others.length === 0 && first.startsWith('within ') ? ` ${first}` : `: ${pairs.join(', ')}`;
    const why = where.startsWith(' ') ? describeEdit(row) : undefined;
    const edit = why === undefined ? '' : `: ${why}`;
    return `${isAll ? `${isDown(row) ? ' ' : ', '}${how}` : ''}${pairs.length === 0 ? '' : where}${late}${edit}${describeMoveReason(row)}`;
  },
};

/** `, because us has no room for old and new replicas at the same time`, `, because this change also finalizes the old one`. */
function describeMoveReason({ moves }: DeploymentRow): string {
  const reasons = sortUnique(moves.map(({ why = '' }) => why.replaceAll('`', '')));
  const [reason = ''] = reasons;
  const early = moves.filter(({ finalized }) => finalized).length;
  // With the old one, the new one would serve elsewhere first, so the reason of the move is not that of the downtime.
  if (early > 0) return `, because this change also finalizes the old ${early === 1 ? 'one' : 'ones'}`;
  return reasons.length === 1 && reason !== '' ? `, ${reason}` : '';
}

/** Whether replicas restart with their nodes before or after they do for their pods. */
function describeTurn({ downtime }: DeploymentRow): string {
  if (downtime?.twice === undefined) return '';
  return downtime.twice === 'nodes-first' ? ' before that,' : ' after that,';
}

/** Nodes are waited for in the restart that recreates them, and not in the other, which says more. */
function withoutNodes(row: DeploymentRow): DeploymentRow {
  const { actions, downtime } = row;
  if (actions.restart === 0 || !downtime?.waits) return row;
  return { ...row, downtime: { ...downtime, waits: downtime.waits.filter((wait) => wait !== 'nodes') } };
}

/** How replicas that restart where they are follow each other. */
function describePace(row: DeploymentRow): string {
  const { actions, atATime, deployments } = row;
  if (atATime === 0) return ` without downtime${describeCopies(row)}`;
  // The only replica of each deployment restarts.
  if (isDown(row) && actions.roll === deployments.length)
    return `${deployments.length > 1 ? ', each with downtime' : ' with downtime'}${describeHowLong(row)}`;
  if (actions.roll === 1) return describeRoll(row);
  const each = deployments.length > 1 ? ' of each deployment' : '';
  return `, ${formatCount(atATime)}${each} at a time${describeClusterPace(row)}${describeRoll(row, 'each ')}`;
}

/** `, up to 4 copies one after the other, each down in its turn`. Empty: new copies start before others stop. */
function describeCopies({ copiesInTurn, actions }: DeploymentRow): string {
  if (copiesInTurn === undefined) return '';
  return `,${actions.roll > 1 ? ' in each' : ''} up to ${formatCount(copiesInTurn)} copies one after the other, each down in its turn`;
}

/** `, each about 2 to 10 min`, ` (in each, up to 4 copies one after the other, about 2 to 10 min a copy, …)`. */
function describeRoll(row: DeploymentRow, each = ''): string {
  const { downtime } = row;
  const { copies = 1 } = downtime ?? {};
  if (!downtime || copies === 1) return describeHowLong(row, each);
  const copy = formatDowntime(downtime, 'min');
  return ` (in each, up to ${formatCount(copies)} copies one after the other, ${copy} a copy, while the others serve)`;
}

/** `, about 2 to 9 min`. Empty where that is not known. */
function describeHowLong({ downtime }: DeploymentRow, each = ''): string {
  return downtime ? `, ${each}${formatDowntime(downtime, 'min')}` : '';
}

/** `v0.22.0 → v0.23.0, model a → b, enforce-eager added`. Undefined where more than single values change. */
export function describeEdit({ image, model, steps }: DeploymentRow): string | undefined {
  const edits = [
    ...(image ? [`${image.pods ? `${image.pods} only, ` : ''}${image.before} → ${image.after}`] : []),
    ...(model ? [`model ${model.before} → ${model.after}`] : []),
    ...(steps === undefined ? [] : [steps]),
  ];
  return edits.length > 0 ? edits.join(', ') : undefined;
}

/** The tools that apply a change in each way, the most careful first. */
const TOOLS = [
  ['Pulumi', 'withWaves'],
  ['Argo CD', 'perCluster'],
  ['Flux, kubectl', 'atOnce'],
] as const;

/**
 * `≥ 2 of 3`, or a line for each number: `Pulumi, Argo CD: ≥ 2 of 3`, `Flux, kubectl: 0`. The numbers are the same however
 * the change is applied; a sign marks that none serves as it is.
 */
function formatServing(row: DeploymentRow): string {
  const { serving, applied, mostDown, replicas } = row;
  if (!serving) return '';
  const { before, after } = replicas;
  if (after === 0 && keepsOld(row)) return `≥ ${formatCount(serving[applied])} of ${formatCount(before)} (old)`;
  if (serving.withWaves === 0) return `:warning: ${mayServe(row) ? '\u2265 ' : ''}0 of ${formatCount(before)}`;
  const counts = TOOLS.map(([tool, mode]) => {
    const least = formatLeast(serving[mode], before, mostDown?.[mode]);
    return { tool, count: `${least}${serving[mode] === 0 ? '' : formatEmptied(serving.emptied?.[mode])}` };
  });
  const lines = [...groupBy(counts, ({ count }) => count)];
  const [[least] = ['']] = lines;
  const isEmptied = (serving.emptied?.[applied] ?? []).length > 0;
  const sign = serving[applied] === 0 || isEmptied ? ':warning: ' : '';
  if (lines.length < 2 || (serving.atOnce >= serving.withWaves && !serving.emptied))
    return `${sign}${least}${noteCopy(row)}`;
  const each = lines.map(([count, tools]) => `${joinNames(tools.map(({ tool }) => tool))}: ${count}`).join('<br>');
  return `${sign}${each}`;
}

/** `, with one copy fewer`: replicas serve while their copies restart one after the other. */
function noteCopy({ atATime, copiesInTurn }: DeploymentRow): string {
  return atATime === 0 && copiesInTurn !== undefined ? ', with one copy fewer' : '';
}

/** ` (for a time 0 on eu)`: clusters whose clients reach no other replicas. Empty: there are none. */
function formatEmptied(clusters: readonly string[] = []): string {
  return clusters.length === 0 ? '' : ` (for a time 0 on ${joinNames(clusters, MAX_PLACES, ' or ')})`;
}

/** @param mostDown of each of several deployments */
function formatLeast(count: number, before: number, mostDown: number | undefined): string {
  if (count === 0) return '0';
  if (mostDown === undefined) return `≥ ${formatCount(count)} of ${formatCount(before)}`;
  return mostDown === 0 ? 'all of each' : `≥ all but ${formatCount(mostDown)} of each`;
}

/** Whether the replicas of a row cost what they cost. */
function isCostKept({ cost, estimate }: DeploymentRow): boolean {
  return [...cost, ...estimate]
    .map(toRangeChange)
    .every(({ delta: { least, most } }) => [least, most].every(isUnchangedSum));
}

function isZero({ delta, idle }: CostChanges): boolean {
  return [delta.least, delta.most, idle.delta].every(({ perMonth, unknown }) => perMonth === 0 && unknown === 0);
}
