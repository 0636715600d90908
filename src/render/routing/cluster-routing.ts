import { compareText } from '../../base/order';
import { sortForApply } from '../../manifest/kubernetes/apply-order';
import { dedupeManifests, type Manifest } from '../../manifest/kubernetes/manifest';
import type { NamespacedName } from '../../routing/gateways';
import type { RoutedService, Routing } from '../../routing/routing';
import { renderEdgeObjects } from './edge-routes';
import { renderEgressObjects } from './egress-routes';
import { listFrontBackends, renderFrontBackend, type RuleUse } from './front-backends';
import { renderDirectResponseRoute, renderDirectResponses } from './front-direct-responses';
import { renderFrontPatches, renderFrontSecurityPolicy, renderFrontTrafficPolicy } from './front-policies';
import {
  renderFrontRoute,
  renderHostFilter,
  renderModelReader,
  renderModelScript,
  type ServiceAtFront,
} from './front-route';
import { renderEdgeGateway, renderEgressGateway, renderFrontGateway, renderGatewayClass } from './gateways';
import type { ClusterContext } from './metadata';
import { renderReferenceGrants } from './reference-grants';

/** What routes requests on a cluster, by what asks for it. */
export interface RoutingManifests {
  /** Gateways and what belongs to them. Empty where nothing is routed. */
  readonly gateways: readonly Manifest[];

  /** By namespace and name. */
  readonly services: readonly ServiceManifests[];
}

/** The objects that route requests of one service on one cluster, in the order in which to apply them. */
export interface ServiceManifests {
  readonly service: NamespacedName;
  readonly manifests: readonly Manifest[];
}

/**
 * The objects of a cluster that bring requests to what serves, all of them following from the routing of the fleet.
 *
 * @throws FleetwrightError when two objects would have one name
 */
export function renderClusterRouting(routing: Routing, place: ClusterContext): RoutingManifests {
  const { services } = routing;
  const manifests = services.flatMap((service): ServiceManifests[] => {
    const own = [...renderAtFronts(service, routing, place), ...renderBehindFronts(service, routing, place)];
    const all = dedupeManifests([...own, ...renderReferenceGrants(service, own, place)]);
    return all.length > 0 ? [{ service, manifests: sortForApply(all) }] : [];
  });
  return { gateways: sortForApply(renderGateways(routing, place)), services: manifests };
}

function renderGateways({ fronts, edges, egresses }: Routing, place: ClusterContext): Manifest[] {
  const here = isOnCluster(place);
  const names = fronts.filter(here).map(({ name }) => name);
  const all = [
    ...fronts.filter(here).flatMap((front) => renderFrontGateway(front, place)),
    ...edges.filter(here).flatMap((edge) => renderEdgeGateway(edge, place)),
    ...egresses.filter(here).flatMap((egress) => renderEgressGateway(egress, names, place)),
  ];
  return all.length > 0 ? dedupeManifests([renderGatewayClass(place), ...all]) : [];
}

function isOnCluster({
  cluster: { metadata },
}: ClusterContext): (there: { readonly cluster: string }) => boolean {
  return ({ cluster }) => cluster === metadata.name;
}

/** What the fronts of a cluster have for a service: members once, and a route with its policies for each front. */
function renderAtFronts(service: RoutedService, routing: Routing, place: ClusterContext): Manifest[] {
  const doors = routing.fronts.filter(isOnCluster(place)).flatMap((front): ServiceAtFront[] => {
    const door = service.doors.find(
      ({ gateway, cluster }) => gateway === front.gateway && cluster === front.cluster,
    );
    return door ? [{ service, door, front, place }] : [];
  });
  return doors.flatMap((door, i) => [
    ...(i === 0 ? renderSharedByFronts(door, routing) : []),
    ...renderAtFront(door),
  ]);
}

/** What is the same at every front of a cluster. */
function renderSharedByFronts({ service, front, place }: ServiceAtFront, routing: Routing): Manifest[] {
  return [
    ...listFrontBackends(service).flatMap((backend) =>
      renderFrontBackend(service, backend, { routing, front, place }),
    ),
    renderHostFilter(service, place),
    ...renderModelScript(service, place),
    ...renderDirectResponses(service, place),
  ];
}

function renderAtFront(door: ServiceAtFront): Manifest[] {
  const { service } = door;
  const uses: RuleUse[] = ['Requests', ...(service.webSockets ? (['WebSockets'] as const) : [])];
  const routes = [...uses.map((use) => renderFrontRoute(door, use)), renderDirectResponseRoute(door)];
  const names = routes.map(({ metadata }) => metadata.name);
  return [
    ...routes,
    ...renderModelReader(door),
    ...uses.map((use) => renderFrontTrafficPolicy(door, use)),
    ...renderFrontSecurityPolicy(door, names),
    ...renderFrontPatches(door, uses),
  ];
}

/** What the edge and the egress of a cluster have for a service. */
function renderBehindFronts(
  service: RoutedService,
  { edges, egresses }: Routing,
  place: ClusterContext,
): Manifest[] {
  const isOf = (one: { readonly service: NamespacedName }): boolean => isSameName(one.service, service);
  return [
    ...edges
      .filter(isOnCluster(place))
      .flatMap(({ backends }) => backends.filter(isOf).flatMap((one) => renderEdgeObjects(one, place))),
    ...egresses
      .filter(isOnCluster(place))
      .flatMap((egress) =>
        egress.backends.filter(isOf).flatMap((one) => renderEgressObjects(one, egress, place)),
      ),
  ];
}

function isSameName(a: NamespacedName, b: NamespacedName): boolean {
  return compareText(a.namespace, b.namespace) === 0 && compareText(a.name, b.name) === 0;
}
