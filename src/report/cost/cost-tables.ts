import { formatMoney } from '../../base/money';
import type { ClusterCost, Cost, CostRange, PoolCost, PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import { type Block, styledLines } from '../document/document';
import { formatPriceSource } from './amounts';
import { type CostPeriod, hasPurchases } from './cost-summary';

/**
 * All that a fleet costs as tables for a person: what is bought by cluster, pool and volume, what of it is idle, what
 * uses it by namespace, deployment and replica; an hour and a month, each figure with the numbers of its sources, which
 * are listed below.
 */
export function formatCostTables(cost: Cost): Block[] {
  if (!hasPurchases(cost)) return [NOTHING_BOUGHT];
  const tables = [
    fleetTable(cost),
    boughtTable(cost),
    idleTable(cost),
    namespaceTable(cost),
    replicaTable(cost),
  ];
  return [
    ...styledLines('strong', [`Cost in ${cost.currency}, a month of ${cost.hoursPerMonth} hours`]),
    ...tables.flatMap(formatTable),
    ...formatLegend(cost.sources, cost.total.most.unknown > 0),
  ];
}

export const NOTHING_BOUGHT = 'Cost: there is nothing to pay for.';

/** Rows below their titles, without columns that say nothing. Nothing where there are only titles. */
export function formatTable(rows: readonly (readonly string[])[]): Block[] {
  const [, ...body] = rows;
  const told = (_: string, c: number): boolean => c === 0 || body.some((row) => row[c] !== '');
  return body.length > 0 ? ['', { rows: rows.map((row) => row.filter(told)) }] : [];
}

/** What the columns of unknown parts and of prices mean. */
export function formatLegend(sources: readonly PriceSource[], isUnknown: boolean): Block[] {
  const listed = sources.map((one, place) => `${place + 1}  ${formatPriceSource(one)}`);
  return [
    ...(isUnknown ? ['', 'Unknown counts parts without a price: figures are of the others alone.'] : []),
    ...(listed.length > 0 ? ['', { text: 'PRICES', below: listed }] : []),
  ];
}

/** `12.50`, `6.60..17.21`, `unknown`. */
export function formatAmountCell({ least, most }: CostRange, per: CostPeriod, shown = formatMoney): string {
  const [low = '', high = ''] = [least, most].map(({ [per]: amount }) =>
    amount === undefined ? 'unknown' : shown(amount),
  );
  return low === high ? high : `${low}..${high}`;
}

/** Places in a list as numbers from 1: `1-3,5`. */
export function formatSourceNumbers(sums: readonly Sum[]): string {
  const numbers = [...new Set(sums.flatMap(({ sources = [] }) => sources))].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const place of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === place) last[1] = place + 1;
    else runs.push([place + 1, place + 1]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** `1..2`, `3`. */
export function formatCountCell({ least, most }: { readonly least: number; readonly most: number }): string {
  return least === most ? `${most}` : `${least}..${most}`;
}

const FIGURES = ['AN HOUR', 'A MONTH', 'UNKNOWN', 'PRICES'];

function figureCells(range: CostRange): string[] {
  const { unknown } = range.most;
  const amounts = [formatAmountCell(range, 'perHour'), formatAmountCell(range, 'perMonth')];
  return [...amounts, unknown > 0 ? String(unknown) : '', formatSourceNumbers([range.least, range.most])];
}

/** Two bounds that are the same. */
export function toExactRange(sum: Sum): CostRange {
  return { least: sum, most: sum };
}

function fleetTable({ fixed, autoscaled, storage, total, idle }: Cost): string[][] {
  return [
    ['FLEET', ...FIGURES],
    ['nodes that always run', ...figureCells(toExactRange(fixed))],
    ['autoscaled nodes', ...figureCells(autoscaled)],
    ['storage', ...figureCells(toExactRange(storage))],
    ['all', ...figureCells(total)],
    ['idle', ...figureCells(toExactRange(idle))],
  ];
}

function boughtTable({ clusters }: Cost): string[][] {
  const rows = clusters.filter(hasAnyPurchase).flatMap(({ cluster, total, pools, volumes }) => [
    [cluster, '', ...figureCells(total)],
    ...pools.map((pool) => [`  ${pool.pool}`, formatCountCell(pool.nodes), ...figureCells(pool)]),
    ...volumes.map(({ cache, sizeGiB, cost }) => {
      return [`  cache ${cache}, ${sizeGiB} GiB`, '', ...figureCells(toExactRange(cost))];
    }),
  ]);
  return [['CLUSTER', 'NODES', ...FIGURES], ...rows];
}

/** Of each pool with nodes: what one costs, how many always run, how many replicas take. */
function idleTable({ clusters }: Cost): string[][] {
  const rows = clusters.flatMap(({ cluster, idle, pools }) => {
    const there = pools.filter(({ nodes }) => nodes.most > 0);
    return there.length > 0
      ? [[cluster, '', '', '', ...figureCells(toExactRange(idle))], ...there.map(idleRow)]
      : [];
  });
  return [['IDLE', 'A NODE', 'RUNNING', 'TAKEN', ...FIGURES], ...rows];
}

/** Its sources are those of the price, also where nothing is idle. */
function idleRow({ pool, price, nodes, taken, idle, most }: PoolCost): string[] {
  const node = price ? formatMoney(price.perHour) : 'unknown';
  const amounts = figureCells(toExactRange(idle)).slice(0, -1);
  return [
    `  ${pool}`,
    node,
    String(nodes.least),
    String(Number(taken.toFixed(2))),
    ...amounts,
    formatSourceNumbers([most]),
  ];
}

function namespaceTable({ namespaces }: Cost): string[][] {
  const rows = namespaces.map(({ namespace, replicas, storage, total }) => [
    namespace,
    ...[replicas, storage].map((sum) => formatAmountCell(toExactRange(sum), 'perHour')),
    ...figureCells(toExactRange(total)),
  ]);
  return [['NAMESPACE', 'REPLICAS', 'STORAGE', ...FIGURES], ...rows];
}

function replicaTable({ deployments }: Cost): string[][] {
  const rows = deployments.flatMap(({ deployment, cost, replicas }) => [
    [deployment, ...figureCells(toExactRange(cost))],
    ...replicas.map((one) => {
      const place = `  ${one.cluster}/${one.index}${one.leaving ? ', leaving' : ''}`;
      return [place, ...figureCells(toExactRange(one.cost))];
    }),
  ]);
  return [['DEPLOYMENT', ...FIGURES], ...rows];
}

function hasAnyPurchase({ pools, volumes }: ClusterCost): boolean {
  return pools.length + volumes.length > 0;
}
