import type { Fault, FleetCheck } from '../api/checks/fault';
import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Finding } from '../api/resource';
import type { Fleet } from '../fleet';
import type { Catalogue } from '../hardware/catalogue';
import { checkCluster } from './check-cluster';
import { checkMachine } from './check-machine';
import { checkPool } from './check-pools';
import { isMade, type MadeOn, regionOf } from './made-on';

/**
 * Everything for which a cloud would refuse to make some clusters of a fleet, or make others than were planned with.
 * Nothing about clusters that exist, or that others make.
 */
export function* provisioningFaults(
  clusters: readonly InferenceCluster[],
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): Iterable<Fault> {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const used = new Map<MadeOn, Set<InferenceClass>>();
  for (const resource of clusters) {
    const cloud = resource.spec.cluster.source;
    if (!isMade(cloud)) continue;
    for (const finding of checkCluster(resource, cloud)) yield { ...finding, resource };
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      // That it is missing is told elsewhere.
      if (!declared) continue;
      used.set(cloud, (used.get(cloud) ?? new Set()).add(declared));
      const checked = { cloud, region: regionOf(resource), pool, declared, catalogue, cluster: resource };
      for (const finding of checkPool(checked)) yield { ...ofPool(finding, index), resource };
    }
  }
  for (const [cloud, declared] of used) yield* machineFaults(declared, cloud, catalogue);
}

/** What is wrong with classes themselves: told once, however many pools have nodes of them. */
function* machineFaults(
  classes: Iterable<InferenceClass>,
  cloud: MadeOn,
  catalogue: Catalogue,
): Iterable<Fault> {
  for (const resource of classes) {
    for (const finding of checkMachine(resource, cloud, catalogue)) yield { ...finding, resource };
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
