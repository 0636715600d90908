import { cacheReferencesOf } from '../../api/cache/cache-references';
import { type CacheDelivery, type CacheNeed, cacheNeedOf, deliveryOf } from '../../api/cache/delivery';
import { type CacheOrigin, cacheOriginOf } from '../../api/cache/source';
import { isSelected } from '../../api/cluster-labels';
import { offersToCaches } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import type { VolumeCost } from '../../cost/cost';
import type { Decision } from '../../plan/decision';
import { type CacheLocation, locateCaches } from '../../replicas/cache-clusters';

/** Where the files of a cache are, what they cost there, and who reads them. */
export interface CacheView extends Pick<CacheOrigin, 'from'> {
  /** `namespace/name`. */
  readonly cache: string;
  readonly source: ModelCache['spec']['source'];
  readonly delivery: CacheDelivery;
  readonly clusters: readonly CacheCluster[];
  readonly users: readonly CacheUser[];

  /** The clusters that do not have it. */
  readonly others: readonly OtherCluster[];
}

/** A cluster that has a cache. */
interface CacheCluster {
  readonly cluster: string;

  /** The pods that mount it. */
  readonly pods: number;

  /** Absent: there is no volume of it, or it shares one with other caches. */
  readonly volume?: VolumeCost;
}

/** A deployment that refers to a cache, with its replicas: `us-east/0`. */
interface CacheUser {
  readonly deployment: string;
  readonly as: 'Model' | 'LoRA';
  readonly replicas: readonly string[];
}

/** A cluster without a cache. */
interface OtherCluster {
  readonly cluster: string;

  /** What it does not offer. Absent: it offers all. */
  readonly lacks?: CacheNeed;

  /** `clusterSelector` of the cache does not select it. */
  readonly unselected?: true;
}

type PlacedCaches = Pick<Decision, 'fleet' | 'replicas' | 'plan'>;

/** Finds where a cache is and who uses it, with its location for the words of a plan. */
export function describeCache(
  placed: PlacedCaches,
  cache: ModelCache,
): { readonly view: CacheView; readonly location: CacheLocation } {
  const { fleet, replicas } = placed;
  const { spec } = cache;
  const found = locateCaches(fleet, replicas).find((one) => one.cache === cache);
  const location = found ?? { cache, clusters: [], pods: new Map<string, number>() };
  const { from } = cacheOriginOf(spec);
  const view = {
    cache: qualifiedNameOf(cache),
    source: spec.source,
    ...(from !== undefined && { from }),
    delivery: deliveryOf(spec),
    clusters: listClusters(placed, location),
    users: listUsers(placed, cache),
    others: fleet.clusters.filter((one) => !location.clusters.includes(one)).map(describeOther(cache)),
  };
  return { view, location };
}

function listClusters({ plan }: PlacedCaches, { cache, clusters, pods }: CacheLocation): CacheCluster[] {
  const id = qualifiedNameOf(cache);
  const costs = new Map(plan.cost.clusters.map(({ cluster, volumes }) => [cluster, volumes]));
  return clusters.map(({ metadata: { name } }) => {
    const volume = costs.get(name)?.find((one) => one.cache === id);
    return { cluster: name, pods: pods.get(name) ?? 0, ...(volume && { volume }) };
  });
}

function listUsers({ fleet, replicas }: PlacedCaches, { metadata }: ModelCache): CacheUser[] {
  const placed = groupBy(replicas, ({ deployment }) => qualifiedNameOf(deployment));
  const near = fleet.deployments.filter((one) => one.metadata.namespace === metadata.namespace);
  return near.flatMap((one) => {
    const deployment = qualifiedNameOf(one);
    const own = placed.get(deployment) ?? [];
    const places = own.map(({ cluster, index }) => `${cluster.metadata.name}/${index}`);
    const references = cacheReferencesOf(one).filter(({ name }) => name === metadata.name);
    return references.map(({ as }) => ({ deployment, as, replicas: places }));
  });
}

function describeOther({ spec }: ModelCache): (cluster: InferenceCluster) => OtherCluster {
  const need = cacheNeedOf(spec);
  return (cluster) => ({
    cluster: cluster.metadata.name,
    ...(need !== undefined && !offersToCaches(cluster, need) && { lacks: need }),
    ...(!isSelected(cluster, spec.clusterSelector) && { unselected: true as const }),
  });
}
