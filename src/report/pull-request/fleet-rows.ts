import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { formatBounds, formatNodeCount, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import { toRangeChange, type CostChanges, type RangeChange } from '../../cost/cost-changes';
import type { Sum } from '../../cost/sum';
import { poolKeyOf } from '../../cost/pool-prices';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatDifferenceBounds } from '../cost/cost-difference';
import { describeIdleLost } from '../diff/idle-text';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { markBounds } from './capped-cost';
import { formatCounts } from './clauses';
import { formatFleetCells } from './cost-cells';
import { describeKeptBounds } from './kept-bounds';
import { MAX_NAMED } from './pool-sizes';

/** Cells of a state, each with what it is once old replicas are finalized. */
export function joinThen(later: readonly string[], then: readonly string[]): string[] {
  return then[0] === later[0] ? [...later] : later.map((cell, i) => `${cell} ${UNTIL_FINALIZED}, then ${then[i]}`);
}

const UNTIL_FINALIZED = 'until finalized';

/** The name of the row of the total. */
const FLEET = 'fleet';

/** The names of that row in the table, where no old replicas cost more and where they do. */
export const TOTALS: ReadonlySet<string> = new Set([`**${FLEET}**`, `**${FLEET}, ${UNTIL_FINALIZED}**`]);

export type IdleDiff = Pick<
  FleetDiff,
  'finalizedCost' | 'finalizedUse' | 'idleAccelerators' | 'declaredNodes' | 'deployments'
>;

/** The rows below the deployments: capacity that nothing uses, volumes of caches, and the total, at first and once old replicas are stopped. */
export function formatFleetRows(
  cost: CostChanges | undefined,
  { finalizedCost, declaredNodes, deployments, ...idle }: IdleDiff,
  later: Pick<Cost, 'clusters'>,
): string[][] {
  return [
    ...formatIdleRow(cost, idle),
    ...formatVolumesRow(cost, finalizedCost),
    ...(cost
      ? formatTotalRow(
          finalizedCost ? `${FLEET}, ${UNTIL_FINALIZED}` : FLEET,
          cost,
          later,
          joinPools([...listResized(cost, declaredNodes), ...describeKeptBounds(cost, deployments, later)]),
        )
      : []),
    ...(cost && finalizedCost ? formatTotalRow(`${FLEET}, after finalizing`, finalizedCost, later) : []),
  ];
}

function formatIdleRow(
  cost: CostChanges | undefined,
  { finalizedUse: use, idleAccelerators: idle }: Omit<IdleDiff, 'finalizedCost' | 'declaredNodes' | 'deployments'>,
): string[][] {
  const delta = (cost?.estimate?.changes ?? cost)?.idle.delta;
  const then = use?.idle.accelerators ?? idle.after;
  const counts = [idle.before, idle.after, then];
  if (new Set(counts).size === 1 && (!delta || isUnchangedSum(delta))) return [];
  const now = formatCounts(idle);
  const [gpus = ''] = joinThen([now], [then === idle.after ? now : formatCount(then)]);
  return [
    [
      'idle capacity',
      '',
      `${gpus}${describeIdleLost(idle)}`,
      '',
      '',
      ...formatPartCells(idleOf, cost, cost && withIdle(cost, use)),
    ],
  ];
}

/** A cost with what is idle once old replicas are finalized. */
function withIdle({ estimate, ...cost }: CostChanges, use: IdleDiff['finalizedUse']): CostChanges {
  const { cost: idle = cost.idle, estimate: estimated = estimate?.changes.idle } = use?.idle ?? {};
  const changes = estimate && estimated && { ...estimate.changes, idle: estimated };
  return { ...cost, idle, ...(changes && { estimate: { ...estimate, changes } }) };
}

function formatVolumesRow(cost: CostChanges | undefined, finalized: CostChanges | undefined): string[][] {
  const isChanged = [cost, finalized].some((one) => (one?.storage.delta.perMonth ?? 0) !== 0);
  return isChanged ? [['volumes of caches', '', '', '', '', ...formatPartCells(storageOf, cost, finalized)]] : [];
}

/** @param finalized the cost once old replicas are finalized. Absent: the same */
function formatPartCells(
  partOf: (cost: CostChanges) => RangeChange,
  cost: CostChanges | undefined,
  finalized: CostChanges | undefined,
): string[] {
  if (!cost) return [];
  const [before = '', ...later] = formatFleetCells(cost, partOf);
  return [before, ...joinThen(later, finalized ? formatFleetCells(finalized, partOf).slice(1) : later)];
}

/**
 * `` `us/h100` 3 → 2 nodes: -$2,921``, `` `us/l4` 4 nodes, $5,843 instead of $2,921 each: +$11,685``: what the fleet
 * buys, of which the rows above are the use.
 */
function listResized({ clusters, currency }: CostChanges, others: IdleDiff['declaredNodes'] = []): string[] {
  const renewed = new Set(others.map(({ cluster, name }) => poolKeyOf(cluster, name)));
  return clusters.flatMap(({ cluster, pools }) =>
    pools.flatMap(({ pool, nodes, ...cost }) => {
      const [was = '', is = ''] = [nodes.before, nodes.after].map(formatBounds);
      const each = renewed.has(poolKeyOf(cluster, pool)) ? describeEach(nodes, cost, currency) : '';
      if (was === is && each === '') return [];
      const former = was === is ? '' : `${was} → `;
      const amount = formatDifferenceBounds(cost, currency);
      const price = amount === 'unknown' ? '' : `: ${escapeMarkdown(amount)}`;
      return [`${formatCode(`${cluster}/${pool}`)} ${former}${formatNodeCount(is)}${each}${price}`];
    }),
  );
}

function joinPools(pools: readonly string[]): string {
  const more = pools.length - MAX_NAMED;
  return [...pools.slice(0, MAX_NAMED), ...(more > 0 ? [pluralize(more, 'more pool')] : [])].join('; ');
}

/** `, $5,843 instead of $2,921 each`. Empty where that is not known. */
function describeEach(
  nodes: Record<'before' | 'after', { readonly most: number }>,
  cost: RangeChange,
  currency: string,
): string {
  const [was, is] = (['before', 'after'] as const).map((when) => {
    const { perMonth, unknown } = cost[when].most;
    return perMonth === undefined || unknown > 0 || nodes[when].most === 0 ? undefined : perMonth / nodes[when].most;
  });
  if (was === undefined || is === undefined) return '';
  const [old, now] = [was, is].map((amount) => escapeMarkdown(formatAmount(amount, currency)));
  return `, ${now} instead of ${old} each`;
}

/** The cost of the fleet. Unchanged and known, it shows that the rows above are parts of it. */
function formatTotalRow(name: string, cost: CostChanges, later: Pick<Cost, 'clusters'>, what = ''): string[][] {
  const [before = '', after = '', difference = ''] = formatFleetCells(cost, totalOf, later);
  const isSame = isUnchangedTotal(cost);
  if (isSame && before === 'unknown') return [];
  const cells = [before, after, isSame ? 'unchanged' : `${difference}${markBounds(cost)}`];
  return [[`**${name}**`, '', '', what, '', ...cells.map((cell) => `**${cell}**`)]];
}

/** Whether the fleet costs what it costs, whatever pays for it. */
function isUnchangedTotal({ delta, estimate }: CostChanges): boolean {
  const sums = [delta, ...(estimate ? [estimate.changes.delta] : [])];
  return sums.every(({ least, most }) => isUnchangedSum(least) && isUnchangedSum(most));
}

export function isUnchangedSum({ perMonth, unknown }: Sum): boolean {
  return perMonth === 0 && unknown === 0;
}

function idleOf({ idle }: CostChanges): RangeChange {
  return toRangeChange(idle);
}

function storageOf({ storage }: CostChanges): RangeChange {
  return toRangeChange(storage);
}

function totalOf(cost: CostChanges): RangeChange {
  return cost;
}
