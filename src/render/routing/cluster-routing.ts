import { compareText } from '../../order';
import type { Named } from '../../routing/places';
import type { RoutedService, Routing } from '../../routing/routing';
import { distinct, inApplyOrder, type Manifest } from '../manifest';
import { answers, answersRoute } from './answers';
import { edgeObjects } from './edge-routes';
import { egressObjects } from './egress-routes';
import { frontBackends, type RuleUse } from './front-backends';
import { frontPatches, frontTraffic } from './front-policies';
import { type AtFront, frontRoute, hostFilter, modelReader, modelScript } from './front-route';
import { frontSecurity } from './front-security';
import { gatewayClass } from './gateway';
import { edgeGateway, egressGateway, frontGateway } from './gateways';
import { grants } from './grants';
import { memberObjects } from './members';
import type { Place } from './meta';

/** What routes requests on a cluster, by what asks for it. */
export interface RoutingManifests {
  /** Gateways and what belongs to them. Empty where nothing is routed. */
  readonly gateways: readonly Manifest[];

  /** By namespace and name. */
  readonly services: readonly ServiceManifests[];
}

/** The objects that route requests of one service on one cluster, in the order in which to apply them. */
export interface ServiceManifests {
  readonly service: Named;
  readonly manifests: readonly Manifest[];
}

/**
 * The objects of a cluster that bring requests to what serves, all of them following from the routing of the fleet.
 *
 * @throws FleetwrightError when two objects would have one name
 */
export function clusterRouting(routing: Routing, place: Place): RoutingManifests {
  const { services } = routing;
  const manifests = services.flatMap((service): ServiceManifests[] => {
    const own = [...atFronts(service, routing, place), ...behindFronts(service, routing, place)];
    const all = distinct([...own, ...grants(service, own, place)]);
    return all.length > 0 ? [{ service, manifests: inApplyOrder(all) }] : [];
  });
  return { gateways: inApplyOrder(gateways(routing, place)), services: manifests };
}

function gateways({ fronts, edges, egresses }: Routing, place: Place): Manifest[] {
  const here = on(place);
  const names = fronts.filter(here).map(({ name }) => name);
  const all = [
    ...fronts.filter(here).flatMap((front) => frontGateway(front, place)),
    ...edges.filter(here).flatMap((edge) => edgeGateway(edge, place)),
    ...egresses.filter(here).flatMap((egress) => egressGateway(egress, names, place)),
  ];
  return all.length > 0 ? distinct([gatewayClass(place), ...all]) : [];
}

function on({ cluster: { metadata } }: Place): (there: { readonly cluster: string }) => boolean {
  return ({ cluster }) => cluster === metadata.name;
}

/** What the fronts of a cluster have for a service: members once, and a route with its policies for each front. */
function atFronts(service: RoutedService, routing: Routing, place: Place): Manifest[] {
  const doors = routing.fronts.filter(on(place)).flatMap((front): AtFront[] => {
    const door = service.doors.find(
      ({ gateway, cluster }) => gateway === front.gateway && cluster === front.cluster,
    );
    return door ? [{ service, door, front, place }] : [];
  });
  return doors.flatMap((door, i) => [...(i === 0 ? shared(door, routing) : []), ...atFront(door)]);
}

/** What is the same at every front of a cluster. */
function shared({ service, front, place }: AtFront, routing: Routing): Manifest[] {
  return [
    ...frontBackends(service).flatMap((backend) =>
      memberObjects(service, backend, { routing, front, place }),
    ),
    hostFilter(service, place),
    ...modelScript(service, place),
    ...answers(service, place),
  ];
}

function atFront(door: AtFront): Manifest[] {
  const { service } = door;
  const uses: RuleUse[] = ['Requests', ...(service.webSockets ? (['WebSockets'] as const) : [])];
  const routes = [...uses.map((use) => frontRoute(door, use)), answersRoute(door)];
  const names = routes.map(({ metadata }) => metadata.name);
  return [
    ...routes,
    ...modelReader(door),
    ...uses.map((use) => frontTraffic(door, use)),
    ...frontSecurity(door, names),
    ...frontPatches(door, uses),
  ];
}

/** What the edge and the egress of a cluster have for a service. */
function behindFronts(service: RoutedService, { edges, egresses }: Routing, place: Place): Manifest[] {
  const isOf = (one: { readonly service: Named }): boolean => sameName(one.service, service);
  return [
    ...edges
      .filter(on(place))
      .flatMap(({ backends }) => backends.filter(isOf).flatMap((one) => edgeObjects(one, place))),
    ...egresses
      .filter(on(place))
      .flatMap((egress) => egress.backends.filter(isOf).flatMap((one) => egressObjects(one, egress, place))),
  ];
}

function sameName(a: Named, b: Named): boolean {
  return compareText(a.namespace, b.namespace) === 0 && compareText(a.name, b.name) === 0;
}
