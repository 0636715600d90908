import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { baseUrlOf } from '../backends';
import type { ExternalTarget, RouteTarget, ServiceSelection } from '../select-targets';
import type { RoutingContext } from './context';

/** Finds requests that would leave the fleet although the service, or another deployment of the service, forbids it. */
export function* checkForbiddenEndpoints({ selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    const targets = rules.flatMap((rule) => rule.targets);
    for (const target of distinctExternalTargets(targets)) {
      const forbids = [service, ...deploymentsOf(targets)].find(({ spec }) => spec.externalEndpoints === 'Forbidden');
      if (!forbids) continue;
      yield errorAt(
        'external-endpoint',
        { resource: service, path: ['spec', 'endpoints', target.entry] },
        `the entry sends requests to ${resourceIdOf(target.endpoint)}, and ${resourceIdOf(forbids)} forbids external endpoints`,
        "Remove the entry, or set 'externalEndpoints: Allowed' where that is right",
      );
    }
  }
}

/** Finds endpoints that do not serve the model in requests to a service. */
export function* checkEndpointModels({ selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    const { servedModelName } = service.spec;
    for (const { endpoint } of distinctExternalTargets(rules.flatMap(({ targets }) => targets))) {
      const { models, model } = endpoint.spec;
      const asked = model?.as ?? servedModelName;
      if (asked === undefined || models.length === 0 || models.includes(asked)) continue;
      yield errorAt(
        'model-not-served',
        { resource: endpoint, path: ['spec', 'models'] },
        `the endpoint does not list '${asked}', for which ${resourceIdOf(service)} asks it`,
        "Add it, or set 'model.as' to the name that the endpoint has for it",
      );
    }
  }
}

/** Finds invalid rewrite paths of endpoints. Documents of the alias group may omit the leading slash. */
export function* checkRewritePaths({ fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const endpoint of fleet.endpoints) {
    const { rewritePath } = endpoint.spec;
    if (rewritePath === undefined || /^\/[!-~]*$/.test(rewritePath)) continue;
    if (endpoint.group === 'modelplane.ai' && /^[!-~]*$/.test(rewritePath)) continue;
    yield errorAt(
      'bad-path',
      { resource: endpoint, path: ['spec', 'rewritePath'] },
      'this is not a path',
      "Begin with '/', as in '/v1'",
    );
  }
}

function distinctExternalTargets(targets: readonly RouteTarget[]): ExternalTarget[] {
  const external = targets.filter((target): target is ExternalTarget => target.kind === 'External');
  return [...new Map(external.map((target) => [target.endpoint, target])).values()];
}

function deploymentsOf(targets: ServiceSelection['rules'][number]['targets']) {
  return targets.flatMap((target) => (target.kind === 'Edge' ? [target.deployment] : []));
}

/** Finds credentials that are sent without TLS. */
export function* checkCredentialTls({ fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const endpoint of fleet.endpoints) {
    if (!endpoint.spec.credential || baseUrlOf(endpoint).protocol !== 'http:') continue;
    yield warningAt(
      'credential-in-clear',
      { resource: endpoint, path: ['spec', 'url'] },
      'its credential is sent without TLS, for everybody on the way to read',
      'Use an address with https://',
    );
  }
}
