import type { InferenceGateway } from '../api/inference-gateway';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { idText } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { placeGateways } from '../routing/placed-gateways';
import type { Front } from '../routing/gateway-types';
import type { RoutedService } from '../routing/routing';
import { hostOfGateway, listKeptGateways, listReachChanges } from './reach-changes';
import type { RouteChanges } from './route-changes';

/** Services that no gateway serves any more, although their replicas stay. */
export interface NoGatewayFinding {
  readonly kind: 'no-gateway';
  readonly services: readonly ModelService[];

  /** The gateways that are gone, by name. */
  readonly gateways: readonly string[];
}

/** Services whose clients on the internet no longer reach a host. */
export interface ClosedGatewayFinding {
  readonly kind: 'gateway-closed';
  readonly services: readonly ModelService[];
  readonly gateway: InferenceGateway;
  readonly host: string;

  /** Where the load balancer stays reachable although its annotations change. */
  readonly kept: readonly Front[];
}

interface States {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;
}

/** Finds whether no gateway has a place any more, so that requests reach none of the services. */
export function findLostGateways({ before, after }: States): NoGatewayFinding[] {
  const [was, is] = [before, after].map(({ fleet }) => placeGateways(fleet).placedGateways);
  if (!was || !is || was.length === 0 || is.length > 0) return [];
  const routed = new Set(before.routing.services.map(({ namespace, name }) => idText(namespace, name)));
  const services = after.fleet.services.filter((one) => routed.has(qualifiedNameOf(one)));
  const declared = new Set(after.fleet.gateways.map(({ metadata }) => metadata.name));
  const gateways = sortUnique(was.map(({ gateway }) => gateway.metadata.name)).filter((name) => !declared.has(name));
  return services.length === 0 ? [] : [{ kind: 'no-gateway', services, gateways }];
}

/** Finds gateways that the internet no longer reaches, of which services keep the host. */
export function findClosedGateways(routes: RouteChanges, { before, after }: States): ClosedGatewayFinding[] {
  return listReachChanges(routes).flatMap(({ gateway: name, opened }) => {
    const gateway = after.fleet.gateways.find(({ metadata }) => metadata.name === name);
    const isBehind = ({ gateways }: RoutedService): boolean => gateways.some((one) => one.gateway === name);
    const [was, is] = [before, after].map(
      ({ routing }) => new Set(routing.services.filter(isBehind).map(({ namespace, name }) => idText(namespace, name))),
    );
    const services = after.fleet.services.filter((one) => {
      const id = qualifiedNameOf(one);
      return was?.has(id) === true && is?.has(id) === true;
    });
    if (opened || !gateway || services.length === 0) return [];
    return [
      {
        kind: 'gateway-closed',
        services,
        gateway,
        host: hostOfGateway(after.routing, name),
        kept: listKeptGateways(name, routes, after.routing),
      },
    ];
  });
}
