import { formatSignedMoney } from '../../base/money';
import type {
  BoughtChange,
  ClusterCostChange,
  CostChange,
  CostChanges,
  RangeChange,
} from '../../cost/cost-changes';
import { type Block, styledLines } from '../document/document';
import type { CostPeriod } from './cost-summary';
import {
  formatAmountCell,
  formatCountCell,
  formatLegend,
  formatSourceNumbers,
  formatTable,
  toExactRange,
} from './cost-tables';

/**
 * What a fleet costs now and then as tables for a person: all of it and its parts, then the clusters with their pools and
 * volumes, the namespaces, and the deployments with their replicas of which it changes; an hour and a month, now, after
 * and the difference, each with the numbers of its sources, which are listed below.
 */
export function formatCostChangeTables(changes: CostChanges): Block[] {
  const { currency, hoursPerMonth, clusters, namespaces, deployments, sources } = changes;
  const tables = {
    FLEET: [...rowsOf('all', changes), ...partRows(changes)],
    CLUSTER: clusters.flatMap(clusterRows),
    NAMESPACE: namespaces.flatMap((one) => rowsOf(one.namespace, rangeChange(one))),
    DEPLOYMENT: deployments.flatMap((one) => [
      ...rowsOf(one.deployment, rangeChange(one)),
      ...one.replicas.flatMap((own) => rowsOf(`  ${own.cluster}/${own.index}`, rangeChange(own))),
    ]),
  };
  return [
    ...styledLines('strong', [`Cost in ${currency}, a month of ${hoursPerMonth} hours, where it changes`]),
    ...Object.entries(tables).flatMap(([title, rows]) => formatTable([[title, ...HEAD], ...rows])),
    ...formatLegend(sources, changes.before.most.unknown + changes.after.most.unknown > 0),
  ];
}

const HEAD = ['', 'NOW', 'AFTER', 'DIFFERENCE', 'PRICES'];

function clusterRows(change: ClusterCostChange): string[][] {
  return [
    ...rowsOf(change.cluster, change),
    ...partRows(change, '  '),
    ...change.pools.flatMap((pool) => [
      ...rowsOf(`  ${pool.pool}`, pool, [countRow('nodes', nodesOf(pool))]),
      ...nonEmptyRowsOf('    idle', rangeChange(pool.idle)),
    ]),
    ...change.volumes.flatMap((one) => {
      const size = { before: String(one.sizeGiB.before), after: String(one.sizeGiB.after) };
      return rowsOf(`  cache ${one.cache}`, rangeChange(one), [countRow('GiB', size)]);
    }),
  ];
}

/** The parts of what is bought, and what of it is idle. */
function partRows({ fixed, autoscaled, storage, idle }: BoughtChange, indent = ''): string[][] {
  return [
    ...nonEmptyRowsOf(`${indent}nodes that always run`, rangeChange(fixed)),
    ...nonEmptyRowsOf(`${indent}autoscaled nodes`, autoscaled),
    ...nonEmptyRowsOf(`${indent}storage`, rangeChange(storage)),
    ...nonEmptyRowsOf(`${indent}idle`, rangeChange(idle)),
  ];
}

/** Nothing of what is not there, before or after. */
function nonEmptyRowsOf(name: string, change: RangeChange): string[][] {
  const isThere = [change.before, change.after].some(({ most }) => most.perHour !== 0 || most.unknown > 0);
  return isThere ? rowsOf(name, change) : [];
}

/** The rows of one thing, of which the first names it. */
function rowsOf(name: string, change: RangeChange, counts: readonly string[][] = []): string[][] {
  const amounts = [amountRow('hour', change, 'perHour'), amountRow('month', change, 'perMonth')];
  return [...counts, ...amounts, ...unknownRows(change)].map((row, i) => [i === 0 ? name : '', ...row]);
}

function amountRow(title: string, { before, after, delta }: RangeChange, per: CostPeriod): string[] {
  const numbers = formatSourceNumbers([before.most, after.most, delta.most]);
  return [
    title,
    formatAmountCell(before, per),
    formatAmountCell(after, per),
    formatAmountCell(delta, per, formatSignedMoney),
    numbers,
  ];
}

/** How many parts have no price: of both, and of the difference. */
function unknownRows({ before, after, delta }: RangeChange): string[][] {
  const counts = [before, after, delta].map(({ most }) => most.unknown);
  return counts.some((count) => count > 0) ? [['unknown', ...counts.map(String), '']] : [];
}

interface Counts {
  readonly before: string;
  readonly after: string;
}

function countRow(title: string, { before, after }: Counts): string[] {
  return [title, before, after, '', ''];
}

function nodesOf({ nodes }: ClusterCostChange['pools'][number]): Counts {
  return { before: formatCountCell(nodes.before), after: formatCountCell(nodes.after) };
}

/** The same as bounds. */
export function rangeChange({ before, after, delta }: CostChange): RangeChange {
  return { before: toExactRange(before), after: toExactRange(after), delta: toExactRange(delta) };
}
