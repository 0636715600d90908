import { ADMIN_PATHS } from '../../catalog/engines/admin-paths';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { directResponseRouteNameOf, filterNameOf } from '../../manifest/kubernetes/object-names';
import type { RoutedService } from '../../routing/routing';
import { parentRefOf, type ServiceAtFront } from './front-route';
import { API_VERSIONS, filterRefOf } from './gateway-api-kinds';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** The maximum size of a direct response in Envoy. */
const MAX_RESPONSE_BYTES = 4096;

const MODELS = 'models';
const HIDDEN = 'hidden';

/**
 * Renders the route of the direct responses of a front: the model list of a service, and 404 for the admin paths of
 * engines. Longer paths take precedence over the path of the service.
 */
export function renderDirectResponseRoute({ service, listener, front, context }: ServiceAtFront): Manifest {
  const { path } = service;
  const models = {
    matches: [{ path: { type: 'Exact', value: `${path}v1/models` }, method: 'GET' }],
    filters: [filterRefOf(filterNameOf(service, MODELS))],
  };
  const hidden = {
    matches: ADMIN_PATHS.map((adminPath) => ({
      path: { type: 'PathPrefix', value: `${path}${adminPath.slice(1)}` },
    })),
    filters: [filterRefOf(filterNameOf(service, HIDDEN))],
  };
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: {
      ...routeMetaOf(service, context, directResponseRouteNameOf(service, listener.gateway)),
      ...ROUTE_ANNOTATIONS,
    },
    spec: {
      parentRefs: [parentRefOf(front.name)],
      rules: [...(modelListOf(service) === undefined ? [] : [models]), hidden],
    },
  };
}

/** Renders the filters of `renderDirectResponseRoute`. */
export function renderDirectResponses(service: RoutedService, context: ClusterContext): Manifest[] {
  const inline = modelListOf(service);
  const models = inline !== undefined && {
    statusCode: 200,
    contentType: 'application/json',
    body: { type: 'Inline', inline },
  };
  return [
    ...(models ? [renderDirectResponse(service, MODELS, models, context)] : []),
    renderDirectResponse(service, HIDDEN, { statusCode: 404 }, context),
  ];
}

/** Renders a filter that responds instead of a member. */
function renderDirectResponse(
  service: RoutedService,
  purpose: string,
  directResponse: JsonObject,
  context: ClusterContext,
): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(service, context, filterNameOf(service, purpose)),
    spec: { directResponse },
  };
}

/**
 * Returns the model list in the format of OpenAI. Returns undefined if the models are unknown or too many for a direct
 * response: the engines then answer.
 */
function modelListOf({ models }: RoutedService): string | undefined {
  if (models.length === 0) return undefined;
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fleetwright' }));
  const text = JSON.stringify({ object: 'list', data });
  return Buffer.byteLength(text) <= MAX_RESPONSE_BYTES ? text : undefined;
}
