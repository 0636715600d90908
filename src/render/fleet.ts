import { resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';
import { groupBy, sortedBy } from '../order';
import { clusterManifests, type Rendering } from './cluster';
import { cacheFileName, fileName, GATEWAYS_FILE, NAMESPACES_FILE, routesFileName } from './names';
import type { ComputedReplica } from './replica';
import { formatManifests } from './yaml';

/**
 * Every file of every cluster: the path below the output folder, and its text. A cluster on which nothing is
 * placed has none.
 *
 * @throws FleetwrightError when two objects would have one name, or a renderer cannot be used
 * @example
 * renderFleet(fleet, replicas).get('us-east/ml.qwen3.yaml');
 */
export function renderFleet(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  options: Omit<Rendering, 'fleet'> = {},
): ReadonlyMap<string, string> {
  const rendering = { fleet, ...options };
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  const files = fleet.clusters.flatMap((cluster): [string, string][] => {
    const { name } = cluster.metadata;
    const { namespaces, caches, deployments, routing } = clusterManifests(
      cluster,
      byCluster.get(name) ?? [],
      rendering,
    );
    const head = `Written by fleetwright synth for cluster ${name}. ${EDIT_ELSEWHERE}`;
    const ofCluster = [
      { file: NAMESPACES_FILE, manifests: namespaces },
      { file: GATEWAYS_FILE, manifests: routing.gateways },
    ].filter(({ manifests }) => manifests.length > 0);
    return [
      ...ofCluster.map(({ file, manifests }): [string, string] => [
        `${name}/${file}`,
        formatManifests(manifests, head),
      ]),
      ...caches.map(({ cache, manifests }): [string, string] => [
        `${name}/${cacheFileName(cache.metadata)}`,
        formatManifests(manifests, headOf(resourceId(cache), name)),
      ]),
      ...deployments.map(({ deployment, manifests }): [string, string] => [
        `${name}/${fileName(deployment.metadata)}`,
        formatManifests(manifests, headOf(resourceId(deployment), name)),
      ]),
      ...routing.services.map(({ service, manifests }): [string, string] => [
        `${name}/${routesFileName(service)}`,
        formatManifests(manifests, headOf(`ModelService ${service.namespace}/${service.name}`, name)),
      ]),
    ];
  });
  return new Map(sortedBy(files, ([path]) => path));
}

/** The first line of a file of one resource. */
function headOf(resource: string, cluster: string): string {
  return `Written by fleetwright synth from ${resource} for cluster ${cluster}. ${EDIT_ELSEWHERE}`;
}

const EDIT_ELSEWHERE = 'Changes made here are lost.';
