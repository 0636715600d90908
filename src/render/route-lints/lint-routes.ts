import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { type Diagnostic, errorAt, formatDiagnostic } from '../../base/diagnostic';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import { API_VERSIONS, groupOf } from '../routing/gateway-api-kinds';
import { findExposedCredentials, findOpenRoutes, findUnverifiedBackends } from './access';
import { findCompetingPolicies, findPoliciesWithoutTarget, findRoutesWithoutTrafficPolicy } from './policies';
import { findDanglingReferences, findMissingGrants } from './references';
import { findIneffectiveRetryCodes, findRulesWithoutWeight, findShadowedRules } from './route-rules';
import { formatObjectId, indexRoutingObjects, type RouteLint } from './routing-objects';

/** What gateways and routes of one cluster owe their users. An API server refuses none of it. */
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

/** Whether an object is of those that route requests. Faults are found in these alone. */
export function isRoutingKind(apiVersion: string): boolean {
  return ROUTING_GROUPS.has(groupOf(apiVersion));
}

/**
 * What is wrong with the objects of a cluster that route requests, where several of them do not go together.
 *
 * @example
 * routeFaults(renderCluster(cluster, replicas, { fleet, routing })); // []
 */
export function lintRoutes(manifests: readonly Manifest[]): Diagnostic<Manifest>[] {
  const objects = indexRoutingObjects(manifests.filter(({ apiVersion }) => isRoutingKind(apiVersion)));
  return ROUTE_LINTS.flatMap((rule) => [...rule(objects)]).filter(({ code, at: { metadata } }) => {
    return !metadata.annotations?.[SILENCE_ANNOTATION_PREFIX + code]?.trim();
  });
}

/** What somebody else adds to the objects of a cluster, or changes of them. */
export interface RouteChange {
  /** The objects as they were made. */
  readonly before: readonly Manifest[];

  /** The same objects now, and what stands among them. */
  readonly after: readonly Manifest[];

  /**
   * What is applied beside them, to this cluster or perhaps to others alone, each with what it is of, for people. Only
   * what of it touches the routes of the cluster is judged. Default: nothing.
   */
  readonly beside?: ReadonlyMap<Manifest, string>;
}

/**
 * What is wrong with objects that was not already wrong before somebody else added to them or changed them.
 *
 * @param where what the objects are of, for people
 */
export function findNewRouteProblems(
  { before, after, beside = NO_OTHER_OBJECTS }: RouteChange,
  where: string,
): Diagnostic[] {
  const known = new Set(lintRoutes(before).map((fault) => formatDiagnostic(toProblem(fault, where))));
  const others = [...beside.keys()];
  const touched = findTouchingObjects(after, others);
  return lintRoutes([...after, ...others])
    .filter(({ at: object }) => touched.has(object) || !beside.has(object))
    .map((fault) => toProblem(fault, beside.get(fault.at) ?? where))
    .filter((one) => !known.has(formatDiagnostic(one)));
}

const NO_OTHER_OBJECTS: ReadonlyMap<Manifest, string> = new Map();

function toProblem({ code, at: object, message, hint }: Diagnostic<Manifest>, where: string): Diagnostic {
  return errorAt(code, `${where}, ${formatObjectId(object)}`, message, hint);
}

/**
 * Of objects that somebody applies beside those of a cluster, those that touch its routes: routes at its Gateways,
 * what these refer to, and policies of all that. Others are not ours to judge.
 *
 * @param own the objects of the cluster
 */
export function findTouchingObjects(
  own: readonly Manifest[],
  beside: readonly Manifest[],
): ReadonlySet<Manifest> {
  const { find, targetsOf } = indexRoutingObjects([...beside, ...own]);
  const { routes, find: findBeside } = indexRoutingObjects(beside);
  const { gatewaysOf } = indexRoutingObjects([...own, ...routes]);
  const ofGateways = routes.filter((route) => gatewaysOf(route).length > 0);
  const behind = ofGateways.flatMap((route) =>
    findObjectRefs(route).flatMap(({ kind, namespace, name }) => findBeside(kind, namespace, name) ?? []),
  );
  const known = new Set([...own, ...ofGateways, ...behind]);
  const policies = beside.filter((one) =>
    targetsOf(one).some(({ kind, name }) => {
      const target = find(kind, one.metadata.namespace ?? '', name);
      return target !== undefined && known.has(target);
    }),
  );
  return new Set([...ofGateways, ...behind, ...policies]);
}
