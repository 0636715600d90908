import { cacheReferencesOf } from '../api/cache/cache-references';
import { clusterLabelsOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { findUnmetRequirement } from '../api/label-matching';
import type { ModelCache } from '../api/model-cache';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { sharedStorageClassOf } from '../fleet/hardware/shared-storage';
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
        sharedStorageClassOf(cluster) !== undefined &&
        !findUnmetRequirement(spec.clusterSelector, clusterLabelsOf(cluster))),
  );
}

export interface CacheLocation {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];
}

/** Where each cache of a fleet is: staged, or mounted from a claim that exists. */
export function locateCaches(fleet: Fleet, replicas: readonly MountingReplica[]): CacheLocation[] {
  if (fleet.caches.length === 0) return [];
  const mounts = mountingClustersOf(replicas);
  return fleet.caches.map((cache) => {
    return { cache, clusters: stagingClustersOf(cache, mounts.get(qualifiedNameOf(cache)) ?? new Set(), fleet) };
  });
}
