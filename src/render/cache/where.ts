import { cacheRefs } from '../../api/cache/refs';
import { labelsOf } from '../../api/cluster-labels';
import { firstUnmet } from '../../api/label-match';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelCache } from '../../api/model-cache';
import type { Fleet } from '../../fleet';
import { groupBy } from '../../order';
import type { ComputedReplica } from '../replica';
import { sharedStorageClass } from './storage-class';

/** A replica as far as it decides where caches are. */
export type Mounting = Pick<ComputedReplica, 'deployment' | 'cluster'>;

/**
 * The names of the clusters whose replicas mount each cache, by the cache's id.
 *
 * @param replicas those that get manifests
 */
export function mountsOf(replicas: readonly Mounting[]): ReadonlyMap<string, ReadonlySet<string>> {
  const mounts = replicas.flatMap(({ deployment, cluster }) =>
    cacheRefs(deployment).map(({ name }) => ({
      id: `${deployment.metadata.namespace}/${name}`,
      cluster: cluster.metadata.name,
    })),
  );
  const byCache = groupBy(mounts, ({ id }) => id);
  return new Map([...byCache].map(([id, all]) => [id, new Set(all.map(({ cluster }) => cluster))]));
}

/**
 * The clusters on which a cache is staged, in the order of the fleet: those with a replica that mounts it, and with
 * `stage: Everywhere` also all that it selects and that offer its storage.
 *
 * @param mounting the names of the clusters with a replica that mounts it
 */
export function clustersOf(
  { spec }: ModelCache,
  mounting: ReadonlySet<string>,
  { clusters }: Pick<Fleet, 'clusters'>,
): InferenceCluster[] {
  return clusters.filter(
    (cluster) =>
      mounting.has(cluster.metadata.name) ||
      (spec.stage === 'Everywhere' &&
        sharedStorageClass(cluster) !== undefined &&
        !firstUnmet(spec.clusterSelector, labelsOf(cluster))),
  );
}
