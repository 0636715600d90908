import { type ModelService } from '../../api/model-service';
import { qualifiedName } from '../../api/resource';
import { groupBy, sortedBy } from '../../order';
import { type RouteEntry, routingDocument } from '../../routing/document';
import type { Routing } from '../../routing/routing';
import type { ServiceSmoke } from './service-smoke';

/** Where a service is asked, and for which model. */
export type AskedService = Pick<ServiceSmoke, 'service' | 'url' | 'doors' | 'model'>;

/**
 * Every service at each of its URLs, as the routing document has them, for one model and for each that has a route of
 * its own; those without a URL too.
 */
export function askedServices(services: readonly ModelService[], routing: Routing): AskedService[] {
  const { services: routed, routes } = routingDocument(routing);
  const routesOf = groupBy(routes.filter(isOfModel), ({ service }) => service);
  const open = routed.flatMap(({ key: service, urls, models }) => {
    const apart = new Set((routesOf.get(service) ?? []).flatMap(({ match }) => match?.model ?? []));
    const asked = [models.find((model) => !apart.has(model)), ...apart];
    return [...groupBy(urls, ({ url }) => url)].flatMap(([url, same]) => {
      const doors = same.map(({ gateway, cluster }) => `${gateway} on ${cluster}`);
      return asked.map((model): AskedService => ({ service, url, doors, ...(model && { model }) }));
    });
  });
  const known = new Set(open.map(({ service }) => service));
  const closed = services.map(qualifiedName).filter((service) => !known.has(service));
  return sortedBy([...open, ...closed.map((service) => ({ service, doors: [] }))], ({ service }) => service);
}

/** Whether a route is for a model alone, whatever the headers of a request. */
function isOfModel({ match }: RouteEntry): boolean {
  return match?.model !== undefined && Object.keys(match.headers).length === 0;
}
