import { sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { routeNameOf, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import {
  CLIENT_HEADER,
  type RoutedService,
  type RouteRule,
  type ServiceListener,
} from '../../routing/routing';
import type { Auth, RateLimit } from '../../routing/traffic-policy';
import { formatResource } from '../../scheduler/compile/resource-requests';
import {
  balancerOf,
  FRONT_RETRY,
  renderHealthChecks,
  renderTimeouts,
  UNBOUNDED_BREAKER,
} from './backend-traffic';
import { type RuleUse, selectRules } from './front-backends';
import { frontRouteNameOf, type ServiceAtFront } from './front-route';
import { API_VERSIONS, gatewayRefOf, routeRefOf } from './gateway-api-kinds';
import { routeMetaOf } from './metadata';

/**
 * How requests of a service pass a front: everything in one policy, since a second one of a route counts for nothing
 * and one of the Gateway is replaced, not completed.
 */
export function renderFrontTrafficPolicy(
  { service, door, front, place }: ServiceAtFront,
  use: RuleUse,
): Manifest {
  const name = frontRouteNameOf(use, service, door);
  const rules = door.rateLimits.flatMap((limit) => renderLimitRules(limit, door));
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMetaOf(service, place, name),
    spec: {
      targetRefs: [routeRefOf(name)],
      loadBalancer: balancerOf(service.affinity),
      healthCheck: renderHealthChecks({ check: service.health, path: service.readyPath }),
      retry: FRONT_RETRY,
      circuitBreaker: UNBOUNDED_BREAKER,
      timeout: renderTimeouts(door.timeouts),
      ...(use === 'Requests' && {
        // Larger ones get 413. A whole body can be sent again to another member. It ends where WebSockets begin.
        requestBuffer: { limit: formatResource('memory', front.maxRequestBody) },
      }),
      ...(rules.length > 0 && { rateLimit: { local: { rules } } }),
    },
  };
}

/**
 * Each client counts for itself by the name that its key or token has; where nobody is asked, all are one. So are all
 * whose token has no such claim: a header that is not there is no name, and nothing would count them.
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

/** Absent, a table of sessions is filled by members alone (`buildXdsCluster` of Envoy Gateway 1.9). */
const MAGLEV_WEIGHTS_PATH =
  '/load_balancing_policy/policies/0/typed_extension_config/typed_config/locality_weighted_lb_config';

/** So many times over may members of a tier be down before the next tier gets any request. */
const NO_SPILLOVER = { overprovisioning_factor: 10_000 };

/**
 * What no policy has a field for, on the Envoy clusters of the rules of a service. By default a tier with one of two
 * members down sends a third of its requests to the next; and a member that passes its check, as an egress does
 * whatever its provider answers, is at once taken back that was put out for its failures. Where sessions stay with
 * their member, Envoy Gateway 1.9 leaves the weights out, and each member would get the same.
 */
export function renderFrontPatches(
  { service, door, front, place }: ServiceAtFront,
  uses: readonly RuleUse[],
): Manifest[] {
  const jsonPatches = uses.flatMap((use) =>
    selectRules(service, use).flatMap((rule, i) =>
      // Envoy Gateway names it so; what the rule is called, and its members, play no part.
      patchesOf(
        rule,
        service,
        `httproute/${service.namespace}/${frontRouteNameOf(use, service, door)}/rule/${i}`,
      ),
    ),
  );
  if (jsonPatches.length === 0) return [];
  return [
    {
      apiVersion: API_VERSIONS.envoy,
      kind: 'EnvoyPatchPolicy',
      // Beside its Gateway. Routes of two namespaces never have one name.
      metadata: routeMetaOf(service, place, routeNameOf(service, door.gateway), SYSTEM_NAMESPACE),
      spec: { targetRef: gatewayRefOf(front.name), type: 'JSONPatch', jsonPatches },
    },
  ];
}

function patchesOf({ members }: RouteRule, { affinity }: RoutedService, cluster: string): JsonObject[] {
  const tiers = new Set(members.map(({ tier }) => tier));
  const external = members.some(({ kind }) => kind === 'External');
  return [
    ...(affinity !== undefined && members.length > 1 ? [patch(cluster, MAGLEV_WEIGHTS_PATH, {})] : []),
    ...(tiers.size > 1 ? [patch(cluster, '/load_assignment/policy', NO_SPILLOVER)] : []),
    ...(external
      ? [patch(cluster, '/outlier_detection/successful_active_health_check_uneject_host', false)]
      : []),
  ];
}

function patch(cluster: string, path: string, value: JsonObject | boolean): JsonObject {
  return { type: CLUSTER_TYPE, name: cluster, operation: { op: 'add', path, value } };
}

/** Where clients of OpenAI and of Anthropic send their key. A client that sends both is judged by the first. */
const KEY_HEADERS = ['authorization', 'x-api-key'];

/**
 * Who may send requests to a service at a front. Nothing where everybody may.
 *
 * @param routes the names of all its routes there
 */
export function renderFrontSecurityPolicy(
  { service, door, place }: ServiceAtFront,
  routes: readonly string[],
): Manifest[] {
  if (door.auth.kind === 'None') return [];
  return [
    {
      apiVersion: API_VERSIONS.envoy,
      kind: 'SecurityPolicy',
      metadata: routeMetaOf(service, place, routeNameOf(service, door.gateway)),
      spec: {
        targetRefs: routes.map((route) => routeRefOf(route)),
        ...renderAuthentication(door.auth, service.namespace),
      },
    },
  ];
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
      // Nobody behind the front sees the key.
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
