import { compareText, groupBy, sortedBy } from '../../order';
import type { JsonObject, Manifest } from '../manifest';
import { objectRefs } from '../object-refs';
import type { ObjectFault } from './object-fault';
import { idOf, listOf, type Objects } from './objects';

/** Rules of routes whose weights are all 0: every request gets 500. */
export function* weightlessRules({ routes }: Objects): Iterable<ObjectFault> {
  for (const route of routes) {
    for (const [i, rule] of listOf(route.spec, 'rules').entries()) {
      const refs = listOf(rule, 'backendRefs');
      if (refs.length === 0 || refs.some(({ weight = 1 }) => weight !== 0)) continue;
      yield {
        code: 'no-weight',
        object: route,
        what: `the weights of rule ${i} are all 0, and it answers 500`,
        hint: 'Give one of its backends a weight, or remove the rule',
      };
    }
  }
}

/** Rules that get no request, because another one matches the same at the same Gateway and stands before it. */
export function* shadowedRules({ routes }: Objects): Iterable<ObjectFault> {
  // Of equal matches that of the older route wins, then that of the first by name, then the first of a route.
  const matches = sortedBy(routes, ({ metadata }) => `${metadata.namespace}/${metadata.name}`).flatMap(
    matchesOf,
  );
  for (const [, [first, ...others]] of groupBy(matches, ({ key }) => key)) {
    const told = new Map(others.map((one) => [`${idOf(one.route)} ${one.rule}`, one]));
    for (const { route, rule } of told.values()) {
      if (first?.route === route && first.rule === rule) continue;
      yield {
        code: 'shadowed-route',
        object: route,
        what: `rule ${rule} matches what rule ${first?.rule} of ${first ? idOf(first.route) : ''} matches, and one of them gets no request`,
        hint: 'Match something else, by path or by header',
      };
    }
  }
}

interface Match {
  readonly route: Manifest;
  readonly rule: number;

  /** Equal for matches of the same requests. */
  readonly key: string;
}

function matchesOf(route: Manifest): Match[] {
  const parents = objectRefs(route).filter(({ kind }) => kind === 'Gateway');
  const hosts = (route.spec?.['hostnames'] ?? ['*']) as readonly string[];
  return listOf(route.spec, 'rules').flatMap((one, rule) => {
    const matches = listOf(one, 'matches');
    return (matches.length > 0 ? matches : [{}]).flatMap((match) =>
      parents.flatMap(({ namespace, name }) =>
        hosts.map((host) => ({ route, rule, key: [namespace, name, host, canonical(match)].join(' ') })),
      ),
    );
  });
}

function canonical(match: JsonObject): string {
  const { type = 'PathPrefix', value = '/' } = (match['path'] ?? {}) as JsonObject;
  const path = type === 'PathPrefix' ? String(value).replace(/\/+$/, '') : value;
  return JSON.stringify([
    type,
    path,
    match['method'],
    namedOf(match, 'headers'),
    namedOf(match, 'queryParams'),
  ]);
}

function namedOf(match: JsonObject, field: string): string[] {
  const texts = listOf(match, field).map(({ type = 'Exact', name, value }) => {
    return JSON.stringify([type, field === 'headers' ? String(name).toLowerCase() : name, value]);
  });
  return texts.sort(compareText);
}

const TRIGGER = 'retriable-status-codes';

/** Retries by status code that never happen: the codes count for nothing without their trigger. */
export function* idleRetryCodes({ all }: Objects): Iterable<ObjectFault> {
  for (const object of all.filter(({ kind }) => kind === 'BackendTrafficPolicy')) {
    const retry = object.spec?.['retry'] as { retryOn?: JsonObject } | undefined;
    const { httpStatusCodes, triggers } = retry?.retryOn ?? {};
    const codes = Array.isArray(httpStatusCodes) ? httpStatusCodes : [];
    if (codes.length === 0 || (Array.isArray(triggers) && triggers.includes(TRIGGER))) continue;
    yield {
      code: 'retry-without-trigger',
      object,
      what: `the codes ${codes.join(', ')} are never retried without the trigger ${TRIGGER}`,
      hint: `Add ${TRIGGER} to retry.retryOn.triggers`,
    };
  }
}
