import type { Fault, FleetCheck } from '../api/checks/fault';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Finding } from '../api/resource';
import type { Fleet } from '../fleet';
import { checkCluster } from './check-cluster';
import { checkPool } from './check-pools';
import { isMade, regionOf } from './made-on';

/**
 * Everything for which a cloud would refuse to make some clusters of a fleet, or make others than were planned with.
 * Nothing about clusters that exist, or that others make.
 */
export function* provisioningFaults(
  clusters: readonly InferenceCluster[],
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): Iterable<Fault> {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    const cloud = resource.spec.cluster.source;
    if (!isMade(cloud)) continue;
    for (const finding of checkCluster(resource, cloud)) yield { ...finding, resource };
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      // That it is missing is told elsewhere.
      if (!declared) continue;
      const checked = { cloud, region: regionOf(resource), pool, declared, catalogue, cluster: resource };
      for (const finding of checkPool(checked)) yield { ...ofPool(finding, index), resource };
    }
  }
}

function ofPool(finding: Finding, index: number): Finding {
  return { ...finding, path: ['spec', 'nodePools', index, ...finding.path] };
}

/**
 * What clouds would refuse of a fleet. Clusters of the alias group have warnings instead: what loads there loads here,
 * and only making it refuses it.
 */
export const provisioningErrors: FleetCheck = (fleet) =>
  provisioningFaults(
    fleet.clusters.filter(({ group }) => group === 'fleetwright.dev'),
    fleet,
  );

/** What clouds would refuse of clusters of the alias group. */
export function provisioningWarnings(fleet: Fleet): Fault[] {
  const others = fleet.clusters.filter(({ group }) => group !== 'fleetwright.dev');
  return [...provisioningFaults(others, fleet)];
}
