import { sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { routeNameOf, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { CLIENT_HEADER, type RoutedService, type RouteRule, type ServiceListener } from '../../routing/routing';
import type { Auth, RateLimit } from '../../routing/traffic-types';
import { formatResourceAmount } from '../../scheduler/compile/resource-requests';
import { balancerOf, FRONT_RETRY, renderHealthChecks, renderTimeouts, UNBOUNDED_BREAKER } from './backend-traffic';
import { type RuleUse, selectRules } from './front-backends';
import { frontRouteNameOf, type ServiceAtFront } from './front-route';
import { gatewayRefOf, routeMetaOf, routeRefOf, createRoutingObject } from './routing-object';

/**
 * Renders the traffic policy of a service at a front. A single policy contains all settings, because a second policy of
 * a route is ignored, and a policy of the Gateway is replaced rather than merged.
 */
export function renderFrontTrafficPolicy(
  { service, listener, front, context }: ServiceAtFront,
  use: RuleUse,
): Manifest {
  const name = frontRouteNameOf(use, service, listener);
  const rules = listener.rateLimits.flatMap((limit) => renderLimitRules(limit, listener));
  return createRoutingObject('BackendTrafficPolicy', routeMetaOf(service, context, name), {
    targetRefs: [routeRefOf(name)],
    loadBalancer: balancerOf(service.affinity),
    healthCheck: renderHealthChecks({ check: service.health, path: service.readyPath }),
    retry: FRONT_RETRY,
    circuitBreaker: UNBOUNDED_BREAKER,
    timeout: renderTimeouts(listener.timeouts),
    // Larger bodies get 413. A buffered body can be retried on another member. WebSockets cannot be buffered.
    ...(use === 'Requests' && { requestBuffer: { limit: formatResourceAmount('memory', front.maxRequestBody) } }),
    ...(rules.length > 0 && { rateLimit: { local: { rules } } }),
  });
}

/**
 * Renders the rules of a rate limit. With `by: Key`, each client is counted by the name of its key or token. Without
 * authentication, all clients share a limit. Clients whose token lacks the claim also share a limit: a missing header
 * would otherwise match no rule, and they would have no limit.
 */
function renderLimitRules({ requests, per, by }: RateLimit, { auth }: ServiceListener): JsonObject[] {
  const limit = { requests, unit: per };
  if (by !== 'Key' || auth.kind === 'None') return [{ limit }];
  const selected = [EACH_CLIENT, ...(auth.kind === 'Jwt' ? [CLIENTS_WITHOUT_NAME] : [])];
  return selected.map((header) => ({ clientSelectors: [{ headers: [header] }], limit }));
}

const EACH_CLIENT = { name: CLIENT_HEADER, type: 'Distinct' };

const CLIENTS_WITHOUT_NAME = { name: CLIENT_HEADER, type: 'RegularExpression', value: '.*', invert: true };

const CLUSTER_TYPE = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';

/** Without this field, a Maglev table ignores the weights of members (`buildXdsCluster` of Envoy Gateway 1.9). */
const MAGLEV_WEIGHTS_PATH =
  '/load_balancing_policy/policies/0/typed_extension_config/typed_config/locality_weighted_lb_config';

/** In percent: the next tier gets requests only if less than 1% of the members of a tier are healthy. */
const NO_SPILLOVER = { overprovisioning_factor: 10_000 };

/**
 * Renders patches for settings of the Envoy clusters of a service that no policy has a field for.
 *
 * - By default, a tier with one of two members down sends a third of its requests to the next tier.
 * - A passed active check ends the ejection of a member. The check of an egress always passes, whatever its provider
 *   responds.
 * - With session affinity, Envoy Gateway 1.9 omits the weights, and each member would get the same share.
 */
export function renderFrontPatches(
  { service, listener, front, context }: ServiceAtFront,
  uses: readonly RuleUse[],
): Manifest[] {
  const jsonPatches = uses.flatMap((use) =>
    selectRules(service, use).flatMap((rule, i) =>
      // Envoy Gateway derives this name from the route and the index of the rule.
      patchesOf(rule, service, `httproute/${service.namespace}/${frontRouteNameOf(use, service, listener)}/rule/${i}`),
    ),
  );
  if (jsonPatches.length === 0) return [];
  // The patch must be in the namespace of its Gateway. Routes of two namespaces never have the same name.
  const metadata = routeMetaOf(service, context, routeNameOf(service, listener.gateway), SYSTEM_NAMESPACE);
  const targetRef = gatewayRefOf(front.name);
  return [createRoutingObject('EnvoyPatchPolicy', metadata, { targetRef, type: 'JSONPatch', jsonPatches })];
}

/** Whether `renderFrontPatches` renders a patch for a service. */
export function isPatched(service: RoutedService): boolean {
  const rules = [...service.rules, ...(service.webSockets ?? [])];
  return rules.some((rule) => patchesOf(rule, service, '').length > 0);
}

function patchesOf({ members }: RouteRule, { affinity }: RoutedService, cluster: string): JsonObject[] {
  const tiers = new Set(members.map(({ tier }) => tier));
  const external = members.some(({ kind }) => kind === 'External');
  return [
    ...(affinity !== undefined && members.length > 1 ? [patch(cluster, MAGLEV_WEIGHTS_PATH, {})] : []),
    ...(tiers.size > 1 ? [patch(cluster, '/load_assignment/policy', NO_SPILLOVER)] : []),
    ...(external ? [patch(cluster, '/outlier_detection/successful_active_health_check_uneject_host', false)] : []),
  ];
}

function patch(cluster: string, path: string, value: JsonObject | boolean): JsonObject {
  return { type: CLUSTER_TYPE, name: cluster, operation: { op: 'add', path, value } };
}

/** The headers in which OpenAI and Anthropic clients send their key. If both are present, the first decides. */
const KEY_HEADERS = ['authorization', 'x-api-key'];

/**
 * Renders the policy that authenticates clients of a service at a front. Returns none if the service is open.
 *
 * @param routes the names of all routes of the service at the front
 */
export function renderFrontSecurityPolicy(
  { service, listener, context }: ServiceAtFront,
  routes: readonly string[],
): Manifest[] {
  if (listener.auth.kind === 'None') return [];
  const targetRefs = routes.map((route) => routeRefOf(route));
  const authentication = renderAuthentication(listener.auth, service.namespace);
  const metadata = routeMetaOf(service, context, routeNameOf(service, listener.gateway));
  return [createRoutingObject('SecurityPolicy', metadata, { targetRefs, ...authentication })];
}

function renderAuthentication(auth: Exclude<Auth, { kind: 'None' }>, namespace: string): JsonObject {
  if (auth.kind === 'Jwt') return { jwt: { providers: [renderJwtProvider(auth)] } };
  const secrets = new Map(auth.keys.map(({ secret }) => [`${secret.namespace}/${secret.name}`, secret]));
  return {
    apiKeyAuth: {
      credentialRefs: sortedBy(secrets, ([id]) => id).map(([, secret]) => ({
        group: '',
        kind: 'Secret',
        name: secret.name,
        ...(secret.namespace !== namespace && { namespace: secret.namespace }),
      })),
      extractFrom: [{ headers: KEY_HEADERS }],
      forwardClientIDHeader: CLIENT_HEADER,
      // Removes the key from forwarded requests.
      sanitize: true,
    },
  };
}

function renderJwtProvider(auth: Extract<Auth, { kind: 'Jwt' }>): JsonObject {
  const { issuer, audiences, jwksUri, clientClaim } = auth;
  return {
    name: 'issuer',
    issuer,
    ...(audiences.length > 0 && { audiences }),
    remoteJWKS: { uri: jwksUri },
    claimToHeaders: [{ claim: clientClaim, header: CLIENT_HEADER }],
  };
}
