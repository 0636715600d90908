import { formatSignedBounds } from '../../base/money';
import { pluralize } from '../../base/text';
import type { Cost, CostBreakdown, CostRange, CostWithLeast, PriceSource } from '../../cost/cost';
import { toRangeChange, type CostChanges, type RangeChange } from '../../cost/cost-changes';
import { formatVolumeName } from '../../cost/volume-name';
import type { EstimatedCost } from '../../diff/cost-estimates';
import { placementKeyOf, type ReplicaId } from '../../scheduler/placement';
import { formatEstimatedRange } from '../cost/monthly-range';
import { describeSigns } from '../cost/cost-notes';
import { formatFigures, formatPriceSource, isUnchanged } from '../cost/cost-summary';
import { toExactRange, toNamespaceRange, toRange } from '../cost/cost-tables';
import { formatBestCells, hasUnknown, isBetterKnown } from '../cost/range-cells';
import type { AmountData, CostData, CostRow, CostTable } from './map-data';
import type { ReferenceTables } from './reference-tables';

/** The cost of a state by known prices, its estimate, and for the later of two states how it differs. */
export interface MappedCost {
  readonly cost: Cost;

  /** Absent if nothing is estimated. */
  readonly estimate?: EstimatedCost | undefined;

  /** Absent for the earlier state, and without a comparison. */
  readonly changes?: CostChanges | undefined;
}

export function buildCostData(mapped: MappedCost, references: ReferenceTables): CostData {
  const { cost, estimate, changes } = mapped;
  const change = changes && formatChange(changes, changes.estimate?.changes, cost.currency);
  return {
    currency: cost.currency,
    hoursPerMonth: cost.hoursPerMonth,
    total: toAmount(cost.total, estimate?.cost.total),
    parts: partsOf(mapped),
    unpriced: listUnpriced(cost),
    sources: cost.sources.map(formatPriceSource),
    notes: describeSigns(estimate?.assumed ?? [], cost),
    ...(change !== undefined && { change }),
    tables: buildTables(mapped, references),
  };
}

/** An amount by known prices if they suffice, or else its estimate. */
function toAmount(known: CostRange, estimate: CostRange | undefined): AmountData {
  const isEstimated = estimate !== undefined && isBetterKnown(known, estimate);
  const { least, most } = isEstimated ? estimate : known;
  if (most.perMonth === undefined) return null;
  const low = least.perMonth ?? 0;
  if (!isEstimated && low === most.perMonth && most.unknown === 0) return low;
  const bounds = [low, most.perMonth, least.unknown, most.unknown] as const;
  return isEstimated ? [...bounds, 1] : bounds;
}

/** How a cost changes: by known prices if they suffice, or else estimated. Absent if it stays. */
function formatChange(known: RangeChange, estimated: RangeChange | undefined, currency: string): string | undefined {
  if (isUnchanged(known.delta)) return undefined;
  const [, , difference = ''] = formatBestCells({ known, estimated }, currency);
  return `${difference}${formatPercent(known)}`;
}

/** ` (+25 %)`. Empty where a part has no known price, and for what is new or removed. */
function formatPercent(change: RangeChange): string {
  const [was = 0, is = 0] = [change.before.most.perMonth, change.after.most.perMonth];
  const percent = hasUnknown(change) || was <= 0 || is <= 0 ? 0 : Math.round(((is - was) / was) * 100);
  return percent === 0 ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
}

/** The parts of a cost that the fleet has. */
function partsOf({ cost, estimate, changes }: MappedCost): CostData['parts'] {
  const { clusters, currency } = cost;
  const pools = clusters.flatMap((cluster) => cluster.pools);
  const rows: [name: string, exists: boolean, part: 'fixed' | 'autoscaled' | 'storage' | 'idle'][] = [
    ['Nodes that always run', pools.some((pool) => !pool.autoscaled), 'fixed'],
    ['Autoscaled nodes', pools.some((pool) => pool.autoscaled), 'autoscaled'],
    ['Storage', clusters.some(({ volumes }) => volumes.length > 0), 'storage'],
    ['Idle, of all nodes', pools.length > 0, 'idle'],
  ];
  const rangeOf = (costs: CostBreakdown, part: (typeof rows)[number][2]): CostRange =>
    part === 'autoscaled' ? costs.autoscaled : toExactRange(costs[part]);
  const changeOf = (of: CostChanges, part: (typeof rows)[number][2]): RangeChange =>
    part === 'autoscaled' ? of.autoscaled : toRangeChange(of[part]);
  return rows.flatMap(([name, exists, part]): CostData['parts'][number][] => {
    if (!exists) return [];
    const after = changes?.estimate?.changes;
    const known = changes && changeOf(changes, part);
    const change = known && formatChange(known, after && changeOf(after, part), currency);
    const shown = part === 'idle' && change === 'unknown' ? formatKnownIdle(known, currency) : change;
    return [[name, toAmount(rangeOf(cost, part), estimate && rangeOf(estimate.cost, part)), shown ?? '']];
  });
}

/** `-$840, and 1 pool without a price`. Not the difference of what is bought: a known fall of idle capacity is no saving. */
function formatKnownIdle(change: RangeChange | undefined, currency: string): string | undefined {
  const { perMonth, unknown } = change?.delta.most ?? { unknown: 0 };
  if (perMonth === undefined) return 'unknown';
  return `${formatSignedBounds([perMonth], currency)}, and ${pluralize(unknown, 'pool')} without a price`;
}

function listUnpriced({ clusters }: Cost): string[] {
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools.filter(({ price }) => !price).map(({ pool }) => `${cluster} / ${pool}`),
    ...volumes.filter(({ price }) => !price).map((volume) => `${cluster} / ${formatVolumeName(volume)}`),
  ]);
}

/** An item with a cost or a change of it. The name has one part per level, such as cluster and pool. */
interface Named<T> {
  readonly name: readonly string[];
  readonly value: T;
}

/** The ways to divide the cost of a fleet: the items of a cost, and those of its changes. */
const DIVISIONS: Readonly<
  Record<string, { list: (cost: Cost) => Named<CostRange>[]; changes: (all: CostChanges) => Named<RangeChange>[] }>
> = {
  Clusters: {
    list: ({ clusters }) => clusters.map(({ cluster, total }) => ({ name: [cluster], value: total })),
    changes: ({ clusters }) => clusters.map((one) => ({ name: [one.cluster], value: one })),
  },
  Pools: {
    list: ({ clusters }) =>
      clusters.flatMap(({ cluster, pools }) => pools.map((one) => ({ name: [cluster, one.pool], value: one }))),
    changes: ({ clusters }) =>
      clusters.flatMap(({ cluster, pools }) => pools.map((one) => ({ name: [cluster, one.pool], value: one }))),
  },
  Caches: {
    list: ({ clusters }) =>
      clusters.flatMap(({ cluster, volumes }) =>
        volumes.map(({ cache, cost }) => ({ name: [cluster, cache], value: toExactRange(cost) })),
      ),
    changes: ({ clusters }) =>
      clusters.flatMap(({ cluster, volumes }) =>
        volumes.map((one) => ({ name: [cluster, one.cache], value: toRangeChange(one) })),
      ),
  },
  Namespaces: {
    list: ({ namespaces }) => namespaces.map((one) => ({ name: [one.namespace], value: toNamespaceRange(one) })),
    changes: ({ namespaces }) => namespaces.map((one) => ({ name: [one.namespace], value: toRangeChange(one) })),
  },
  Deployments: {
    list: ({ deployments }) => deployments.map((one) => ({ name: [one.deployment], value: toRange(one) })),
    changes: ({ deployments }) => deployments.map((one) => ({ name: [one.deployment], value: toRangeChange(one) })),
  },
};

/** Builds a table for each way to divide the cost; in a comparison, the clusters whose cost changes come first. */
function buildTables(mapped: MappedCost, references: ReferenceTables): CostTable[] {
  const tables = Object.entries(DIVISIONS).flatMap(([title, division]) =>
    buildTable(title, division, mapped, references),
  );
  const changed = tables.flatMap(({ title, rows, removed = [] }): CostTable[] => {
    if (title !== CLUSTERS) return [];
    const changedRows = rows.filter(([, , , change]) => change !== undefined);
    if (changedRows.length + removed.length === 0) return [];
    return [{ title: 'Clusters that change', rows: changedRows, ...(removed.length > 0 && { removed }) }];
  });
  return [...changed, ...tables];
}

const CLUSTERS = 'Clusters';

function buildTable(
  title: string,
  { list, changes: listChanges }: (typeof DIVISIONS)[string],
  { cost, estimate, changes }: MappedCost,
  { text }: ReferenceTables,
): CostTable[] {
  const items = list(cost);
  const estimates = byName(estimate ? list(estimate.cost) : []);
  const estimatedChanges = byName(changes?.estimate ? listChanges(changes.estimate.changes) : []);
  const changed = byName(changes ? listChanges(changes) : []);
  const toRow = ({ name }: Named<unknown>, month: AmountData, { sources = [] }: CostRange['most']): CostRow => {
    const key = name.join('\n');
    const known = changed.get(key);
    const change = known && formatChange(known, estimatedChanges.get(key), cost.currency);
    const row = [name.map(text), month, text(sources.map((place) => place + 1).join(', '))] as const;
    return change === undefined ? row : [...row, text(change)];
  };
  const rows = items
    .map((item) => toRow(item, toAmount(item.value, estimates.get(item.name.join('\n'))), item.value.most))
    .toSorted(([, a], [, b]) => rank(b) - rank(a));
  const kept = byName(items);
  const removed = (changes ? listChanges(changes) : []).flatMap((item) => {
    const key = item.name.join('\n');
    if (kept.has(key)) return [];
    const before = toAmount(item.value.before, estimatedChanges.get(key)?.before);
    return [toRow(item, before, item.value.before.most)];
  });
  return rows.length + removed.length === 0 ? [] : [{ title, rows, ...(removed.length > 0 && { removed }) }];
}

function byName<T>(items: readonly Named<T>[]): Map<string, T> {
  return new Map(items.map(({ name, value }) => [name.join('\n'), value]));
}

/** The sort key of a cost: unknown costs come after costs of zero. */
function rank(amount: AmountData): number {
  return typeof amount === 'number' ? amount : (amount?.[1] ?? -1);
}

/** Creates a lookup of the cost of each replica as a clause. */
export function createReplicaCostText({ cost, estimate }: MappedCost): (replica: ReplicaId) => string {
  const { deployments, currency, sources } = cost;
  const known = indexReplicas(deployments);
  const estimated = indexReplicas(estimate?.cost.deployments ?? []);
  return (replica) => {
    const key = placementKeyOf(replica);
    const found = known.get(key);
    if (found && found.cost.unknown === 0) return `${formatKnown(found, currency)}${nameSources(found, sources)}`;
    const about = estimated.get(key);
    const text = about && formatEstimatedRange(toRange(about), currency);
    if (text !== undefined && text !== 'unknown') return `${text} a month`;
    if (found?.cost.perMonth === undefined) return 'cost unknown';
    return `≥ ${formatKnown(found, currency)}${nameSources(found, sources)}`;
  };
}

function indexReplicas(deployments: Cost['deployments']): Map<string, CostWithLeast> {
  return new Map(
    deployments.flatMap(({ deployment, replicas }) =>
      replicas.map((replica): [string, CostWithLeast] => [placementKeyOf({ deployment, ...replica }), replica]),
    ),
  );
}

function formatKnown(found: CostWithLeast, currency: string): string {
  return `${formatFigures(toRange(found), currency, 'perMonth')} a month`;
}

function nameSources({ cost }: CostWithLeast, sources: readonly PriceSource[]): string {
  const named = (cost.sources ?? []).flatMap((place) => sources[place] ?? []).map(formatPriceSource);
  return named.length > 0 ? `, by ${named.join(', ')}` : '';
}
