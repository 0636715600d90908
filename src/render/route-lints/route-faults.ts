import { SILENCE } from '../../api/labels';
import { describe, type Problem } from '../../errors';
import type { Manifest } from '../manifest';
import { API, groupOf } from '../routing/kinds';
import { touching } from './beside';
import { exposedCredentials, openRoutes, unprovenBackends } from './guards';
import type { ObjectFault, ObjectRule } from './object-fault';
import { idOf, objectsAmong } from './objects';
import { noTarget, noTrafficPolicy, twoPolicies } from './policies';
import { danglingReferences, missingGrants } from './references';
import { idleRetryCodes, shadowedRules, weightlessRules } from './rules';

/** What gateways and routes of one cluster owe their users. An API server refuses none of it. */
const RULES: readonly ObjectRule[] = [
  openRoutes,
  exposedCredentials,
  unprovenBackends,
  twoPolicies,
  noTrafficPolicy,
  noTarget,
  danglingReferences,
  missingGrants,
  weightlessRules,
  shadowedRules,
  idleRetryCodes,
];

const GROUPS: ReadonlySet<string> = new Set([API.gateway, API.envoy].map(groupOf));

/** Whether an object is of those that route requests. Faults are found in these alone. */
export function isRouting(apiVersion: string): boolean {
  return GROUPS.has(groupOf(apiVersion));
}

/**
 * What is wrong with the objects of a cluster that route requests, where several of them do not go together.
 *
 * @example
 * routeFaults(renderCluster(cluster, replicas, { fleet, routing })); // []
 */
export function routeFaults(manifests: readonly Manifest[]): ObjectFault[] {
  const objects = objectsAmong(manifests.filter(({ apiVersion }) => isRouting(apiVersion)));
  return RULES.flatMap((rule) => [...rule(objects)]).filter(({ code, object: { metadata } }) => {
    return !metadata.annotations?.[SILENCE + code]?.trim();
  });
}

/** What somebody else adds to the objects of a cluster, or changes of them. */
export interface Changed {
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
export function newRouteProblems({ before, after, beside = NOTHING }: Changed, where: string): Problem[] {
  const known = new Set(routeFaults(before).map((fault) => describe(problem(fault, where))));
  const others = [...beside.keys()];
  const touched = touching(after, others);
  return routeFaults([...after, ...others])
    .filter(({ object }) => touched.has(object) || !beside.has(object))
    .map((fault) => problem(fault, beside.get(fault.object) ?? where))
    .filter((one) => !known.has(describe(one)));
}

const NOTHING: ReadonlyMap<Manifest, string> = new Map();

function problem({ code, object, what, hint }: ObjectFault, where: string): Problem {
  return { code, where: `${where}, ${idOf(object)}`, what, hint };
}
