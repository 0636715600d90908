import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Resource, ResourcePath } from '../api/kinds';
import type { Path } from '../api/resource';
import { asWarning, type Diagnostic, relocate } from '../base/diagnostic';
import type { FleetCheck } from '../fleet/checks/fleet-check';
import type { Fleet } from '../fleet/fleet';
import { checkCluster } from './check-cluster';
import { checkMachine } from './check-machine';
import { checkNodePool } from './check-pools';
import { isManagedCloud, type ManagedCloud, regionOf } from './managed-cloud';

/**
 * Checks for everything that makes a cloud reject a cluster, or create a cluster that differs from the plan. Existing
 * clusters and clusters that others create are not checked.
 */
export function* checkProvisioning(
  clusters: readonly InferenceCluster[],
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): Iterable<Diagnostic<ResourcePath>> {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const classesByCloud = new Map<ManagedCloud, Set<InferenceClass>>();
  for (const resource of clusters) {
    const cloud = resource.spec.cluster.source;
    if (!isManagedCloud(cloud)) continue;
    for (const finding of checkCluster(resource, cloud)) yield ofResource(finding, resource);
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      // Another check reports a missing class.
      if (!declared) continue;
      classesByCloud.set(cloud, (classesByCloud.get(cloud) ?? new Set()).add(declared));
      const checked = { cloud, region: regionOf(resource), pool, declared, catalogue, cluster: resource };
      for (const finding of checkNodePool(checked)) {
        yield relocate(finding, (path) => ({ resource, path: ['spec', 'nodePools', index, ...path] }));
      }
    }
  }
  // Each class once, independent of the number of its pools.
  for (const [cloud, used] of classesByCloud) {
    for (const resource of used) {
      for (const finding of checkMachine(resource, cloud, catalogue)) yield ofResource(finding, resource);
    }
  }
}

function ofResource(finding: Diagnostic<Path>, resource: Resource): Diagnostic<ResourcePath> {
  return relocate(finding, (path) => ({ resource, path }));
}

/**
 * Returns the provisioning errors of a fleet. Clusters of the alias group get warnings instead: documents that load in
 * the other tool also load here, and only provisioning rejects them.
 */
export const findProvisioningErrors: FleetCheck = (fleet) => {
  const own = fleet.clusters.filter(({ group }) => group === 'fleetwright.dev');
  return checkProvisioning(own, fleet);
};

/** Returns the provisioning problems of clusters of the alias group, as warnings. */
export function findProvisioningWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const others = fleet.clusters.filter(({ group }) => group !== 'fleetwright.dev');
  return [...checkProvisioning(others, fleet)].map(asWarning);
}
