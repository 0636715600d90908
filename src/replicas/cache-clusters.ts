import { cacheReferencesOf } from '../api/cache/cache-references';
import { cacheNeedOf } from '../api/cache/delivery';
import { isSelected } from '../api/cluster-labels';
import { offersToCaches } from '../api/cluster-storage';
import type { Engine } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { reservedCopiesOf } from '../api/engine-copies';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { ComputedReplica } from './replica';

/** The parts of a replica that decide where caches are. */
export type MountingReplica = Pick<ComputedReplica, 'deployment' | 'cluster'>;

/**
 * The names of the clusters whose replicas mount each cache, by the ID of the cache.
 *
 * @param replicas those that get manifests
 */
export function mountingClustersOf(replicas: readonly MountingReplica[]): ReadonlyMap<string, ReadonlySet<string>> {
  const mounts = replicas.flatMap(({ deployment, cluster }) =>
    cacheReferencesOf(deployment).map(({ name }) => ({
      id: `${deployment.metadata.namespace}/${name}`,
      cluster: cluster.metadata.name,
    })),
  );
  const byCache = groupBy(mounts, ({ id }) => id);
  return new Map([...byCache].map(([id, all]) => [id, new Set(all.map(({ cluster }) => cluster))]));
}

/**
 * The clusters on which a cache is staged, in the order of the fleet: those with a replica that mounts it and, with
 * `stage: Everywhere`, all clusters that it selects and that offer its storage.
 *
 * @param mounting the names of the clusters with a replica that mounts it
 */
export function stagingClustersOf(
  { spec }: ModelCache,
  mounting: ReadonlySet<string>,
  { clusters }: Pick<Fleet, 'clusters'>,
): InferenceCluster[] {
  return clusters.filter(
    (cluster) =>
      mounting.has(cluster.metadata.name) ||
      (spec.stage === 'Everywhere' &&
        offersToCaches(cluster, cacheNeedOf(spec)) &&
        isSelected(cluster, spec.clusterSelector)),
  );
}

export interface CacheLocation {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];

  /** The number of pods that mount it, by cluster. */
  readonly pods: ReadonlyMap<string, number>;
}

/** Where each cache of a fleet is: staged, or mounted from a claim that exists. */
export function locateCaches(
  fleet: Pick<Fleet, 'caches' | 'clusters'>,
  replicas: readonly MountingReplica[],
): CacheLocation[] {
  if (fleet.caches.length === 0) return [];
  const mounts = mountingClustersOf(replicas);
  const pods = countMountingPods(replicas);
  return fleet.caches.map((cache) => {
    const id = qualifiedNameOf(cache);
    const clusters = stagingClustersOf(cache, mounts.get(id) ?? new Set(), fleet);
    return { cache, clusters, pods: pods.get(id) ?? new Map() };
  });
}

/** The number of pods that mount each cache on each cluster, by the ID of the cache. */
function countMountingPods(replicas: readonly MountingReplica[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { deployment, cluster } of replicas) {
    for (const { name } of cacheReferencesOf(deployment)) {
      const id = `${deployment.metadata.namespace}/${name}`;
      const byCluster = counts.get(id) ?? new Map<string, number>();
      byCluster.set(cluster.metadata.name, (byCluster.get(cluster.metadata.name) ?? 0) + podCountOf(deployment));
      counts.set(id, byCluster);
    }
  }
  return counts;
}

function podCountOf({ spec }: ModelDeployment): number {
  return spec.template.spec.engines.reduce((sum, engine) => sum + podCountOfEngine(engine), 0);
}

function podCountOfEngine(engine: Engine): number {
  return reservedCopiesOf(engine) * engine.members.reduce((sum, { worker }) => sum + (worker?.nodes ?? 1), 0);
}
