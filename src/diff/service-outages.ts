import { qualifiedNameOf } from '../api/resource';
import type { ModelService } from '../api/model-service';
import { sortUnique } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import { findReplacedClusters } from './cloud-changes';
import { combineDowntimes, type Downtime } from './downtime';
import type { FleetDiff } from './fleet-diff';
import { losesItsPlace } from './pool-disruption';

/** A service all of whose requests go to deployments that begin to serve with the change. */
export interface ServiceOutage {
  readonly service: ModelService;

  /** The new deployments, and the former name of each that had one. */
  readonly targets: readonly { readonly deployment: string; readonly former?: string }[];

  /** How long the new deployments take to serve. Absent: that is not known. */
  readonly start?: Downtime;
}

/**
 * Finds services that had members, and of which no later member serves before the change is applied. Outages of
 * deployments that they keep are findings of their own.
 */
export function findServiceOutages(
  { deployments, declarations }: FleetDiff,
  { before, after }: { readonly before: PlacedFleet; readonly after: PlacedFleet },
): ServiceOutage[] {
  // What stopped with its cluster does not stop with the change.
  const lost = new Set(before.schedule.placements.flatMap((one) => (one.lost ? [one.deployment] : [])));
  const started = new Set(
    deployments
      .filter(({ deployment, serving }) => serving.before === 0 && !lost.has(deployment))
      .map(({ deployment }) => deployment),
  );
  const starts = new Map(deployments.map(({ deployment, start }) => [deployment, start]));
  const former = new Map(declarations.map(({ id, renamed }) => [id, renamed?.split(' ')[1]]));
  const earlier = new Set(before.routing.services.map(idOf));
  const later = new Map(after.routing.services.map((one) => [idOf(one), one]));
  return after.fleet.services.flatMap((service): ServiceOutage[] => {
    const id = qualifiedNameOf(service);
    const routed = earlier.has(id) ? later.get(id) : undefined;
    const members = (routed?.rules ?? []).flatMap((rule) => rule.members);
    if (members.length === 0) return [];
    if (!members.every(({ kind, target }) => kind === 'Edge' && started.has(idOf(target)))) return [];
    const targets = sortUnique(members.map(({ target }) => idOf(target))).map((deployment) => {
      const name = former.get(`ModelDeployment ${deployment}`);
      return { deployment, ...(name !== undefined && { former: name }) };
    });
    const start = combineDowntimes(targets.map(({ deployment }) => starts.get(deployment)));
    return [{ service, targets, ...(start && { start }) }];
  });
}

/** A service of which every replica loses its nodes, and fits on no other. */
export interface SilentService {
  readonly service: ModelService;

  /** `namespace/name`. */
  readonly deployments: readonly string[];
}

/** Finds services that answer nothing after a change, because all of what serves them stops for good. */
export function findSilentServices(
  { deployments }: FleetDiff,
  { before, after }: { readonly before: PlacedFleet; readonly after: PlacedFleet },
): SilentService[] {
  const stopped = deployments.filter(({ changes, serving }) => {
    return serving.before > 0 && changes.filter(losesItsPlace).length === serving.before;
  });
  const gone = new Set(stopped.map(({ deployment }) => deployment));
  const earlier = new Map(before.routing.services.map((one) => [idOf(one), one]));
  return after.fleet.services.flatMap((service): SilentService[] => {
    const members = (earlier.get(qualifiedNameOf(service))?.rules ?? []).flatMap((rule) => rule.members);
    const isSilent = members.every(({ kind, target }) => kind === 'Edge' && gone.has(idOf(target)));
    if (members.length === 0 || !isSilent) return [];
    return [{ service, deployments: sortUnique(members.map(({ target }) => idOf(target))) }];
  });
}

/** A service whose only ingress gateways are on clusters that are deleted and created again. */
export interface UnreachedService {
  readonly service: ModelService;
  readonly clusters: readonly string[];

  /** The position of what replaces the first of them. Absent: no declaration does. */
  readonly where?: string;
}

/** Finds services that no gateway serves until clusters are created again. */
export function findUnreachedServices(
  { cloud }: FleetDiff,
  { before, after }: { readonly before: PlacedFleet; readonly after: PlacedFleet },
): UnreachedService[] {
  const replaced = findReplacedClusters(cloud);
  if (replaced.size === 0) return [];
  const earlier = new Set(before.routing.services.map(idOf));
  const later = new Map(after.routing.services.map((one) => [idOf(one), one]));
  return after.fleet.services.flatMap((service): UnreachedService[] => {
    const id = qualifiedNameOf(service);
    const clusters = sortUnique((later.get(id)?.gateways ?? []).map(({ cluster }) => cluster));
    if (!earlier.has(id) || clusters.length === 0 || !clusters.every((one) => replaced.has(one))) return [];
    const where = clusters.flatMap((one) => replaced.get(one) ?? [])[0]?.where;
    return [{ service, clusters, ...(where !== undefined && { where }) }];
  });
}

function idOf({ namespace, name }: Pick<RoutedService, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
