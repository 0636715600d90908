import type { Cost, CostRange } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import { placementKeyOf, type ReplicaId } from '../../scheduler/placement';
import { formatCostAmounts, formatPriceSource, formatRange, formatSum } from '../cost/cost-summary';
import { toExactRange } from '../cost/cost-tables';
import { terminalLines } from '../document/write-terminal';
import type { CostData, CostRow, CostTable } from './map-data';
import type { ReferenceTables } from './reference-tables';

export function buildCostData(cost: Cost, references: ReferenceTables): CostData {
  const { clusters, namespaces, deployments } = cost;
  const tables: Record<string, PricedItem[]> = {
    Clusters: clusters.map(({ cluster, total }) => ({ name: [cluster], range: total })),
    Pools: clusters.flatMap(({ cluster, pools }) =>
      pools.map(({ pool, least, most }) => ({ name: [cluster, pool], range: { least, most } })),
    ),
    Caches: clusters.flatMap(({ cluster, volumes }) =>
      volumes.map(({ cache, cost }) => ({ name: [cluster, cache], range: toExactRange(cost) })),
    ),
    Namespaces: namespaces.map(({ namespace, total }) => ({ name: [namespace], range: toExactRange(total) })),
    Deployments: deployments.map(({ deployment, cost }) => ({ name: [deployment], range: toExactRange(cost) })),
  };
  return {
    lines: terminalLines(formatCostAmounts(cost)).map((line) => line.trim()),
    sources: cost.sources.map(formatPriceSource),
    tables: Object.entries(tables).flatMap(([title, rows]) => tableOf(title, rows, cost.currency, references)),
  };
}

/** An item with its cost range. The name has one part per level, such as cluster and pool. */
interface PricedItem {
  readonly name: readonly string[];
  readonly range: CostRange;
}

function tableOf(
  title: string,
  items: readonly PricedItem[],
  currency: string,
  { text }: ReferenceTables,
): CostTable[] {
  if (items.length === 0) return [];
  const sorted = items.toSorted((a, b) => rank(b.range) - rank(a.range));
  const rows = sorted.map(({ name, range }): CostRow => {
    const numbers = (range.most.sources ?? []).map((place) => place + 1);
    return [
      name.map(text),
      text(formatRange(range, currency)),
      text(formatRange(range, currency, 'perMonth')),
      text(numbers.join(', ')),
    ];
  });
  return [{ title, rows }];
}

/** The sort key of a cost: unknown costs come after costs of zero. */
function rank({ most }: CostRange): number {
  return most.perHour ?? -1;
}

/** Creates a lookup of the cost of each replica as a clause. */
export function createReplicaCostText({ deployments, currency, sources }: Cost): (replica: ReplicaId) => string {
  const sums = new Map(
    deployments.flatMap(({ deployment, replicas }) =>
      replicas.map((replica): [string, Sum] => [placementKeyOf({ deployment, ...replica }), replica.cost]),
    ),
  );
  return (replica) => {
    const sum = sums.get(placementKeyOf(replica));
    if (sum?.perHour === undefined) return 'its cost is unknown';
    const named = (sum.sources ?? []).flatMap((place) => sources[place] ?? []).map(formatPriceSource);
    return [`${formatSum(sum, currency)} an hour`, ...named].join(', by ');
  };
}
