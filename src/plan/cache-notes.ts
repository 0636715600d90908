import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import { qualifiedName } from '../api/resource';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { roundingOf } from '../render/cache/storage-class';
import { clustersOf, type Mounting, mountsOf } from '../render/cache/where';
import { shortList } from './format';

/** Clusters on which a cache is. */
export interface Holding {
  readonly cache: ModelCache;
  readonly clusters: readonly InferenceCluster[];
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where each cache of a fleet is: staged, or mounted from a claim that exists. */
export function holdings(fleet: Fleet, replicas: readonly Mounting[]): Holding[] {
  if (fleet.caches.length === 0) return [];
  const mounts = mountsOf(replicas);
  return fleet.caches.map((cache) => {
    return { cache, clusters: clustersOf(cache, mounts.get(qualifiedName(cache)) ?? NOWHERE, fleet) };
  });
}

/** Where caches are staged and how large their volumes become, a sentence each for the plan. */
export function cacheNotes(held: readonly Holding[]): string[] {
  return held.map(({ cache, clusters }) => {
    const id = resourceId(cache);
    if (clusters.length === 0) return `${id} is not staged: no replica mounts it.`;
    const where = named(clusters);
    if (cache.spec.source === 'ExistingPVC') {
      return `${id} is PersistentVolumeClaim ${cache.spec.existingPVC?.claimName} on ${where}: nothing is staged.`;
    }
    const staged = `${id} is staged on ${where}, ${cache.spec.sizeGiB} GiB${clusters.length > 1 ? ' each' : ''}.`;
    return [staged, ...roundings(cache, clusters)].join(' ');
  });
}

/** What file systems make of the size, once for each kind of file system. */
function roundings(cache: ModelCache, clusters: readonly InferenceCluster[]): string[] {
  const known = clusters.flatMap((cluster) => {
    const rounding = roundingOf(cluster);
    return rounding ? [{ rounding, cluster }] : [];
  });
  return [...groupBy(known, ({ rounding }) => rounding.fileSystem)].flatMap(([fileSystem, all]) => {
    const where = named(all.map(({ cluster }) => cluster));
    const minimum = all[0]?.rounding.minimum;
    if (minimum === undefined) return [`On ${where}, ${fileSystem} grows with its files instead.`];
    const { sizeGiB = 0 } = cache.spec;
    return sizeGiB < minimum ? [`On ${where}, ${fileSystem} makes ${minimum} GiB of it.`] : [];
  });
}

function named(clusters: readonly InferenceCluster[]): string {
  return shortList(clusters.map(({ metadata }) => metadata.name));
}
