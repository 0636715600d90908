import { formatSignedAmount } from '../../base/money';
import {
  toRangeChange,
  type BoughtChange,
  type ClusterCostChange,
  type CostChanges,
  type RangeChange,
} from '../../cost/cost-changes';
import { formatVolumeName } from '../../cost/volume-name';
import { type Block, styledLines } from '../document/document';
import type { CostPeriod } from './cost-summary';
import {
  formatAmountCell,
  formatBoundCell,
  formatCountCell,
  formatLegend,
  formatSourceNumbers,
  formatTable,
} from './cost-tables';

/**
 * Formats the changes of the cost of a fleet as tables: the total and its parts, then the changed clusters with their
 * pools and volumes, namespaces, and deployments with their replicas. Each row has the amount an hour or a month before,
 * after and the difference, with the numbers of its price sources, which are listed below the tables.
 */
export function formatCostChangeTables(changes: CostChanges): Block[] {
  const { currency, hoursPerMonth, clusters, namespaces, deployments, sources } = changes;
  const rowsOf = createRows(currency);
  const tables = {
    FLEET: [...rowsOf('all', changes), ...partRows(changes, rowsOf)],
    CLUSTER: clusters.flatMap((change) => clusterRows(change, rowsOf)),
    NAMESPACE: namespaces.flatMap((change) => rowsOf(change.namespace, toRangeChange(change))),
    DEPLOYMENT: deployments.flatMap((change) => [
      ...rowsOf(change.deployment, toRangeChange(change)),
      ...change.replicas.flatMap((replica) => rowsOf(`  ${replica.cluster}/${replica.index}`, toRangeChange(replica))),
    ]),
  };
  return [
    ...styledLines('strong', [`Cost, a month of ${hoursPerMonth} hours, where it changes`]),
    ...Object.entries(tables).flatMap(([title, rows]) => formatTable([[title, ...HEAD], ...rows])),
    ...formatLegend(sources, changes.before.most.unknown + changes.after.most.unknown > 0),
  ];
}

const HEAD = ['', 'BEFORE', 'AFTER', 'DIFFERENCE', 'SOURCES'];

function clusterRows(change: ClusterCostChange, rowsOf: RowsOf): string[][] {
  return [
    ...rowsOf(change.cluster, change),
    ...partRows(change, rowsOf, '  '),
    ...change.pools.flatMap((pool) => [
      ...rowsOf(`  ${pool.pool}`, pool, [countRow('nodes', pool.nodes, formatCountCell)]),
      ...nonEmptyRows('    idle', toRangeChange(pool.idle), rowsOf),
    ]),
    ...change.volumes.flatMap((volume) =>
      rowsOf(`  ${formatVolumeName(volume)}`, toRangeChange(volume), [countRow('GiB', volume.sizeGiB, String)]),
    ),
  ];
}

function partRows({ fixed, autoscaled, storage, idle }: BoughtChange, rowsOf: RowsOf, indent = ''): string[][] {
  return [
    ...nonEmptyRows(`${indent}nodes that always run`, toRangeChange(fixed), rowsOf),
    ...nonEmptyRows(`${indent}autoscaled nodes`, autoscaled, rowsOf),
    ...nonEmptyRows(`${indent}storage`, toRangeChange(storage), rowsOf),
    ...nonEmptyRows(`${indent}idle`, toRangeChange(idle), rowsOf),
  ];
}

function nonEmptyRows(name: string, change: RangeChange, rowsOf: RowsOf): string[][] {
  const exists = [change.before, change.after].some(({ most }) => most.perHour !== 0 || most.unknown > 0);
  return exists ? rowsOf(name, change) : [];
}

/** The rows of a cost: counts, an hour, a month and unknown parts. The first row has the name. */
type RowsOf = (name: string, change: RangeChange, counts?: readonly string[][]) => string[][];

function createRows(currency: string): RowsOf {
  const amountRow = (title: string, { before, after, delta }: RangeChange, per: CostPeriod): string[] => {
    const amounts = [before, after].map((range) => formatBoundCell(range, per, currency));
    const difference = formatAmountCell(delta, per, currency, formatSignedAmount);
    return [title, ...amounts, difference, formatSourceNumbers([before.most, after.most, delta.most])];
  };
  return (name, change, counts = []) => {
    const amounts = [amountRow('hour', change, 'perHour'), amountRow('month', change, 'perMonth')];
    return [...counts, ...amounts, ...unknownRows(change)].map((row, i) => [i === 0 ? name : '', ...row]);
  };
}

/** The row with the number of parts without a price, or none if all have prices. */
function unknownRows({ before, after, delta }: RangeChange): string[][] {
  const counts = [before, after, delta].map(({ most }) => most.unknown);
  return counts.some((count) => count > 0) ? [['no price', ...counts.map(String), '']] : [];
}

function countRow<T>(
  title: string,
  { before, after }: { readonly before: T; readonly after: T },
  format: (count: T) => string,
): string[] {
  return [title, format(before), format(after), '', ''];
}
