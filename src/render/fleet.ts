import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { clusterManifests } from './cluster';
import { fileName, NAMESPACES_FILE } from './names';
import type { ComputedReplica } from './replica';
import { formatManifests } from './yaml';

/**
 * Every file of every cluster: the path below the output folder, and its text. A cluster on which nothing is
 * placed has none.
 *
 * @example
 * renderFleet(fleet, replicas).get('us-east/ml.qwen3.yaml');
 */
export function renderFleet(fleet: Fleet, replicas: readonly ComputedReplica[]): ReadonlyMap<string, string> {
  const files = fleet.clusters.flatMap((cluster): [string, string][] => {
    const { name } = cluster.metadata;
    const { namespaces, deployments } = clusterManifests(cluster, replicas, fleet);
    const namespaceFile: [string, string] = [
      `${name}/${NAMESPACES_FILE}`,
      formatManifests(namespaces, `Written by fleetwright synth for cluster ${name}. ${EDIT_ELSEWHERE}`),
    ];
    return [
      ...(namespaces.length > 0 ? [namespaceFile] : []),
      ...deployments.map(({ deployment: { metadata }, manifests }): [string, string] => {
        const from = `ModelDeployment ${metadata.namespace}/${metadata.name}`;
        const comment = `Written by fleetwright synth from ${from} for cluster ${name}. ${EDIT_ELSEWHERE}`;
        return [`${name}/${fileName(metadata)}`, formatManifests(manifests, comment)];
      }),
    ];
  });
  return new Map(sortedBy(files, ([path]) => path));
}

const EDIT_ELSEWHERE = 'Changes made here are lost.';
