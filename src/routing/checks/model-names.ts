import { type ResourcePath, resourceIdOf } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelEndpoint } from '../../api/model-endpoint';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { joinNames } from '../../base/text';
import { edgeTargetsOf, externalTargetByEndpoint, type RouteTarget, type RoutingContext } from '../select-targets';
import { servedNamesOf } from '../served-models';

/** Finds endpoints that do not serve the model in requests to a service. */
export function* checkEndpointModels({ selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const selection of selections) {
    const { service } = selection;
    for (const { endpoint } of externalTargetByEndpoint(selection)) {
      const { models, model } = endpoint.spec;
      const asked = model?.as ?? service.spec.servedModelName;
      if (asked === undefined || models.length === 0 || models.includes(asked)) continue;
      const at = { resource: endpoint, path: ['spec', 'models'] };
      const origin = model ? `to which 'model.as' rewrites` : `which ${resourceIdOf(service)} requests`;
      const hint = model
        ? "Add it, or correct 'model.as'"
        : "Add it, or set 'model.as' to the name that the endpoint uses";
      yield errorAt('model-not-served', at, `the endpoint does not list '${asked}', ${origin}`, hint);
    }
  }
}

/** Finds engines that do not serve the model in requests to a service. */
export function* checkServedNames({ selections, fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const selection of selections) {
    const { service } = selection;
    const { servedModelName } = service.spec;
    const deployments = new Set(edgeTargetsOf(selection).map(({ deployment }) => deployment));
    const known = [...deployments].flatMap((deployment) => {
      const { model, names } = servedNamesOf(deployment, fleet.caches);
      return model === undefined ? [] : [{ deployment, model, names }];
    });
    const asked = servedModelName ?? known[0]?.model;
    const other = known.find(({ names }) => asked !== undefined && !names.includes(asked));
    if (asked === undefined || !other) continue;
    const at = { resource: service, path: ['spec', servedModelName === undefined ? 'endpoints' : 'servedModelName'] };
    const serves = `${resourceIdOf(other.deployment)} serves '${other.model}'`;
    const [first] = known;
    if (servedModelName === undefined && first) {
      // Nothing says which of the names clients request.
      const both = `${resourceIdOf(first.deployment)} serves '${asked}' and ${serves}, and requests for one name reach both`;
      yield warningAt('other-model-name', at, both, 'Set the same served model name in their engines');
      continue;
    }
    const message = `${serves}, and requests for '${asked}' reach it too`;
    yield warningAt('other-model-name', at, message, `Let its engine serve '${asked}' too`);
  }
}

/**
 * Finds endpoints that do not list the model which engines behind the same service serve, where neither the service nor
 * the endpoint says which name requests have.
 */
export function* warnUnknownNames({ selections, fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    if (service.spec.servedModelName !== undefined) continue;
    const found = rules.flatMap(({ targets }) =>
      targets.flatMap((target): [ModelEndpoint, Served][] => {
        if (target.kind !== 'External') return [];
        const served = findUnlisted(target.endpoint, targets, fleet);
        return served ? [[target.endpoint, served]] : [];
      }),
    );
    for (const [resource, { deployment, model }] of new Map(found)) {
      const at = { resource, path: ['spec', 'models'] };
      const message = `the endpoint does not list '${model}', which ${resourceIdOf(deployment)} serves, and requests to ${resourceIdOf(service)} reach both`;
      yield warningAt('other-model-name', at, message, adviseName(resource));
    }
  }
}

/** A deployment, and the name of the model that it serves. */
interface Served {
  readonly deployment: ModelDeployment;
  readonly model: string;
}

/** Finds a model that other targets of the same requests serve, and that an endpoint does not list by any of its names. */
function findUnlisted(
  { spec }: ModelEndpoint,
  targets: readonly RouteTarget[],
  { caches }: RoutingContext['fleet'],
): Served | undefined {
  const { models, model: rewritten } = spec;
  if (rewritten || models.length === 0) return undefined;
  for (const target of targets) {
    if (target.kind === 'External') continue;
    const { deployment } = target;
    const { model, names } = servedNamesOf(deployment, caches);
    if (model !== undefined && !names.some((name) => models.includes(name))) return { deployment, model };
  }
  return undefined;
}

function adviseName({ spec: { models } }: ModelEndpoint): string {
  const [only = '', ...others] = models;
  if (others.length === 0) return `Set 'model: { as: ${only} }' in its spec, or add the name to 'models'`;
  return `Set 'model.as' to the one that is meant (${joinNames(models)}), or add the name to 'models'`;
}
