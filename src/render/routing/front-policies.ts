import type { RateLimit } from '../../routing/policy';
import { CLIENT_HEADER, type Door, type RoutedService, type Rule } from '../../routing/routing';
import type { JsonObject, Manifest } from '../manifest';
import { routeName, SYSTEM_NAMESPACE } from '../names';
import { quantityOf } from '../../scheduler/amounts';
import { rulesFor, type RuleUse } from './front-backends';
import { type AtFront, nameFor } from './front-route';
import { healthChecks } from './health-checks';
import { API, toGateway, toRoute } from './kinds';
import { routeMeta } from './meta';
import { balancer, FRONT_RETRY, timeoutsOf, UNBOUNDED_BREAKER } from './traffic';

/**
 * How requests of a service pass a front: everything in one policy, since a second one of a route counts for nothing
 * and one of the Gateway is replaced, not completed.
 */
export function frontTraffic({ service, door, front, place }: AtFront, use: RuleUse): Manifest {
  const name = nameFor(use, service, door);
  const rules = door.rateLimits.flatMap((limit) => limitRules(limit, door));
  return {
    apiVersion: API.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMeta(service, place, name),
    spec: {
      targetRefs: [toRoute(name)],
      loadBalancer: balancer(service.affinity),
      healthCheck: healthChecks({ check: service.health, path: service.readyPath }),
      retry: FRONT_RETRY,
      circuitBreaker: UNBOUNDED_BREAKER,
      timeout: timeoutsOf(door.timeouts),
      ...(use === 'Requests' && {
        // Larger ones get 413. A whole body can be sent again to another member. It ends where WebSockets begin.
        requestBuffer: { limit: quantityOf('memory', front.maxRequestBody) },
      }),
      ...(rules.length > 0 && { rateLimit: { local: { rules } } }),
    },
  };
}

/**
 * Each client counts for itself by the name that its key or token has; where nobody is asked, all are one. So are all
 * whose token has no such claim: a header that is not there is no name, and nothing would count them.
 */
function limitRules({ requests, per, by }: RateLimit, { auth }: Door): JsonObject[] {
  const limit = { requests, unit: per };
  if (by !== 'Key' || auth.kind === 'None') return [{ limit }];
  const selected = [DISTINCT, ...(auth.kind === 'Jwt' ? [NAMELESS] : [])];
  return selected.map((header) => ({ clientSelectors: [{ headers: [header] }], limit }));
}

const DISTINCT = { name: CLIENT_HEADER, type: 'Distinct' };

const NAMELESS = { name: CLIENT_HEADER, type: 'RegularExpression', value: '.*', invert: true };

const CLUSTER_TYPE = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';

/** Absent, a table of sessions is filled by members alone (`buildXdsCluster` of Envoy Gateway 1.9). */
const WEIGHTS_OF_MAGLEV =
  '/load_balancing_policy/policies/0/typed_extension_config/typed_config/locality_weighted_lb_config';

/** So many times over may members of a tier be down before the next tier gets any request. */
const NEVER_SPILL = { overprovisioning_factor: 10_000 };

/**
 * What no policy has a field for, on the Envoy clusters of the rules of a service. By default a tier with one of two
 * members down sends a third of its requests to the next; and a member that passes its check, as an egress does
 * whatever its provider answers, is at once taken back that was put out for its failures. Where sessions stay with
 * their member, Envoy Gateway 1.9 leaves the weights out, and each member would get the same.
 */
export function frontPatches({ service, door, front, place }: AtFront, uses: readonly RuleUse[]): Manifest[] {
  const jsonPatches = uses.flatMap((use) =>
    rulesFor(service, use).flatMap((rule, i) =>
      // Envoy Gateway names it so; what the rule is called, and its members, play no part.
      patchesOf(rule, service, `httproute/${service.namespace}/${nameFor(use, service, door)}/rule/${i}`),
    ),
  );
  if (jsonPatches.length === 0) return [];
  return [
    {
      apiVersion: API.envoy,
      kind: 'EnvoyPatchPolicy',
      // Beside its Gateway. Routes of two namespaces never have one name.
      metadata: routeMeta(service, place, routeName(service, door.gateway), SYSTEM_NAMESPACE),
      spec: { targetRef: toGateway(front.name), type: 'JSONPatch', jsonPatches },
    },
  ];
}

function patchesOf({ members }: Rule, { affinity }: RoutedService, cluster: string): JsonObject[] {
  const tiers = new Set(members.map(({ tier }) => tier));
  const external = members.some(({ kind }) => kind === 'External');
  return [
    ...(affinity !== undefined && members.length > 1 ? [patch(cluster, WEIGHTS_OF_MAGLEV, {})] : []),
    ...(tiers.size > 1 ? [patch(cluster, '/load_assignment/policy', NEVER_SPILL)] : []),
    ...(external
      ? [patch(cluster, '/outlier_detection/successful_active_health_check_uneject_host', false)]
      : []),
  ];
}

function patch(cluster: string, path: string, value: JsonObject | boolean): JsonObject {
  return { type: CLUSTER_TYPE, name: cluster, operation: { op: 'add', path, value } };
}
