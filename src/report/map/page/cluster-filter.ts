import { formatCount } from '../../../base/figures';
import { pluralize } from '../../../base/text';
import { mostOf } from './fleet-figures';
import { type ClusterView, type FleetView, isDraining } from './fleet-view';
import { groupByRegion } from './regions';

/** The filter and order of clusters that the reader chose. */
export interface ClusterFilter {
  /** Words that the name, facts, pools or classes of a cluster all have to contain. */
  readonly words: string;

  /** The namespace of deployments. Empty: all. */
  readonly namespace: string;

  /** Indices of deployments. Empty: all. */
  readonly deployments: ReadonlySet<number>;

  /** Whether to show only clusters that change or that have a changed replica. */
  readonly changedOnly: boolean;
  readonly order: ClusterOrder;
}

export type ClusterOrder = 'region' | 'name' | 'fullest' | 'emptiest' | 'expensive' | 'changed';

export const NO_FILTER: ClusterFilter = {
  words: '',
  namespace: '',
  deployments: new Set(),
  changedOnly: false,
  order: 'region',
};

interface FilterResult {
  readonly clusters: readonly ClusterView[];
  readonly changedOnly: boolean;

  /** The indices of the deployments that match. Absent: all. */
  readonly wanted: ReadonlySet<number> | undefined;

  /** The number of their replicas on these clusters, without draining replicas. */
  readonly replicas: number;
}

export function applyFilter(fleet: FleetView, filter: ClusterFilter): FilterResult {
  const wanted = wantedDeployments(fleet, filter);
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const clusters = fleet.clusters.filter(
    ({ haystack, changed, deployments }) =>
      words.every((word) => haystack.includes(word)) &&
      (changed || !filter.changedOnly) &&
      (!wanted || [...deployments].some((deployment) => wanted.has(deployment))),
  );
  const existing = clusters.filter(({ removed }) => !removed);
  const removed = clusters.filter((cluster) => cluster.removed);
  const ordered = [existing, removed].flatMap(ORDERS[filter.order]);
  return { clusters: ordered, changedOnly: filter.changedOnly, wanted, replicas: countReplicasOn(clusters, wanted) };
}

const ORDERS: Readonly<Record<ClusterOrder, (clusters: ClusterView[]) => ClusterView[]>> = {
  region: (clusters) => groupByRegion(clusters).flatMap((region) => region.clusters),
  name: (clusters) => clusters,
  fullest: (clusters) => clusters.sort((a, b) => b.fullness - a.fullness),
  emptiest: (clusters) => clusters.sort((a, b) => a.fullness - b.fullness),
  expensive: (clusters) => clusters.sort((a, b) => costOf(b) - costOf(a)),
  changed: (clusters) => clusters.sort((a, b) => Number(b.changed) - Number(a.changed)),
};

/** The upper bound of the cost a month in the last state, estimates included. Unknown costs come after costs of zero. */
export function costOf({ costs }: ClusterView): number {
  return mostOf(costs.at(-1)) ?? -1;
}

/** Lists the clusters of which some cost is known, the most expensive first: with a missing price, by what is known. */
export function rankByCost(clusters: readonly ClusterView[]): ClusterView[] {
  return clusters.filter((one) => costOf(one) >= 0).toSorted((a, b) => costOf(b) - costOf(a));
}

export function isOrder(value: string): value is ClusterOrder {
  return Object.hasOwn(ORDERS, value);
}

function wantedDeployments({ deployments }: FleetView, filter: ClusterFilter): ReadonlySet<number> | undefined {
  if (filter.namespace === '' && filter.deployments.size === 0) return undefined;
  const wanted = deployments.filter(
    ({ place, namespace }) =>
      (filter.namespace === '' || namespace === filter.namespace) &&
      (filter.deployments.size === 0 || filter.deployments.has(place)),
  );
  return new Set(wanted.map(({ place }) => place));
}

function countReplicasOn(clusters: readonly ClusterView[], wanted: FilterResult['wanted']): number {
  const all = clusters.flatMap(({ states }) => states.at(-1)?.replicas ?? []);
  return all.filter((replica) => {
    return !isDraining(replica) && (!wanted || wanted.has(replica[0]));
  }).length;
}

export function formatResult({ clusters, changedOnly, replicas }: FilterResult, fleet: FleetView): string {
  const removed = clusters.filter((cluster) => cluster.removed).length;
  const total = fleet.clusters.filter((cluster) => !cluster.removed).length;
  return [
    `${formatCount(clusters.length - removed)} of ${pluralize(total, 'cluster')}`,
    ...(changedOnly ? ['only those that change'] : []),
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
    pluralize(replicas, 'replica'),
  ].join(', ');
}
