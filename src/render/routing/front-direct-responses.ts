import { ADMIN_PATHS } from '../../catalog/engines/admin-paths';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { directResponseRouteNameOf, filterNameOf } from '../../manifest/kubernetes/object-names';
import type { RoutedService } from '../../routing/routing';
import { parentRefOf, type ServiceAtFront } from './front-route';
import { API_VERSIONS, filterRefOf } from './gateway-api-kinds';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** Envoy refuses longer answers of its own. */
const MAX_RESPONSE_BYTES = 4096;

const MODELS = 'models';
const HIDDEN = 'hidden';

/**
 * The route of what a front answers itself: which models a service has, and that there is nothing where engines have
 * what is for their operators. Longer paths win over the shorter one of the service.
 */
export function renderDirectResponseRoute({ service, door, front, place }: ServiceAtFront): Manifest {
  const { path } = service;
  const models = {
    matches: [{ path: { type: 'Exact', value: `${path}v1/models` }, method: 'GET' }],
    filters: [filterRefOf(filterNameOf(service, MODELS))],
  };
  const hidden = {
    matches: ADMIN_PATHS.map((one) => ({
      path: { type: 'PathPrefix', value: `${path}${one.slice(1)}` },
    })),
    filters: [filterRefOf(filterNameOf(service, HIDDEN))],
  };
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: {
      ...routeMetaOf(service, place, directResponseRouteNameOf(service, door.gateway)),
      ...ROUTE_ANNOTATIONS,
    },
    spec: {
      parentRefs: [parentRefOf(front.name)],
      rules: [...(modelListOf(service) === undefined ? [] : [models]), hidden],
    },
  };
}

/** What the rules of `answersRoute` answer. */
export function renderDirectResponses(service: RoutedService, place: ClusterContext): Manifest[] {
  const inline = modelListOf(service);
  const models = inline !== undefined && {
    statusCode: 200,
    contentType: 'application/json',
    body: { type: 'Inline', inline },
  };
  return [
    ...(models ? [renderDirectResponse(service, MODELS, models, place)] : []),
    renderDirectResponse(service, HIDDEN, { statusCode: 404 }, place),
  ];
}

/** A filter that answers in the place of members. */
export function renderDirectResponse(
  service: RoutedService,
  purpose: string,
  directResponse: JsonObject,
  place: ClusterContext,
): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(service, place, filterNameOf(service, purpose)),
    spec: { directResponse },
  };
}

/** The list of models as OpenAI has it, or nothing where engines answer: they are unknown, or too many. */
function modelListOf({ models }: RoutedService): string | undefined {
  if (models.length === 0) return undefined;
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fleetwright' }));
  const text = JSON.stringify({ object: 'list', data });
  return Buffer.byteLength(text) <= MAX_RESPONSE_BYTES ? text : undefined;
}
