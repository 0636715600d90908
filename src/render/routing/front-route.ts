import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  filterNameOf,
  routeNameOf,
  scriptNameOf,
  SYSTEM_NAMESPACE,
  webSocketRouteNameOf,
} from '../../manifest/kubernetes/object-names';
import type { Front } from '../../routing/gateways';
import { MODEL_HEADER, type RoutedService, type RouteRule, type ServiceListener } from '../../routing/routing';
import { renderBackendRefs, type RuleUse, selectRules } from './front-backends';
import { API_VERSIONS, filterRefOf } from './gateway-api-kinds';
import { READ_MODEL_SCRIPT, renderScriptConfigMap, renderScriptPolicy } from './lua-scripts';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** A service at one front. */
export interface ServiceAtFront {
  readonly service: RoutedService;
  readonly listener: ServiceListener;
  readonly front: Front;
  readonly context: ClusterContext;
}

/** Returns the reference from a route to its Gateway. */
export function parentRefOf(gateway: string): JsonObject {
  return { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway, namespace: SYSTEM_NAMESPACE };
}

/**
 * Renders the route of a service at a front. Each rule becomes one Envoy cluster, because all its members have one kind
 * and no filters. Otherwise Envoy Gateway splits the rule, and a fallback then gets normal traffic.
 */
export function renderFrontRoute({ service, listener, front, context }: ServiceAtFront, use: RuleUse): Manifest {
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: {
      ...routeMetaOf(service, context, frontRouteNameOf(use, service, listener)),
      ...ROUTE_ANNOTATIONS,
    },
    spec: {
      parentRefs: [parentRefOf(front.name)],
      rules: selectRules(service, use).map((rule) => ({
        matches: [matchOf(service, rule, use)],
        filters: filtersOf(service, listener),
        backendRefs: renderBackendRefs(service, rule, use),
      })),
    },
  };
}

/** Returns the name of the route of a service at a front, for one kind of requests. */
export function frontRouteNameOf(use: RuleUse, service: RoutedService, { gateway }: ServiceListener): string {
  return use === 'Requests' ? routeNameOf(service, gateway) : webSocketRouteNameOf(service, gateway);
}

/**
 * Matches the request that starts a WebSocket (RFC 6455). Envoy removes this header from all other requests before it
 * selects a route, so other requests cannot bypass the policy for normal requests.
 */
export const WEBSOCKET_UPGRADE = { type: 'RegularExpression', name: 'upgrade', value: '(?i)websocket' };

function matchOf({ path }: RoutedService, { headers, model }: RouteRule, use: RuleUse): JsonObject {
  const modelHeader = model === undefined ? [] : [{ name: MODEL_HEADER, value: model }];
  const exact = [...headers, ...modelHeader].map((header) => ({ type: 'Exact', ...header }));
  const all = use === 'WebSockets' ? [...exact, WEBSOCKET_UPGRADE] : exact;
  return {
    path: { type: 'PathPrefix', value: path },
    ...(use === 'WebSockets' && { method: 'GET' }),
    ...(all.length > 0 && { headers: all }),
  };
}

function filtersOf(service: RoutedService, { auth }: ServiceListener): JsonObject[] {
  // The filter that checks an API key also removes it. The JWT filter does not, and engines do not need the token.
  const token = { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['authorization'] } };
  return [...(auth.kind === 'Jwt' ? [token] : []), filterRefOf(hostFilterNameOf(service))];
}

/** Whether any rule matches on the model of a request. */
function matchesModel({ rules }: RoutedService): boolean {
  return rules.some(({ model }) => model !== undefined);
}

/** Renders the policy that reads the model of requests at a front, if any rule matches on the model. */
export function renderModelReader({ service, listener, context }: ServiceAtFront): Manifest[] {
  if (!matchesModel(service)) return [];
  const route = routeNameOf(service, listener.gateway);
  const script = { name: scriptNameOf(service), lua: READ_MODEL_SCRIPT, route };
  return [renderScriptPolicy(service, script, context)];
}

/** Renders the script of `renderModelReader`, which all fronts share. */
export function renderModelScript(service: RoutedService, context: ClusterContext): Manifest[] {
  if (!matchesModel(service)) return [];
  return [renderScriptConfigMap(service, { name: scriptNameOf(service), lua: READ_MODEL_SCRIPT }, context)];
}

function hostFilterNameOf(service: RoutedService): string {
  return filterNameOf(service, 'host');
}

/** Renders the filter that sends each member its own Host, so that the next gateway can select the member. */
export function renderHostFilter(service: RoutedService, context: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(service, context, hostFilterNameOf(service)),
    spec: { urlRewrite: { hostname: { type: 'Backend' } } },
  };
}
