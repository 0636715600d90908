import { groupBy, sortedBy } from '../../base/order';
import { sortForApply } from '../../manifest/kubernetes/apply-order';
import { dedupeManifests, type JsonObject, type Manifest } from '../../manifest/kubernetes/manifest';
import { grantNameOf } from '../../manifest/kubernetes/object-names';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import type { Front, NamespacedName } from '../../routing/gateway-types';
import type { RoutedService, Routing } from '../../routing/routing';
import { renderEdgeObjects } from './edge-routes';
import { renderEgressObjects } from './egress-routes';
import { listFrontBackends, renderFrontBackend, type RuleUse } from './front-backends';
import { renderFrontPatches, renderFrontSecurityPolicy, renderFrontTrafficPolicy } from './front-policies';
import {
  renderDirectResponseRoute,
  renderFrontRoute,
  renderModelReader,
  renderModelScript,
  renderSharedFilters,
  type ServiceAtFront,
} from './front-route';
import { renderEdgeGateway, renderEgressGateway, renderFrontGateway, renderGatewayClass } from './gateways';
import { type ClusterContext, groupOf, routeMetaOf, createRoutingObject } from './routing-object';

/** The objects that route requests on a cluster, grouped by gateway and service. */
export interface RoutingManifests {
  /** Gateways and their objects. Empty if the cluster routes no requests. */
  readonly gateways: readonly Manifest[];

  /** Sorted by namespace and name. */
  readonly services: readonly ServiceManifests[];
}

/** The routing objects of one service on one cluster, in the order in which to apply them. */
interface ServiceManifests {
  readonly service: NamespacedName;
  readonly manifests: readonly Manifest[];
}

/**
 * Renders the objects of a cluster that route requests to replicas. They depend only on the routing of the fleet.
 *
 * @throws FleetwrightError when two objects have the same name
 */
export function renderClusterRouting(routing: Routing, context: ClusterContext): RoutingManifests {
  const fronts = routing.fronts.filter(isOnCluster(context));
  const behindFronts = renderBehindFronts(routing, context);
  // Most clusters have no front, and routes of few services.
  const local =
    fronts.length > 0 ? routing.services : routing.services.filter((service) => behindFronts.has(idOf(service)));
  const services = local.flatMap((service): ServiceManifests[] => {
    const behind = behindFronts.get(idOf(service)) ?? [];
    const objects = [...renderAtFronts(service, fronts, { routing, context }), ...behind];
    if (objects.length === 0) return [];
    const manifests = dedupeManifests([...objects, ...renderReferenceGrants(service, objects, context)]);
    return [{ service, manifests: sortForApply(manifests) }];
  });
  return { gateways: renderGateways(routing, context), services };
}

/** Renders the gateways of a cluster and their objects, in the order in which to apply them. */
export function renderGateways({ fronts, edges, egresses }: Routing, context: ClusterContext): Manifest[] {
  const isLocal = isOnCluster(context);
  const names = fronts.filter(isLocal).map(({ name }) => name);
  const all = [
    ...fronts.filter(isLocal).flatMap((front) => renderFrontGateway(front, context)),
    ...edges.filter(isLocal).flatMap((edge) => renderEdgeGateway(edge, context)),
    ...egresses.filter(isLocal).flatMap((egress) => renderEgressGateway(egress, names, context)),
  ];
  return all.length > 0 ? sortForApply(dedupeManifests([renderGatewayClass(context), ...all])) : [];
}

function isOnCluster({ cluster: { metadata } }: ClusterContext): (object: { readonly cluster: string }) => boolean {
  return ({ cluster }) => cluster === metadata.name;
}

/** Renders the objects of a service at the fronts of a cluster: shared members, and a route with policies per front. */
function renderAtFronts(
  service: RoutedService,
  fronts: readonly Front[],
  { routing, context }: { readonly routing: Routing; readonly context: ClusterContext },
): Manifest[] {
  const atFronts = fronts.flatMap((front): ServiceAtFront[] => {
    const listener = service.gateways.find(
      ({ gateway, cluster }) => gateway === front.gateway && cluster === front.cluster,
    );
    return listener ? [{ service, listener, front, context }] : [];
  });
  const shared = atFronts
    .slice(0, 1)
    .flatMap(({ front }) => [
      ...listFrontBackends(service).flatMap((backend) =>
        renderFrontBackend(service, backend, { routing, front, context }),
      ),
      ...renderModelScript(service, context),
      ...renderSharedFilters(service, context),
    ]);
  return [...shared, ...atFronts.flatMap(renderAtFront)];
}

function renderAtFront(atFront: ServiceAtFront): Manifest[] {
  const uses: RuleUse[] = atFront.service.webSockets ? ['Requests', 'WebSockets'] : ['Requests'];
  const routes = [...uses.map((use) => renderFrontRoute(atFront, use)), renderDirectResponseRoute(atFront)];
  const names = routes.map(({ metadata }) => metadata.name);
  return [
    ...routes,
    ...renderModelReader(atFront),
    ...uses.map((use) => renderFrontTrafficPolicy(atFront, use)),
    ...renderFrontSecurityPolicy(atFront, names),
    ...renderFrontPatches(atFront, uses),
  ];
}

/** Renders the objects of services behind the fronts, by service. */
function renderBehindFronts({ edges, egresses }: Routing, context: ClusterContext): ReadonlyMap<string, Manifest[]> {
  const isLocal = isOnCluster(context);
  const rendered = [
    ...edges
      .filter(isLocal)
      .flatMap(({ backends }) =>
        backends.map((backend) => ({ service: idOf(backend.service), objects: renderEdgeObjects(backend, context) })),
      ),
    ...egresses.filter(isLocal).flatMap((egress) =>
      egress.backends.map((backend) => {
        return { service: idOf(backend.service), objects: renderEgressObjects(backend, egress, context) };
      }),
    ),
  ];
  const byService = groupBy(rendered, ({ service }) => service);
  return new Map([...byService].map(([service, all]) => [service, all.flatMap(({ objects }) => objects)]));
}

function idOf({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

const KINDS_THAT_NEED_GRANTS: ReadonlySet<string> = new Set([
  'EnvoyExtensionPolicy',
  'HTTPRoute',
  'HTTPRouteFilter',
  'SecurityPolicy',
]);

/** Each grant lists object names. Without a grant, a route returns 500, and a policy is ignored. */
function renderReferenceGrants(
  service: NamespacedName,
  manifests: readonly Manifest[],
  context: ClusterContext,
): Manifest[] {
  const crossings = groupBy(
    manifests.filter(({ kind }) => KINDS_THAT_NEED_GRANTS.has(kind)).flatMap(crossNamespaceRefsOf),
    ({ namespace }) => namespace,
  );
  return sortedBy(crossings, ([namespace]) => namespace).map(([namespace, references]) =>
    createRoutingObject('ReferenceGrant', routeMetaOf(service, context, grantNameOf(service, namespace), namespace), {
      from: dedupe(references.map(({ from }) => from)),
      to: dedupe(references.map(({ to }) => to)),
    }),
  );
}

function crossNamespaceRefsOf(manifest: Manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '' };
  return findObjectRefs(manifest).flatMap(({ namespace, ...to }) =>
    // A Gateway declares which routes it accepts.
    namespace === from.namespace || to.kind === 'Gateway' ? [] : [{ from, to, namespace }],
  );
}

function dedupe<T extends JsonObject>(items: readonly T[]): T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return sortedBy(byText, ([text]) => text).map(([, item]) => item);
}
