import { type ClusterView, type FleetView, statusOf } from './fleet-view';

/** What the reader wants to see. */
export interface ClusterFilter {
  /** Words that name, facts, pools or classes of a cluster have to contain, all of them. */
  readonly words: string;

  /** Empty: all. */
  readonly namespace: string;

  /** Places of deployments. Empty: all. */
  readonly deployments: ReadonlySet<number>;

  /** Clusters on which a replica changes, or that change themselves. */
  readonly changedOnly: boolean;
  readonly order: 'name' | 'fullest' | 'emptiest';
}

export const NO_FILTER: ClusterFilter = {
  words: '',
  namespace: '',
  deployments: new Set(),
  changedOnly: false,
  order: 'name',
};

/** What a filter leaves. */
export interface FilterResult {
  readonly clusters: readonly ClusterView[];

  /** The deployments that are meant. Absent: all. */
  readonly wanted: ReadonlySet<number> | undefined;

  /** Their replicas on these clusters that are not leaving. */
  readonly replicas: number;
}

/** The clusters that a filter leaves, in its order. */
export function applyFilter(fleet: FleetView, filter: ClusterFilter): FilterResult {
  const wanted = wantedDeployments(fleet, filter);
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const clusters = fleet.clusters.filter(
    ({ haystack, changed, deployments }) =>
      words.every((word) => haystack.includes(word)) &&
      (changed || !filter.changedOnly) &&
      (!wanted || [...deployments].some((deployment) => wanted.has(deployment))),
  );
  return {
    clusters: ORDERS[filter.order](clusters),
    wanted,
    replicas: countReplicasOn(fleet, clusters, wanted),
  };
}

const ORDERS: Readonly<Record<ClusterFilter['order'], (clusters: ClusterView[]) => ClusterView[]>> = {
  name: (clusters) => clusters,
  fullest: (clusters) => clusters.sort((a, b) => b.fullness - a.fullness),
  emptiest: (clusters) => clusters.sort((a, b) => a.fullness - b.fullness),
};

function wantedDeployments(
  { deployments }: FleetView,
  filter: ClusterFilter,
): ReadonlySet<number> | undefined {
  if (filter.namespace === '' && filter.deployments.size === 0) return undefined;
  const wanted = deployments.filter(
    ({ place, namespace }) =>
      (filter.namespace === '' || namespace === filter.namespace) &&
      (filter.deployments.size === 0 || filter.deployments.has(place)),
  );
  return new Set(wanted.map(({ place }) => place));
}

function countReplicasOn(
  fleet: FleetView,
  clusters: readonly ClusterView[],
  wanted: FilterResult['wanted'],
): number {
  const own = clusters.flatMap(({ states }) => states.at(-1)?.replicas ?? []);
  return own.filter((replica) => {
    return statusOf(fleet, replica).mark !== 'leaving' && (!wanted || wanted.has(replica[0]));
  }).length;
}

/** What a filter leaves, as a sentence. */
export function formatResult({ clusters, replicas }: FilterResult, fleet: FleetView): string {
  return `${clusters.length} of ${fleet.clusters.length} clusters, ${replicas} replicas`;
}
