import { type Resource, resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';
import { groupBy, sortedBy } from '../order';
import { clusterManifests } from './cluster';
import { cacheFileName, fileName, NAMESPACES_FILE } from './names';
import type { Renderer } from './renderer';
import type { ComputedReplica } from './replica';
import { formatManifests } from './yaml';

/**
 * Every file of every cluster: the path below the output folder, and its text. A cluster on which nothing is
 * placed has none.
 *
 * @param renderers asked before ours, in this order
 * @throws FleetwrightError when two objects would have one name, or a renderer cannot be used
 * @example
 * renderFleet(fleet, replicas).get('us-east/ml.qwen3.yaml');
 */
export function renderFleet(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  renderers: readonly Renderer[] = [],
): ReadonlyMap<string, string> {
  const rendering = { fleet, renderers };
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  const files = fleet.clusters.flatMap((cluster): [string, string][] => {
    const { name } = cluster.metadata;
    const { namespaces, caches, deployments } = clusterManifests(
      cluster,
      byCluster.get(name) ?? [],
      rendering,
    );
    const namespaceFile: [string, string] = [
      `${name}/${NAMESPACES_FILE}`,
      formatManifests(namespaces, `Written by fleetwright synth for cluster ${name}. ${EDIT_ELSEWHERE}`),
    ];
    return [
      ...(namespaces.length > 0 ? [namespaceFile] : []),
      ...caches.map(({ cache, manifests }): [string, string] => [
        `${name}/${cacheFileName(cache.metadata)}`,
        formatManifests(manifests, headOf(cache, name)),
      ]),
      ...deployments.map(({ deployment, manifests }): [string, string] => [
        `${name}/${fileName(deployment.metadata)}`,
        formatManifests(manifests, headOf(deployment, name)),
      ]),
    ];
  });
  return new Map(sortedBy(files, ([path]) => path));
}

/** The first line of a file of one resource. */
function headOf(resource: Resource, cluster: string): string {
  return `Written by fleetwright synth from ${resourceId(resource)} for cluster ${cluster}. ${EDIT_ELSEWHERE}`;
}

const EDIT_ELSEWHERE = 'Changes made here are lost.';
