import { HIDDEN_PATHS } from '../../catalog/engines/hidden-paths';
import type { RoutedService } from '../../routing/routing';
import type { JsonObject, Manifest } from '../manifest';
import { answersName, filterName } from '../names';
import { type AtFront, parentOf } from './front-route';
import { API, byFilter } from './kinds';
import { LATE, type Place, routeMeta } from './meta';

/** Envoy refuses longer answers of its own. */
const LONGEST_ANSWER = 4096;

const MODELS = 'models';
const HIDDEN = 'hidden';

/**
 * The route of what a front answers itself: which models a service has, and that there is nothing where engines have
 * what is for their operators. Longer paths win over the shorter one of the service.
 */
export function answersRoute({ service, door, front, place }: AtFront): Manifest {
  const { path } = service;
  const models = {
    matches: [{ path: { type: 'Exact', value: `${path}v1/models` }, method: 'GET' }],
    filters: [byFilter(filterName(service, MODELS))],
  };
  const hidden = {
    matches: HIDDEN_PATHS.map((one) => ({
      path: { type: 'PathPrefix', value: `${path}${one.slice(1)}` },
    })),
    filters: [byFilter(filterName(service, HIDDEN))],
  };
  return {
    apiVersion: API.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMeta(service, place, answersName(service, door.gateway)), ...LATE },
    spec: {
      parentRefs: [parentOf(front.name)],
      rules: [...(modelsOf(service) === undefined ? [] : [models]), hidden],
    },
  };
}

/** What the rules of `answersRoute` answer. */
export function answers(service: RoutedService, place: Place): Manifest[] {
  const inline = modelsOf(service);
  const models = inline !== undefined && {
    statusCode: 200,
    contentType: 'application/json',
    body: { type: 'Inline', inline },
  };
  return [
    ...(models ? [answer(service, MODELS, models, place)] : []),
    answer(service, HIDDEN, { statusCode: 404 }, place),
  ];
}

/** A filter that answers in the place of members. */
export function answer(
  service: RoutedService,
  purpose: string,
  directResponse: JsonObject,
  place: Place,
): Manifest {
  return {
    apiVersion: API.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMeta(service, place, filterName(service, purpose)),
    spec: { directResponse },
  };
}

/** The list of models as OpenAI has it, or nothing where engines answer: they are unknown, or too many. */
function modelsOf({ models }: RoutedService): string | undefined {
  if (models.length === 0) return undefined;
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fleetwright' }));
  const text = JSON.stringify({ object: 'list', data });
  return Buffer.byteLength(text) <= LONGEST_ANSWER ? text : undefined;
}
