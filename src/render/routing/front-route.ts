import type { Front } from '../../routing/places';
import { type Door, MODEL_HEADER, type RoutedService, type Rule } from '../../routing/routing';
import type { JsonObject, Manifest } from '../manifest';
import { filterName, routeName, scriptName, SYSTEM_NAMESPACE, webSocketRouteName } from '../names';
import { backendRefs, rulesFor, type RuleUse } from './front-backends';
import { API, byFilter } from './kinds';
import { LATE, type Place, routeMeta } from './meta';
import { READ_MODEL } from './model-scripts';
import { scriptPolicy, scriptSource } from './script-policy';

/** A service at one front. */
export interface AtFront {
  readonly service: RoutedService;
  readonly door: Door;
  readonly front: Front;
  readonly place: Place;
}

/** The Gateway that a route is for. */
export function parentOf(gateway: string): JsonObject {
  return { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway, namespace: SYSTEM_NAMESPACE };
}

/**
 * The route of a service at a front: each rule in one Envoy cluster, all of whose members are of one kind and have no
 * filters of their own. Otherwise Envoy Gateway splits the rule, and a fallback then takes normal traffic.
 */
export function frontRoute({ service, door, front, place }: AtFront, use: RuleUse): Manifest {
  return {
    apiVersion: API.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMeta(service, place, nameFor(use, service, door)), ...LATE },
    spec: {
      parentRefs: [parentOf(front.name)],
      rules: rulesFor(service, use).map((rule) => ({
        matches: [matchOf(service, rule, use)],
        filters: filtersOf(service, door),
        backendRefs: backendRefs(service, rule, use),
      })),
    },
  };
}

/** The name of the route of a service at a front, for one use. */
export function nameFor(use: RuleUse, service: RoutedService, { gateway }: Door): string {
  return use === 'Requests' ? routeName(service, gateway) : webSocketRouteName(service, gateway);
}

/**
 * How a request begins that becomes a WebSocket (RFC 6455). Envoy takes this header off all others before it chooses a
 * route, so nothing else gets around what the policy of other requests says.
 */
export const UPGRADE = { type: 'RegularExpression', name: 'upgrade', value: '(?i)websocket' };

function matchOf({ path }: RoutedService, { headers, model }: Rule, use: RuleUse): JsonObject {
  const named = model === undefined ? [] : [{ name: MODEL_HEADER, value: model }];
  const exact = [...headers, ...named].map((header) => ({ type: 'Exact', ...header }));
  const all = use === 'WebSockets' ? [...exact, UPGRADE] : exact;
  return {
    path: { type: 'PathPrefix', value: path },
    ...(use === 'WebSockets' && { method: 'GET' }),
    ...(all.length > 0 && { headers: all }),
  };
}

function filtersOf(service: RoutedService, { auth }: Door): JsonObject[] {
  // An API key is taken off by the filter that checks it; a token is not, and engines have no use for it.
  const token = { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['authorization'] } };
  return [...(auth.kind === 'Jwt' ? [token] : []), byFilter(hostFilterName(service))];
}

/** Whether rules ask for the model that a request names. */
function asksForModel({ rules }: RoutedService): boolean {
  return rules.some(({ model }) => model !== undefined);
}

/** What reads the model of requests at a front, for rules that ask for it. */
export function modelReader({ service, door, place }: AtFront): Manifest[] {
  if (!asksForModel(service)) return [];
  const route = routeName(service, door.gateway);
  return [scriptPolicy(service, { name: scriptName(service), lua: READ_MODEL, route }, place)];
}

/** The script of `modelReader`, the same at every front. */
export function modelScript(service: RoutedService, place: Place): Manifest[] {
  if (!asksForModel(service)) return [];
  return [scriptSource(service, { name: scriptName(service), lua: READ_MODEL }, place)];
}

function hostFilterName(service: RoutedService): string {
  return filterName(service, 'host');
}

/** Sends each member its own Host, by which the gateway behind it tells it from others. */
export function hostFilter(service: RoutedService, place: Place): Manifest {
  return {
    apiVersion: API.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMeta(service, place, hostFilterName(service)),
    spec: { urlRewrite: { hostname: { type: 'Backend' } } },
  };
}
