import { ADMIN_PATHS } from '../../catalog/engines/admin-paths';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  directResponseRouteNameOf,
  filterNameOf,
  routeNameOf,
  scriptNameOf,
  webSocketRouteNameOf,
} from '../../manifest/kubernetes/object-names';
import type { Front } from '../../routing/gateway-types';
import { MODEL_HEADER, type RoutedService, type RouteRule, type ServiceListener } from '../../routing/routing';
import { renderBackendRefs, type RuleUse, selectRules } from './front-backends';
import { READ_MODEL_SCRIPT, renderScriptConfigMap, renderScriptPolicy } from './lua-scripts';
import { type ClusterContext, filterRefOf, routeMetaOf, createRoute, createRoutingObject } from './routing-object';

export interface ServiceAtFront {
  readonly service: RoutedService;
  readonly listener: ServiceListener;
  readonly front: Front;
  readonly context: ClusterContext;
}

/**
 * Renders the route of a service at a front. Each rule becomes one Envoy cluster, because all its members have one kind
 * and no filters. Otherwise Envoy Gateway splits the rule, and a fallback then gets normal traffic.
 */
export function renderFrontRoute({ service, listener, front, context }: ServiceAtFront, use: RuleUse): Manifest {
  const metadata = routeMetaOf(service, context, frontRouteNameOf(use, service, listener));
  return createRoute(front.name, metadata, {
    rules: selectRules(service, use).map((rule) => ({
      matches: [matchOf(service, rule, use)],
      filters: filtersOf(service, listener),
      backendRefs: renderBackendRefs(service, rule, use),
    })),
  });
}

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
  return [...(auth.kind === 'Jwt' ? [token] : []), sharedFilterRefOf(service, 'host')];
}

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

/** The purposes of the filters that all routes of a service share, in their names. */
type FilterPurpose = 'hidden' | 'host' | 'models';

function sharedFilterRefOf(service: RoutedService, purpose: FilterPurpose): JsonObject {
  return filterRefOf(filterNameOf(service, purpose));
}

/**
 * Renders the filters that the routes of a service share. The host filter sends each member its own Host, so that the
 * next gateway can select the member. The others respond to the requests of `renderDirectResponseRoute`.
 */
export function renderSharedFilters(service: RoutedService, context: ClusterContext): Manifest[] {
  const filter = (purpose: FilterPurpose, spec: JsonObject): Manifest =>
    createRoutingObject('HTTPRouteFilter', routeMetaOf(service, context, filterNameOf(service, purpose)), spec);
  const inline = modelListOf(service);
  const body = { type: 'Inline', inline };
  const models = { statusCode: 200, contentType: 'application/json', body };
  return [
    filter('host', { urlRewrite: { hostname: { type: 'Backend' } } }),
    ...(inline === undefined ? [] : [filter('models', { directResponse: models })]),
    filter('hidden', { directResponse: { statusCode: 404 } }),
  ];
}

/**
 * Renders the route of the direct responses of a front: the model list of a service, and 404 for the admin paths of
 * engines. Longer paths take precedence over the path of the service.
 */
export function renderDirectResponseRoute({ service, listener, front, context }: ServiceAtFront): Manifest {
  const { path } = service;
  const models = {
    matches: [{ path: { type: 'Exact', value: `${path}v1/models` }, method: 'GET' }],
    filters: [sharedFilterRefOf(service, 'models')],
  };
  const adminPaths = ADMIN_PATHS.map((adminPath) => `${path}${adminPath.slice(1)}`);
  const hidden = {
    matches: adminPaths.map((value) => ({ path: { type: 'PathPrefix', value } })),
    filters: [sharedFilterRefOf(service, 'hidden')],
  };
  const metadata = routeMetaOf(service, context, directResponseRouteNameOf(service, listener.gateway));
  const rules = modelListOf(service) === undefined ? [hidden] : [models, hidden];
  return createRoute(front.name, metadata, { rules });
}

/** The maximum size of a direct response in Envoy. */
const MAX_RESPONSE_BYTES = 4096;

/** Returns the models in the format of OpenAI. Undefined if unknown or too many: the engines then answer. */
function modelListOf({ models }: RoutedService): string | undefined {
  if (models.length === 0) return undefined;
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fleetwright' }));
  const text = JSON.stringify({ object: 'list', data });
  return Buffer.byteLength(text) <= MAX_RESPONSE_BYTES ? text : undefined;
}
