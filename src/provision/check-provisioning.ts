import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Resource, ResourcePath } from '../api/kinds';
import type { Path } from '../api/resource';
import { asWarning, type Diagnostic, relocate } from '../base/diagnostic';
import type { FleetCheck } from '../fleet/checks/fleet-check';
import type { Fleet } from '../fleet/fleet';
import type { Catalogue } from '../fleet/hardware/hardware';
import { checkCluster } from './check-cluster';
import { checkMachine } from './check-machine';
import { checkNodePool } from './check-pools';
import { isManagedCloud, type ManagedCloud, regionOf } from './managed-cloud';

/**
 * Everything for which a cloud would refuse to make some clusters of a fleet, or make others than were planned with.
 * Nothing about clusters that exist, or that others make.
 */
export function* checkProvisioning(
  clusters: readonly InferenceCluster[],
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): Iterable<Diagnostic<ResourcePath>> {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const used = new Map<ManagedCloud, Set<InferenceClass>>();
  for (const resource of clusters) {
    const cloud = resource.spec.cluster.source;
    if (!isManagedCloud(cloud)) continue;
    for (const finding of checkCluster(resource, cloud)) yield ofResource(finding, resource);
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      // That it is missing is told elsewhere.
      if (!declared) continue;
      used.set(cloud, (used.get(cloud) ?? new Set()).add(declared));
      const checked = { cloud, region: regionOf(resource), pool, declared, catalogue, cluster: resource };
      for (const finding of checkNodePool(checked)) yield ofResource(ofPool(finding, index), resource);
    }
  }
  for (const [cloud, declared] of used) yield* checkMachines(declared, cloud, catalogue);
}

/** What is wrong with classes themselves: told once, however many pools have nodes of them. */
function* checkMachines(
  classes: Iterable<InferenceClass>,
  cloud: ManagedCloud,
  catalogue: Catalogue,
): Iterable<Diagnostic<ResourcePath>> {
  for (const resource of classes) {
    for (const finding of checkMachine(resource, cloud, catalogue)) yield ofResource(finding, resource);
  }
}

function ofPool(finding: Diagnostic<Path>, index: number): Diagnostic<Path> {
  return relocate(finding, (path) => ['spec', 'nodePools', index, ...path]);
}

function ofResource(finding: Diagnostic<Path>, resource: Resource): Diagnostic<ResourcePath> {
  return relocate(finding, (path) => ({ resource, path }));
}

/**
 * What clouds would refuse of a fleet. Clusters of the alias group have warnings instead: what loads there loads here,
 * and only making it refuses it.
 */
export const findProvisioningErrors: FleetCheck = (fleet) =>
  checkProvisioning(
    fleet.clusters.filter(({ group }) => group === 'fleetwright.dev'),
    fleet,
  );

/** What clouds would refuse of clusters of the alias group. */
export function findProvisioningWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const others = fleet.clusters.filter(({ group }) => group !== 'fleetwright.dev');
  return [...checkProvisioning(others, fleet)].map(asWarning);
}
