import { errorAt } from '../../base/diagnostic';
import { compareText, groupBy, sortedBy } from '../../base/order';
import { trimTrailing } from '../../base/text';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import { formatObjectId, listOf, type RouteLint } from './routing-objects';

/** Finds rules whose weights are all 0: such a rule returns 500 for every request. */
export const findRulesWithoutWeight: RouteLint = function* ({ routes }) {
  for (const route of routes) {
    for (const [i, rule] of listOf(route.spec, 'rules').entries()) {
      const refs = listOf(rule, 'backendRefs');
      if (refs.length === 0 || refs.some(({ weight = 1 }) => weight !== 0)) continue;
      const message = `all weights of rule ${i} are 0, so it answers 500`;
      yield errorAt('no-weight', route, message, 'Set a weight of one of its backends, or remove the rule');
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
      const message = `rule ${rule} matches what rule ${first.rule} of ${formatObjectId(first.route)} matches, and one of them gets no requests`;
      yield errorAt('shadowed-route', route, message, 'Change the path or the headers that it matches');
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
  const path = type === 'PathPrefix' ? trimTrailing(String(value), '/') : value;
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
