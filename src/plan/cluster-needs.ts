import { resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { clusterManifests } from '../render/cluster';
import { mustExist, type Needed } from '../render/must-exist';
import type { Renderer } from '../render/renderer';
import type { ComputedReplica } from '../render/replica';

/** What has to be on a cluster before its manifests are applied. */
export interface ClusterNeeds {
  readonly cluster: string;

  /** By namespace, kind and name. */
  readonly objects: readonly Needed[];
}

/**
 * What manifests refer to and nobody here makes, on each cluster that lacks something. Secrets are named, and never
 * read.
 *
 * @throws FleetwrightError when manifests cannot be made
 */
export function clusterNeeds(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  renderers: readonly Renderer[],
): ClusterNeeds[] {
  const byCluster = groupBy(firstOfEach(replicas), ({ cluster }) => cluster.metadata.name);
  return fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const { namespaces, caches, deployments } = clusterManifests(cluster, byCluster.get(name) ?? [], {
      fleet,
      renderers,
    });
    const owned = [
      ...caches.map(({ cache, manifests }) => ({ owner: resourceId(cache), manifests })),
      ...deployments.map(({ deployment, manifests }) => ({ owner: resourceId(deployment), manifests })),
    ];
    const objects = mustExist(owned, namespaces);
    return objects.length > 0 ? [{ cluster: name, objects }] : [];
  });
}

/** One replica of each deployment on a cluster: its other replicas refer to the same. */
function firstOfEach(replicas: readonly ComputedReplica[]): ComputedReplica[] {
  const deployments = groupBy(replicas, ({ deployment }) => deployment);
  return [...deployments.values()].flatMap((some) => {
    const clusters = groupBy(some, ({ cluster }) => cluster);
    return [...clusters.values()].flatMap((group) => group.slice(0, 1));
  });
}
