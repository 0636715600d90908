import type { Cost, CostRange, CostWithLeast } from '../../cost/cost';
import { formatVolumeName } from '../../cost/volume-name';
import { placementKeyOf, type ReplicaId } from '../../scheduler/placement';
import { formatFigures, formatPriceSource } from '../cost/cost-summary';
import { toExactRange, toNamespaceRange, toRange } from '../cost/cost-tables';
import type { AmountData, CostData, CostRow, CostTable } from './map-data';
import type { ReferenceTables } from './reference-tables';

export function buildCostData(cost: Cost, references: ReferenceTables): CostData {
  const { clusters, namespaces, deployments, currency, hoursPerMonth } = cost;
  const tables: Record<string, PricedItem[]> = {
    Clusters: clusters.map(({ cluster, total }) => ({ name: [cluster], range: total })),
    Pools: clusters.flatMap(({ cluster, pools }) =>
      pools.map(({ pool, least, most }) => ({ name: [cluster, pool], range: { least, most } })),
    ),
    Caches: clusters.flatMap(({ cluster, volumes }) =>
      volumes.map(({ cache, cost }) => ({ name: [cluster, cache], range: toExactRange(cost) })),
    ),
    Namespaces: namespaces.map((one) => ({ name: [one.namespace], range: toNamespaceRange(one) })),
    Deployments: deployments.map((one) => ({ name: [one.deployment], range: toRange(one) })),
  };
  return {
    currency,
    hoursPerMonth,
    total: toAmount(cost.total),
    parts: partsOf(cost),
    unpriced: listUnpriced(cost),
    sources: cost.sources.map(formatPriceSource),
    tables: Object.entries(tables).flatMap(([title, rows]) => tableOf(title, rows, references)),
  };
}

function toAmount({ least, most }: CostRange): AmountData {
  if (most.perMonth === undefined) return null;
  const low = least.perMonth ?? 0;
  return low === most.perMonth && most.unknown === 0 ? low : [low, most.perMonth, most.unknown];
}

/** The parts of a cost that the fleet has. */
function partsOf({ fixed, autoscaled, storage, idle, clusters }: Cost): CostData['parts'] {
  const pools = clusters.flatMap((cluster) => cluster.pools);
  const rows: [name: string, exists: boolean, range: CostRange][] = [
    ['Nodes that always run', pools.some((pool) => !pool.autoscaled), toExactRange(fixed)],
    ['Autoscaled nodes', pools.some((pool) => pool.autoscaled), autoscaled],
    ['Storage', clusters.some(({ volumes }) => volumes.length > 0), toExactRange(storage)],
    ['Idle, of nodes that always run', pools.length > 0, toExactRange(idle)],
  ];
  return rows.flatMap(([name, exists, range]) => (exists ? [[name, toAmount(range)] as const] : []));
}

function listUnpriced({ clusters }: Cost): string[] {
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools.filter(({ price }) => !price).map(({ pool }) => `${cluster} / ${pool}`),
    ...volumes.filter(({ price }) => !price).map((volume) => `${cluster} / ${formatVolumeName(volume)}`),
  ]);
}

/** An item with its cost range. The name has one part per level, such as cluster and pool. */
interface PricedItem {
  readonly name: readonly string[];
  readonly range: CostRange;
}

function tableOf(title: string, items: readonly PricedItem[], { text }: ReferenceTables): CostTable[] {
  if (items.length === 0) return [];
  const sorted = items.toSorted((a, b) => rank(b.range) - rank(a.range));
  const rows = sorted.map(({ name, range }): CostRow => {
    const numbers = (range.most.sources ?? []).map((place) => place + 1);
    return [name.map(text), toAmount(range), text(numbers.join(', '))];
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
      replicas.map((replica): [string, CostWithLeast] => [placementKeyOf({ deployment, ...replica }), replica]),
    ),
  );
  return (replica) => {
    const found = sums.get(placementKeyOf(replica));
    const sum = found?.cost;
    if (!found || sum?.perMonth === undefined) return 'cost unknown';
    const named = (sum.sources ?? []).flatMap((place) => sources[place] ?? []).map(formatPriceSource);
    const more = sum.unknown > 0 ? ' or more' : '';
    return `${formatFigures(toRange(found), currency, 'perMonth')}${more} a month${named.length > 0 ? `, by ${named.join(', ')}` : ''}`;
  };
}
