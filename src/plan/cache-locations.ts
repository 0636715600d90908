import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import { mountingClustersOf, type MountingReplica, stagingClustersOf } from '../replicas/cache-clusters';

/** Clusters on which a cache is. */
export interface CacheLocation {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where each cache of a fleet is: staged, or mounted from a claim that exists. */
export function locateCaches(fleet: Fleet, replicas: readonly MountingReplica[]): CacheLocation[] {
  if (fleet.caches.length === 0) return [];
  const mounts = mountingClustersOf(replicas);
  return fleet.caches.map((cache) => {
    return {
      cache,
      clusters: stagingClustersOf(cache, mounts.get(qualifiedNameOf(cache)) ?? NOWHERE, fleet),
    };
  });
}
