import { errorAt } from '../../base/diagnostic';
import { compareText, groupBy, sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { findObjectRefs, type ObjectRef } from '../../manifest/kubernetes/references';
import { groupOf } from '../routing/routing-object';
import { formatObjectId, listOf, namedTargetsOf, type RouteLint } from './routing-objects';

/** Finds references to missing objects: such a route returns 500, and such a Gateway does not run. */
export const findDanglingReferences: RouteLint = function* ({ all, find }) {
  for (const object of all) {
    // `findPoliciesWithoutTarget` checks the references of policies.
    if (namedTargetsOf(object).length > 0) continue;
    for (const { kind, namespace, name } of findObjectRefs(object)) {
      if (!isGenerated(kind, namespace) || find(kind, namespace, name)) continue;
      const message = `it refers to ${kind} ${namespace}/${name}, which is not there`;
      yield errorAt('dangling-reference', object, message, 'Correct the name, or add that');
    }
  }
};

/** Whether a kind is rendered together with its referrer. Gateways in other namespaces can come from elsewhere. */
function isGenerated(kind: string, namespace: string): boolean {
  if (kind === 'Gateway') return namespace === SYSTEM_NAMESPACE;
  return kind === 'Backend' || kind === 'EnvoyProxy' || kind === 'HTTPRouteFilter';
}

/** Finds cross-namespace references without a ReferenceGrant: the route returns 500, or the policy is ignored. */
export const findMissingGrants: RouteLint = function* ({ all }) {
  const grants = groupBy(
    all.filter(({ kind }) => kind === 'ReferenceGrant'),
    ({ metadata }) => metadata.namespace,
  );
  for (const object of all.filter(({ kind, metadata }) => kind !== 'ReferenceGrant' && metadata.namespace)) {
    for (const ref of findObjectRefs(object)) {
      // A Gateway declares which routes it accepts.
      if (ref.namespace === object.metadata.namespace || ref.kind === 'Gateway') continue;
      if ((grants.get(ref.namespace) ?? []).some((grant) => allows(grant, object, ref))) continue;
      const message = `it refers to ${ref.kind} ${ref.namespace}/${ref.name}, and no ReferenceGrant in namespace ${ref.namespace} allows it`;
      const hint = `Add one there, from ${object.kind} of namespace ${object.metadata.namespace}`;
      yield errorAt('no-reference-grant', object, message, hint);
    }
  }
};

function allows({ spec }: Manifest, { apiVersion, kind, metadata }: Manifest, ref: ObjectRef): boolean {
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace };
  const { group, kind: toKind, name } = ref;
  return (
    listOf(spec, 'from').some((granted) => isGranted(granted, from)) &&
    listOf(spec, 'to').some((granted) => isGranted(granted, { group, kind: toKind, name }))
  );
}

/** A `to` entry without a name grants all names. */
function isGranted(granted: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const actual = granted[field] ?? (field === 'group' ? '' : undefined);
    return actual === value || (field === 'name' && actual === undefined);
  });
}

/** Finds rules whose weights are all 0: such a rule returns 500 for every request. */
export const findRulesWithoutWeight: RouteLint = function* ({ routes }) {
  for (const route of routes) {
    for (const [i, rule] of listOf(route.spec, 'rules').entries()) {
      const refs = listOf(rule, 'backendRefs');
      if (refs.length === 0 || refs.some(({ weight = 1 }) => weight !== 0)) continue;
      const message = `the weights of rule ${i} are all 0, and it answers 500`;
      yield errorAt('no-weight', route, message, 'Give one of its backends a weight, or remove the rule');
    }
  }
};

/** Finds rules that get no requests, because an earlier rule of the same Gateway has an equal match. */
export const findShadowedRules: RouteLint = function* ({ routes }) {
  // Of equal matches that of the older route wins, then that of the first by name, then the first of a route.
  const matches = sortedBy(routes, ({ metadata }) => `${metadata.namespace}/${metadata.name}`).flatMap(matchesOf);
  for (const [first, ...others] of groupBy(matches, ({ key }) => key).values()) {
    const shadowed = new Map(others.map((match) => [`${formatObjectId(match.route)} ${match.rule}`, match]));
    for (const { route, rule } of shadowed.values()) {
      if (!first || (first.route === route && first.rule === rule)) continue;
      const message = `rule ${rule} matches what rule ${first.rule} of ${formatObjectId(first.route)} matches, and one of them gets no request`;
      yield errorAt('shadowed-route', route, message, 'Match something else, by path or by header');
    }
  }
};

interface Match {
  readonly route: Manifest;
  readonly rule: number;

  /** Equal for matches of the same requests. */
  readonly key: string;
}

function matchesOf(route: Manifest): Match[] {
  const parents = findObjectRefs(route).filter(({ kind }) => kind === 'Gateway');
  const hosts = (route.spec?.['hostnames'] ?? ['*']) as readonly string[];
  return listOf(route.spec, 'rules').flatMap((routeRule, rule) => {
    const matches = listOf(routeRule, 'matches');
    return (matches.length > 0 ? matches : [{}]).flatMap((match) =>
      parents.flatMap(({ namespace, name }) =>
        hosts.map((host) => ({ route, rule, key: [namespace, name, host, formatMatch(match)].join(' ') })),
      ),
    );
  });
}

function formatMatch(match: JsonObject): string {
  const { type = 'PathPrefix', value = '/' } = (match['path'] ?? {}) as JsonObject;
  const path = type === 'PathPrefix' ? String(value).replace(/\/+$/, '') : value;
  return JSON.stringify([
    type,
    path,
    match['method'],
    formatNamedMatches(match, 'headers'),
    formatNamedMatches(match, 'queryParams'),
  ]);
}

function formatNamedMatches(match: JsonObject, field: string): string[] {
  const texts = listOf(match, field).map(({ type = 'Exact', name, value }) => {
    return JSON.stringify([type, field === 'headers' ? String(name).toLowerCase() : name, value]);
  });
  return texts.sort(compareText);
}

const RETRY_TRIGGER = 'retriable-status-codes';

/** Finds retries by status code that never happen, because status codes have no effect without their trigger. */
export const findIneffectiveRetryCodes: RouteLint = function* ({ all }) {
  for (const object of all.filter(({ kind }) => kind === 'BackendTrafficPolicy')) {
    const retry = object.spec?.['retry'] as { retryOn?: JsonObject } | undefined;
    const { httpStatusCodes, triggers } = retry?.retryOn ?? {};
    const codes = Array.isArray(httpStatusCodes) ? httpStatusCodes : [];
    if (codes.length === 0 || (Array.isArray(triggers) && triggers.includes(RETRY_TRIGGER))) continue;
    const message = `the codes ${codes.join(', ')} are never retried without the trigger ${RETRY_TRIGGER}`;
    yield errorAt('retry-without-trigger', object, message, `Add ${RETRY_TRIGGER} to retry.retryOn.triggers`);
  }
};
