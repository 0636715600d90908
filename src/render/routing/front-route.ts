import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  filterNameOf,
  routeNameOf,
  scriptNameOf,
  SYSTEM_NAMESPACE,
  webSocketRouteNameOf,
} from '../../manifest/kubernetes/object-names';
import type { Front } from '../../routing/gateways';
import {
  MODEL_HEADER,
  type RoutedService,
  type RouteRule,
  type ServiceListener,
} from '../../routing/routing';
import { renderBackendRefs, type RuleUse, selectRules } from './front-backends';
import { API_VERSIONS, filterRefOf } from './gateway-api-kinds';
import { READ_MODEL_SCRIPT, renderScriptConfigMap, renderScriptPolicy } from './lua-scripts';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** A service at one front. */
export interface ServiceAtFront {
  readonly service: RoutedService;
  readonly door: ServiceListener;
  readonly front: Front;
  readonly place: ClusterContext;
}

/** The Gateway that a route is for. */
export function parentRefOf(gateway: string): JsonObject {
  return { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway, namespace: SYSTEM_NAMESPACE };
}

/**
 * The route of a service at a front: each rule in one Envoy cluster, all of whose members are of one kind and have no
 * filters of their own. Otherwise Envoy Gateway splits the rule, and a fallback then takes normal traffic.
 */
export function renderFrontRoute({ service, door, front, place }: ServiceAtFront, use: RuleUse): Manifest {
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMetaOf(service, place, frontRouteNameOf(use, service, door)), ...ROUTE_ANNOTATIONS },
    spec: {
      parentRefs: [parentRefOf(front.name)],
      rules: selectRules(service, use).map((rule) => ({
        matches: [matchOf(service, rule, use)],
        filters: filtersOf(service, door),
        backendRefs: renderBackendRefs(service, rule, use),
      })),
    },
  };
}

/** The name of the route of a service at a front, for one use. */
export function frontRouteNameOf(use: RuleUse, service: RoutedService, { gateway }: ServiceListener): string {
  return use === 'Requests' ? routeNameOf(service, gateway) : webSocketRouteNameOf(service, gateway);
}

/**
 * How a request begins that becomes a WebSocket (RFC 6455). Envoy takes this header off all others before it chooses a
 * route, so nothing else gets around what the policy of other requests says.
 */
export const WEBSOCKET_UPGRADE = { type: 'RegularExpression', name: 'upgrade', value: '(?i)websocket' };

function matchOf({ path }: RoutedService, { headers, model }: RouteRule, use: RuleUse): JsonObject {
  const named = model === undefined ? [] : [{ name: MODEL_HEADER, value: model }];
  const exact = [...headers, ...named].map((header) => ({ type: 'Exact', ...header }));
  const all = use === 'WebSockets' ? [...exact, WEBSOCKET_UPGRADE] : exact;
  return {
    path: { type: 'PathPrefix', value: path },
    ...(use === 'WebSockets' && { method: 'GET' }),
    ...(all.length > 0 && { headers: all }),
  };
}

function filtersOf(service: RoutedService, { auth }: ServiceListener): JsonObject[] {
  // An API key is taken off by the filter that checks it; a token is not, and engines have no use for it.
  const token = { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['authorization'] } };
  return [...(auth.kind === 'Jwt' ? [token] : []), filterRefOf(hostFilterNameOf(service))];
}

/** Whether rules ask for the model that a request names. */
function matchesModel({ rules }: RoutedService): boolean {
  return rules.some(({ model }) => model !== undefined);
}

/** What reads the model of requests at a front, for rules that ask for it. */
export function renderModelReader({ service, door, place }: ServiceAtFront): Manifest[] {
  if (!matchesModel(service)) return [];
  const route = routeNameOf(service, door.gateway);
  return [renderScriptPolicy(service, { name: scriptNameOf(service), lua: READ_MODEL_SCRIPT, route }, place)];
}

/** The script of `modelReader`, the same at every front. */
export function renderModelScript(service: RoutedService, place: ClusterContext): Manifest[] {
  if (!matchesModel(service)) return [];
  return [renderScriptConfigMap(service, { name: scriptNameOf(service), lua: READ_MODEL_SCRIPT }, place)];
}

function hostFilterNameOf(service: RoutedService): string {
  return filterNameOf(service, 'host');
}

/** Sends each member its own Host, by which the gateway behind it tells it from others. */
export function renderHostFilter(service: RoutedService, place: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(service, place, hostFilterNameOf(service)),
    spec: { urlRewrite: { hostname: { type: 'Backend' } } },
  };
}
