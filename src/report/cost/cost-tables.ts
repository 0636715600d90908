import { formatCount } from '../../base/figures';
import { formatAmount, formatUnitPrice } from '../../base/money';
import { pluralize } from '../../base/text';
import type {
  ClusterCost,
  Cost,
  CostRange,
  CostWithLeast,
  NamespaceCost,
  PoolCost,
  PriceSource,
} from '../../cost/cost';
import { type Sum, sumParts } from '../../cost/sum';
import type { EstimatedCost } from '../../diff/cost-estimates';
import { formatVolumeName } from '../../cost/volume-name';
import { type Block, styledLines } from '../document/document';
import { formatEstimatedCost } from './cost-estimate';
import { type CostPeriod, formatPriceSource, hasPurchases, isBought } from './cost-summary';

/**
 * Formats the cost of a fleet as tables: purchases by cluster, pool and volume, their idle part, and their use by
 * namespace, deployment and replica. Each row has the amounts an hour and a month, with the numbers of its price
 * sources, which are listed below the tables.
 *
 * @param estimate the cost with prices of other regions, which the tables have where known prices do not suffice
 */
export function formatCostTables(known: Cost, estimate?: EstimatedCost): Block[] {
  if (!hasPurchases(known)) return [NOTHING_BOUGHT];
  const estimated = formatEstimatedCost(known, estimate);
  const [title, cost] = estimate && estimated.length > 0 ? ['Estimated cost', estimate.cost] : ['Cost', known];
  const cells = figureCellsIn(cost.currency);
  const tables = TABLES.map((table) => table(cost, cells));
  return [
    ...styledLines('strong', [`${title}, a month of ${cost.hoursPerMonth} hours`]),
    ...styledLines('faint', estimated),
    ...tables.flatMap(formatTable),
    ...listNodesOfAllCopies(cost),
    ...formatLegend(cost.sources, cost.total.most.unknown > 0),
  ];
}

export const NOTHING_BOUGHT = 'Cost: none.';

/** Formats rows below their titles, without empty columns. Returns nothing if there are only titles. */
export function formatTable(rows: readonly (readonly string[])[]): Block[] {
  const [titles = [], ...body] = rows;
  const isShown = titles.map((_, c) => c === 0 || body.some((row) => row[c] !== ''));
  return body.length > 0 ? ['', { rows: rows.map((row) => row.filter((_, c) => isShown[c])) }] : [];
}

const NO_PRICE =
  'NO PRICE: how many pools and volumes have no price; of what replicas use, how many parts. The figures leave them out: ≥ marks those of which a part is known.';

/** Formats the legend: the meaning of unknown parts, and the numbered price sources. */
export function formatLegend(sources: readonly PriceSource[], hasUnknown: boolean): Block[] {
  const listed = sources.map((source, i) => `${i + 1}  ${formatPriceSource(source)}`);
  return [
    ...(hasUnknown ? ['', NO_PRICE] : []),
    ...(listed.length > 0 ? ['', { text: 'SOURCES', below: listed }] : []),
  ];
}

/** Formats an amount of a currency. */
export type FormatAmount = typeof formatAmount;

/** Formats the cost ranges of a table: `$12.50`, `$6.60..$17.21`, `unknown`. */
export function formatAmountCell(
  { least, most }: CostRange,
  per: CostPeriod,
  currency: string,
  format: FormatAmount = formatAmount,
): string {
  const [low = '', high = ''] = [least, most].map(({ [per]: amount }) =>
    amount === undefined ? 'unknown' : format(amount, currency),
  );
  return low === high ? high : `${low}..${high}`;
}

/** Formats the cost ranges of a table, where parts without a price make them lower bounds: `≥ $12.50`. */
export function formatBoundCell(range: CostRange, per: CostPeriod, currency: string): string {
  const isBound = range.most.unknown > 0 && range.most[per] !== undefined;
  return `${isBound ? '≥ ' : ''}${formatAmountCell(range, per, currency)}`;
}

/** Formats the price sources of sums as their numbers in the legend, from 1: `1-3,5`. */
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

/** Formats the bounds of a count: `1..2`, `3`. */
export function formatCountCell({ least, most }: { readonly least: number; readonly most: number }): string {
  return least === most ? formatCount(most) : `${formatCount(least)}..${formatCount(most)}`;
}

const FIGURES = ['AN HOUR', 'A MONTH', 'NO PRICE', 'SOURCES'];

/** The cells of a row below `FIGURES`. */
type FigureCells = (range: CostRange) => string[];

function figureCellsIn(currency: string): FigureCells {
  return (range) => {
    const { unknown } = range.most;
    const amounts = [formatBoundCell(range, 'perHour', currency), formatBoundCell(range, 'perMonth', currency)];
    return [...amounts, unknown > 0 ? String(unknown) : '', formatSourceNumbers([range.least, range.most])];
  };
}

export function toExactRange(sum: Sum): CostRange {
  return { least: sum, most: sum };
}

/** The range of a cost that depends on what an autoscaler does. */
export function toRange({ cost, least = cost }: CostWithLeast): CostRange {
  return { least, most: cost };
}

/** The range of the cost of a namespace. */
export function toNamespaceRange({ leastReplicas, storage, total }: NamespaceCost): CostRange {
  return { least: leastReplicas ? sumParts([leastReplicas, storage]) : total, most: total };
}

function fleetTable({ fixed, autoscaled, storage, total, idle }: Cost, figureCells: FigureCells): string[][] {
  return [
    ['FLEET', ...FIGURES],
    ['nodes that always run', ...figureCells(toExactRange(fixed))],
    ['autoscaled nodes', ...figureCells(autoscaled)],
    ['storage', ...figureCells(toExactRange(storage))],
    ['all', ...figureCells(total)],
    ['idle', ...figureCells(toExactRange(idle))],
  ];
}

/** The most expensive clusters first, and last those without any known price. */
function sortByCost(clusters: Cost['clusters']): ClusterCost[] {
  return [...clusters].sort((a, b) => knownCostOf(b) - knownCostOf(a));
}

function knownCostOf({ total }: ClusterCost): number {
  return total.most.perHour ?? -1;
}

function boughtTable({ clusters }: Cost, figureCells: FigureCells): string[][] {
  const rows = sortByCost(clusters)
    .filter(isBought)
    .flatMap(({ cluster, total, pools, volumes }) => [
      [cluster, '', ...figureCells(total)],
      ...pools.map((pool) => [`  ${pool.pool}`, formatCountCell(pool.nodes), ...figureCells(pool)]),
      ...volumes.map((volume) => {
        const { sizeGiB, cost } = volume;
        return [`  ${formatVolumeName(volume)}, ${formatCount(sizeGiB)} GiB`, '', ...figureCells(toExactRange(cost))];
      }),
    ]);
  return [['CLUSTER', 'NODES', ...FIGURES], ...rows];
}

/** The idle cost of each pool with nodes: the price of a node, the nodes that always run, and the nodes in use. */
function idleTable({ clusters, currency }: Cost, figureCells: FigureCells): string[][] {
  const row = (pool: PoolCost): string[] => idleRow(pool, currency, figureCells);
  const rows = sortByCost(clusters).flatMap(({ cluster, idle, pools }) => {
    const used = pools.filter(({ nodes }) => nodes.most > 0);
    return used.length > 0 ? [[cluster, '', '', '', ...figureCells(toExactRange(idle))], ...used.map(row)] : [];
  });
  return [['IDLE', 'A NODE', 'RUNNING', 'TAKEN', ...FIGURES], ...rows];
}

/**
 * Names the whole nodes of pools that the most copies need, where these are more than run in any case and fewer than the
 * pool may have. Pods that do not share a node may need more than the sum of what they take.
 */
function listNodesOfAllCopies({ clusters, currency, hoursPerMonth }: Cost): Block[] {
  const lines = sortByCost(clusters).flatMap(({ cluster, pools }) =>
    pools.flatMap(({ pool, price, nodes, taken }) => {
      const needed = Math.ceil(taken);
      if (needed <= nodes.least || needed >= nodes.most) return [];
      const amounts = price ? [needed * price.perHour, needed * price.perHour * hoursPerMonth] : [];
      const [hour, month] = amounts.map((amount) => formatAmount(amount, currency));
      const cost = hour === undefined ? '' : ` (${hour} an hour, ${month} a month)`;
      return [
        `${cluster} / ${pool}: all copies need at least ${pluralize(needed, 'node')}${cost}, of at most ${formatCount(nodes.most)}`,
      ];
    }),
  );
  return lines.length > 0 ? ['', ...lines] : [];
}

/** The sources of the row are those of the pool price, also if nothing is idle. */
function idleRow(
  { pool, price, nodes, taken, idle, most }: PoolCost,
  currency: string,
  figureCells: FigureCells,
): string[] {
  const node = price ? formatUnitPrice(price.perHour, currency) : 'unknown';
  const amounts = figureCells(toExactRange(idle)).slice(0, -1);
  // Only copies that scale take more than what runs in any case, and they may not run.
  const used = `${taken > nodes.least ? '≤ ' : ''}${Number(taken.toFixed(2)).toLocaleString('en')}`;
  return [`  ${pool}`, node, formatCount(nodes.least), used, ...amounts, formatSourceNumbers([most])];
}

function namespaceTable({ namespaces, currency }: Cost, figureCells: FigureCells): string[][] {
  const rows = namespaces.map((one) => [
    one.namespace,
    formatBoundCell({ least: one.leastReplicas ?? one.replicas, most: one.replicas }, 'perHour', currency),
    formatBoundCell(toExactRange(one.storage), 'perHour', currency),
    ...figureCells(toNamespaceRange(one)),
  ]);
  return [['NAMESPACE', 'REPLICAS AN HOUR', 'STORAGE AN HOUR', ...FIGURES], ...rows];
}

function replicaTable({ deployments }: Cost, figureCells: FigureCells): string[][] {
  const rows = deployments.flatMap(({ deployment, replicas, ...all }) => [
    [deployment, ...figureCells(toRange(all))],
    ...replicas.map((one) => {
      const name = `  ${one.cluster}/${one.index}${one.draining ? ', draining' : ''}`;
      return [name, ...figureCells(toRange(one))];
    }),
  ]);
  return [['DEPLOYMENT', ...FIGURES], ...rows];
}

const TABLES: readonly ((cost: Cost, figureCells: FigureCells) => string[][])[] = [
  fleetTable,
  boughtTable,
  idleTable,
  namespaceTable,
  replicaTable,
];
