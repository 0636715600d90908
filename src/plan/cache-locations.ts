import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { volumeRoundingOf } from '../fleet/hardware/shared-storage';
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

/** Where caches are staged and how large their volumes become, a sentence each for the plan. */
export function describeCaches(held: readonly CacheLocation[]): string[] {
  return held.map(({ cache, clusters }) => {
    const id = resourceIdOf(cache);
    if (clusters.length === 0) return `${id} is not staged: no replica mounts it.`;
    const where = joinClusterNames(clusters);
    if (cache.spec.source === 'ExistingPVC') {
      return `${id} is PersistentVolumeClaim ${cache.spec.existingPVC?.claimName} on ${where}: nothing is staged.`;
    }
    const staged = `${id} is staged on ${where}, ${cache.spec.sizeGiB} GiB${clusters.length > 1 ? ' each' : ''}.`;
    return [staged, ...describeRounding(cache, clusters)].join(' ');
  });
}

/** What file systems make of the size, once for each kind of file system. */
function describeRounding(cache: ModelCache, clusters: readonly InferenceCluster[]): string[] {
  const known = clusters.flatMap((cluster) => {
    const rounding = volumeRoundingOf(cluster);
    return rounding ? [{ rounding, cluster }] : [];
  });
  return [...groupBy(known, ({ rounding }) => rounding.fileSystem)].flatMap(([fileSystem, all]) => {
    const where = joinClusterNames(all.map(({ cluster }) => cluster));
    const minimum = all[0]?.rounding.minimum;
    if (minimum === undefined) return [`On ${where}, ${fileSystem} grows with its files instead.`];
    const { sizeGiB = 0 } = cache.spec;
    return sizeGiB < minimum ? [`On ${where}, ${fileSystem} makes ${minimum} GiB of it.`] : [];
  });
}

function joinClusterNames(clusters: readonly InferenceCluster[]): string {
  return joinNames(clusters.map(({ metadata }) => metadata.name));
}
