import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { type Diagnostic, formatDiagnostic, relocate } from '../../base/diagnostic';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import { API_VERSIONS, groupOf } from '../routing/routing-object';
import {
  findCompetingPolicies,
  findExposedCredentials,
  findIneffectiveRetryCodes,
  findOpenRoutes,
  findPoliciesWithoutTarget,
  findRoutesWithoutTrafficPolicy,
  findUnverifiedBackends,
} from './policies';
import { findDanglingReferences, findMissingGrants } from './references';
import { findRulesWithoutWeight, findShadowedRules } from './routes';
import { formatObjectId, indexRoutingObjects, type RouteLint } from './routing-objects';

/** The rules for the gateways and routes of a cluster. An API server rejects no object that breaks them. */
const ROUTE_LINTS: readonly RouteLint[] = [
  findOpenRoutes,
  findExposedCredentials,
  findUnverifiedBackends,
  findCompetingPolicies,
  findRoutesWithoutTrafficPolicy,
  findPoliciesWithoutTarget,
  findDanglingReferences,
  findMissingGrants,
  findRulesWithoutWeight,
  findShadowedRules,
  findIneffectiveRetryCodes,
];

const ROUTING_GROUPS: ReadonlySet<string> = new Set([API_VERSIONS.gateway, API_VERSIONS.envoy].map(groupOf));

/** Whether an object is of an API group that routes requests. The lints report only such objects. */
export function isRoutingKind(apiVersion: string): boolean {
  return ROUTING_GROUPS.has(groupOf(apiVersion));
}

/**
 * Returns the problems of the routing objects of a cluster, most of which are conflicts between several objects.
 *
 * @example
 * lintRoutes(renderCluster(cluster, replicas, { fleet, routing })); // []
 */
export function lintRoutes(manifests: readonly Manifest[]): Diagnostic<Manifest>[] {
  const objects = indexRoutingObjects(manifests.filter(({ apiVersion }) => isRoutingKind(apiVersion)));
  return ROUTE_LINTS.flatMap((rule) => [...rule(objects)]).filter(({ code, at: { metadata } }) => {
    return !metadata.annotations?.[SILENCE_ANNOTATION_PREFIX + code]?.trim();
  });
}

interface RouteChange {
  readonly before: readonly Manifest[];
  readonly after: readonly Manifest[];

  /**
   * Other objects that are applied to this cluster or only to other clusters, each with a description of its origin.
   * Only objects that affect the routes of the cluster are checked. Default: none.
   */
  readonly additional?: ReadonlyMap<Manifest, string>;
}

/**
 * Returns the problems that additions and changes introduce, without the problems that existed before.
 *
 * @param where the origin of the objects, for messages
 */
export function findNewRouteProblems(
  { before, after, additional = new Map() }: RouteChange,
  where: string,
): Diagnostic[] {
  const known = new Set(lintRoutes(before).map((fault) => formatDiagnostic(toProblem(fault, where))));
  const others = [...additional.keys()];
  const touched = findTouchingObjects(after, others);
  return lintRoutes([...after, ...others])
    .filter(({ at: object }) => touched.has(object) || !additional.has(object))
    .map((fault) => toProblem(fault, additional.get(fault.at) ?? where))
    .filter((one) => !known.has(formatDiagnostic(one)));
}

function toProblem(fault: Diagnostic<Manifest>, where: string): Diagnostic {
  return { ...relocate(fault, (object) => `${where}, ${formatObjectId(object)}`), severity: 'error' };
}

/**
 * Returns the additional objects that affect the routes of a cluster: routes of its Gateways, the objects that these
 * refer to, and policies for any of them. Other objects are not checked.
 *
 * @param clusterObjects the objects of the cluster
 */
function findTouchingObjects(
  clusterObjects: readonly Manifest[],
  additional: readonly Manifest[],
): ReadonlySet<Manifest> {
  const { find, targetsOf } = indexRoutingObjects([...additional, ...clusterObjects]);
  const { routes, find: findAdditional } = indexRoutingObjects(additional);
  const { gatewaysOf } = indexRoutingObjects([...clusterObjects, ...routes]);
  const ofGateways = routes.filter((route) => gatewaysOf(route).length > 0);
  const referenced = ofGateways.flatMap((route) =>
    findObjectRefs(route).flatMap(({ kind, namespace, name }) => findAdditional(kind, namespace, name) ?? []),
  );
  const known = new Set([...clusterObjects, ...ofGateways, ...referenced]);
  const policies = additional.filter((policy) =>
    targetsOf(policy).some(({ kind, name }) => {
      const target = find(kind, policy.metadata.namespace ?? '', name);
      return target !== undefined && known.has(target);
    }),
  );
  return new Set([...ofGateways, ...referenced, ...policies]);
}
