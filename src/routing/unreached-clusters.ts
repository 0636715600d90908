import { findUnmetRequirement } from '../api/label-matching';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import { toPermanentSelector } from './checks/nearest-labels';
import { findMissingForEdge } from './missing-requirements';
import { placeGateways } from './placed-gateways';
import { isGranted, selectableLabelsOf } from './selectable-items';

/** Finds, for each deployment that a service selects, the clusters on which no gateway would reach its replicas. */
export function findUnreachedClusters(fleet: Fleet): ReadonlyMap<string, ReadonlySet<string>> {
  if (fleet.services.length === 0) return new Map();
  const fronts = new Set(placeGateways(fleet).placedGateways.map(({ cluster }) => cluster));
  if (fronts.size === 0) return new Map();
  const unreached = fleet.clusters.filter(
    (cluster) => !cluster.spec.gateway.enabled || findMissingForEdge(cluster, fronts).length > 0,
  );
  if (unreached.length === 0) return new Map();
  const names = new Set(unreached.map(({ metadata }) => metadata.name));
  return new Map(fleet.deployments.filter((one) => isSelected(one, fleet)).map((one) => [qualifiedNameOf(one), names]));
}

/** Whether an entry of a service selects replicas of a deployment, on whichever clusters they are. */
function isSelected(resource: ModelDeployment, { services, grants }: Fleet): boolean {
  const labels = selectableLabelsOf(resource);
  return services.some(
    (service) =>
      isGranted(service, { resource, labels }, grants) &&
      service.spec.endpoints.some(({ selector }) => !findUnmetRequirement(toPermanentSelector(selector), labels)),
  );
}
