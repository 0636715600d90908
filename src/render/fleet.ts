import { resourceIdOf } from '../api/kinds';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { formatDocuments } from '../manifest/format-yaml';
import {
  cacheFileNameOf,
  deploymentFileNameOf,
  GATEWAYS_FILE,
  NAMESPACES_FILE,
  routesFileNameOf,
} from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';
import { renderClusterParts, type Rendering } from './cluster';

/**
 * Renders the files of every cluster: maps the path below the output folder to the text. A cluster without any objects
 * has no files.
 *
 * @throws FleetwrightError when two objects have the same name, or a renderer is invalid
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
    const { namespaces, caches, deployments, routing } = renderClusterParts(
      cluster,
      byCluster.get(name) ?? [],
      rendering,
    );
    const header = `Written by fleetwright synth for cluster ${name}. ${CHANGES_ARE_LOST}`;
    const shared = [
      { file: NAMESPACES_FILE, manifests: namespaces },
      { file: GATEWAYS_FILE, manifests: routing.gateways },
    ].filter(({ manifests }) => manifests.length > 0);
    return [
      ...shared.map(({ file, manifests }): [string, string] => [`${name}/${file}`, formatDocuments(manifests, header)]),
      ...caches.map(({ cache, manifests }): [string, string] => [
        `${name}/${cacheFileNameOf(cache.metadata)}`,
        formatDocuments(manifests, headerOf(resourceIdOf(cache), name)),
      ]),
      ...deployments.map(({ deployment, manifests }): [string, string] => [
        `${name}/${deploymentFileNameOf(deployment.metadata)}`,
        formatDocuments(manifests, headerOf(resourceIdOf(deployment), name)),
      ]),
      ...routing.services.map(({ service, manifests }): [string, string] => [
        `${name}/${routesFileNameOf(service)}`,
        formatDocuments(manifests, headerOf(`ModelService ${service.namespace}/${service.name}`, name)),
      ]),
    ];
  });
  return new Map(sortedBy(files, ([path]) => path));
}

/** Returns the first line of the file of a resource. */
function headerOf(resource: string, cluster: string): string {
  return `Written by fleetwright synth from ${resource} for cluster ${cluster}. ${CHANGES_ARE_LOST}`;
}

const CHANGES_ARE_LOST = 'Changes made here are lost.';
