import { groupBy, sortUnique } from '../base/order';
import type { RoutedService, Routing } from './routing';

/**
 * Creates a function that selects the part of a routing that the objects of a cluster depend on: its gateways, the
 * services that they serve, and, next to an ingress gateway, the addresses of the gateways of others. A change of a
 * service concerns the clusters alone whose part differs.
 *
 * @example
 * const localRoutingOf = createLocalRouting(routing);
 * renderClusterRouting(localRoutingOf('eu'), context); // as with `routing`
 */
export function createLocalRouting(routing: Routing): (cluster: string) => Routing {
  const [fronts, edges, egresses] = [
    groupBy(routing.fronts, ({ cluster }) => cluster),
    groupBy(routing.edges, ({ cluster }) => cluster),
    groupBy(routing.egresses, ({ cluster }) => cluster),
  ];
  const pairs = routing.services.flatMap((service) => listClustersOf(service).map((cluster) => ({ cluster, service })));
  const services = groupBy(pairs, ({ cluster }) => cluster);
  const addresses = routing.edges.map((edge) => ({ ...edge, backends: [] }));
  return (cluster) => ({
    fronts: fronts.get(cluster) ?? [],
    edges: fronts.has(cluster)
      ? routing.edges.map((edge, i) => (edge.cluster === cluster ? edge : (addresses[i] ?? edge)))
      : (edges.get(cluster) ?? []),
    egresses: egresses.get(cluster) ?? [],
    services: (services.get(cluster) ?? []).map(({ service }) => service),
  });
}

/** The clusters with an ingress gateway or with replicas of a service. */
function listClustersOf({ gateways, rules, webSockets = [] }: RoutedService): string[] {
  const members = [...rules, ...webSockets].flatMap((rule) => rule.members.flatMap(({ cluster }) => cluster ?? []));
  return sortUnique([...gateways.map(({ cluster }) => cluster), ...members]);
}
