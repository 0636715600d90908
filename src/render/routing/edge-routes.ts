import { EDGE } from '../../routing/addresses';
import type { EdgeBackend } from '../../routing/places';
import type { JsonObject, Manifest } from '../manifest';
import { arrivalName, memberFilterName } from '../names';
import { HTTP } from '../probes';
import { parentOf, UPGRADE } from './front-route';
import { healthChecks } from './health-checks';
import { API, byFilter, toRoute } from './kinds';
import { LATE, type Place, routeMeta } from './meta';
import { picker } from './picker';
import { asksPicker, passesWithoutPicker, PICKED_RULE } from './picking';
import { EDGE_ANSWERS, EDGE_BREAKER, EDGE_RETRY, podBalancer, timeoutsOf } from './traffic';

/** The objects at an edge of the replicas of one deployment, as one service of one tier asks for them. */
export function edgeObjects(backend: EdgeBackend, place: Place): Manifest[] {
  return [
    ...ownService(backend, place),
    route(backend, place),
    ...(backend.enginePath === undefined ? [alwaysReady(backend, place)] : []),
    traffic(backend, place),
    ...picking(backend, place),
  ];
}

/** The endpoint picker of the deployment, and what sends its requests there first. */
function picking(backend: EdgeBackend, place: Place): Manifest[] {
  if (backend.picker.kind !== 'PrefixCache') return [];
  const picked = { backend, picking: backend.picker, place };
  const name = nameOf(backend);
  return [...picker(picked), asksPicker(picked, name), passesWithoutPicker(picked, name)];
}

function nameOf(backend: EdgeBackend): string {
  return arrivalName(backend.service, identityOf(backend));
}

function identityOf({ tier, deployment, hostname }: EdgeBackend) {
  return { tier, target: deployment.name, hostname };
}

/** The Service of a single replica. That of a whole deployment comes with its replicas. */
function ownService({ service, deployment, replica, target }: EdgeBackend, place: Place): Manifest[] {
  if (replica === undefined) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: routeMeta(service, place, target.service, deployment.namespace),
      spec: {
        type: 'ClusterIP',
        selector: target.selector,
        ports: [{ name: HTTP, port: target.port, targetPort: HTTP }],
      },
    },
  ];
}

/** Never a weighted mix: what fronts measure, weigh and take out is one deployment. */
function route(backend: EdgeBackend, place: Place): Manifest {
  const { service, hostname, path, readyPath } = backend;
  return {
    apiVersion: API.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMeta(service, place, nameOf(backend)), ...LATE },
    spec: {
      parentRefs: [parentOf(EDGE)],
      hostnames: [hostname],
      rules: [
        { matches: [{ path: { type: 'Exact', value: readyPath } }], ...ready(backend) },
        ...unpicked(backend),
        {
          ...(backend.picker.kind === 'PrefixCache' && { name: PICKED_RULE }),
          matches: [{ path: { type: 'PathPrefix', value: path } }],
          ...engines(backend),
        },
      ],
    },
  };
}

function engines(backend: EdgeBackend): JsonObject {
  return {
    filters: [rewritten({ type: 'ReplacePrefixMatch', replacePrefixMatch: '/' })],
    backendRefs: [backendRef(backend)],
  };
}

/** Where an endpoint picker sees requests it would wait for the body of a WebSocket, which has none. */
function unpicked(backend: EdgeBackend): JsonObject[] {
  const { path, picker, webSocket } = backend;
  if (picker.kind !== 'PrefixCache' || !webSocket) return [];
  const match = { path: { type: 'PathPrefix', value: path }, method: 'GET', headers: [UPGRADE] };
  return [{ matches: [match], ...engines(backend) }];
}

/** Asked at the path of fronts, an engine answers for all: one of those that serve is chosen. */
function ready(backend: EdgeBackend): JsonObject {
  const { enginePath } = backend;
  if (enginePath === undefined) return { filters: [byFilter(readyName(backend))] };
  return {
    filters: [rewritten({ type: 'ReplaceFullPath', replaceFullPath: enginePath })],
    backendRefs: [backendRef(backend)],
  };
}

function rewritten(path: JsonObject): JsonObject {
  return { type: 'URLRewrite', urlRewrite: { path } };
}

function backendRef({ service, deployment, target }: EdgeBackend): JsonObject {
  const elsewhere = deployment.namespace !== service.namespace;
  return {
    group: '',
    kind: 'Service',
    name: target.service,
    ...(elsewhere && { namespace: deployment.namespace }),
    port: target.port,
  };
}

function readyName(backend: EdgeBackend): string {
  return memberFilterName(backend.service, identityOf(backend), 'ready');
}

/** The answer for engines that nobody can ask. */
function alwaysReady(backend: EdgeBackend, place: Place): Manifest {
  return {
    apiVersion: API.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMeta(backend.service, place, readyName(backend)),
    spec: { directResponse: { statusCode: 200 } },
  };
}

function traffic(backend: EdgeBackend, place: Place): Manifest {
  const { service, enginePath, health, picker, timeouts } = backend;
  const name = nameOf(backend);
  const asked = health && enginePath !== undefined ? { check: health, path: enginePath } : undefined;
  return {
    apiVersion: API.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMeta(service, place, name),
    spec: {
      targetRefs: [toRoute(name)],
      loadBalancer: podBalancer(picker),
      healthCheck: healthChecks(
        asked && health?.port !== undefined ? { ...asked, port: health.port } : asked,
      ),
      retry: EDGE_RETRY,
      circuitBreaker: EDGE_BREAKER,
      responseOverride: EDGE_ANSWERS,
      timeout: timeoutsOf(timeouts),
    },
  };
}
