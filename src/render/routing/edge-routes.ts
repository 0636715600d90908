import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  HTTP_PORT_NAME,
  memberFilterNameOf,
  memberRouteNameOf,
} from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import type { EdgeBackend } from '../../routing/gateways';
import {
  EDGE_BREAKER,
  EDGE_RESPONSE_OVERRIDES,
  EDGE_RETRY,
  podBalancerOf,
  renderHealthChecks,
  renderTimeouts,
} from './backend-traffic';
import { renderEndpointPicker } from './endpoint-picker';
import {
  PICKED_RULE_NAME,
  renderPickerExtension,
  renderPickerFailOpenPatch,
} from './endpoint-picker-policies';
import { parentRefOf, WEBSOCKET_UPGRADE } from './front-route';
import { API_VERSIONS, filterRefOf, routeRefOf } from './gateway-api-kinds';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** The objects at an edge of the replicas of one deployment, as one service of one tier asks for them. */
export function renderEdgeObjects(backend: EdgeBackend, place: ClusterContext): Manifest[] {
  return [
    ...renderReplicaService(backend, place),
    renderEdgeRoute(backend, place),
    ...(backend.enginePath === undefined ? [renderAlwaysReady(backend, place)] : []),
    renderEdgeTrafficPolicy(backend, place),
    ...renderPicking(backend, place),
  ];
}

/** The endpoint picker of the deployment, and what sends its requests there first. */
function renderPicking(backend: EdgeBackend, place: ClusterContext): Manifest[] {
  if (backend.picker.kind !== 'PrefixCache') return [];
  const picked = { backend, picking: backend.picker, place };
  const name = nameOf(backend);
  return [
    ...renderEndpointPicker(picked),
    renderPickerExtension(picked, name),
    renderPickerFailOpenPatch(picked, name),
  ];
}

function nameOf(backend: EdgeBackend): string {
  return memberRouteNameOf(backend.service, identityOf(backend));
}

function identityOf({ tier, deployment, hostname }: EdgeBackend) {
  return { tier, target: deployment.name, hostname };
}

/** The Service of a single replica. That of a whole deployment comes with its replicas. */
function renderReplicaService(
  { service, deployment, replica, target }: EdgeBackend,
  place: ClusterContext,
): Manifest[] {
  if (replica === undefined) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: routeMetaOf(service, place, target.service, deployment.namespace),
      spec: {
        type: 'ClusterIP',
        selector: target.selector,
        ports: [{ name: HTTP_PORT_NAME, port: target.port, targetPort: HTTP_PORT_NAME }],
      },
    },
  ];
}

/** Never a weighted mix: what fronts measure, weigh and take out is one deployment. */
function renderEdgeRoute(backend: EdgeBackend, place: ClusterContext): Manifest {
  const { service, hostname, path, readyPath } = backend;
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMetaOf(service, place, nameOf(backend)), ...ROUTE_ANNOTATIONS },
    spec: {
      parentRefs: [parentRefOf(EDGE_NAME)],
      hostnames: [hostname],
      rules: [
        { matches: [{ path: { type: 'Exact', value: readyPath } }], ...renderReadyRule(backend) },
        ...renderWebSocketRule(backend),
        {
          ...(backend.picker.kind === 'PrefixCache' && { name: PICKED_RULE_NAME }),
          matches: [{ path: { type: 'PathPrefix', value: path } }],
          ...forwardToEngines(backend),
        },
      ],
    },
  };
}

function forwardToEngines(backend: EdgeBackend): JsonObject {
  return {
    filters: [rewritePath({ type: 'ReplacePrefixMatch', replacePrefixMatch: '/' })],
    backendRefs: [backendRef(backend)],
  };
}

/** Where an endpoint picker sees requests it would wait for the body of a WebSocket, which has none. */
function renderWebSocketRule(backend: EdgeBackend): JsonObject[] {
  const { path, picker, webSocket } = backend;
  if (picker.kind !== 'PrefixCache' || !webSocket) return [];
  const match = { path: { type: 'PathPrefix', value: path }, method: 'GET', headers: [WEBSOCKET_UPGRADE] };
  return [{ matches: [match], ...forwardToEngines(backend) }];
}

/** Asked at the path of fronts, an engine answers for all: one of those that serve is chosen. */
function renderReadyRule(backend: EdgeBackend): JsonObject {
  const { enginePath } = backend;
  if (enginePath === undefined) return { filters: [filterRefOf(readyFilterNameOf(backend))] };
  return {
    filters: [rewritePath({ type: 'ReplaceFullPath', replaceFullPath: enginePath })],
    backendRefs: [backendRef(backend)],
  };
}

function rewritePath(path: JsonObject): JsonObject {
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

function readyFilterNameOf(backend: EdgeBackend): string {
  return memberFilterNameOf(backend.service, identityOf(backend), 'ready');
}

/** The answer for engines that nobody can ask. */
function renderAlwaysReady(backend: EdgeBackend, place: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(backend.service, place, readyFilterNameOf(backend)),
    spec: { directResponse: { statusCode: 200 } },
  };
}

function renderEdgeTrafficPolicy(backend: EdgeBackend, place: ClusterContext): Manifest {
  const { service, enginePath, health, picker, timeouts } = backend;
  const name = nameOf(backend);
  const asked = health && enginePath !== undefined ? { check: health, path: enginePath } : undefined;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMetaOf(service, place, name),
    spec: {
      targetRefs: [routeRefOf(name)],
      loadBalancer: podBalancerOf(picker),
      healthCheck: renderHealthChecks(
        asked && health?.port !== undefined ? { ...asked, port: health.port } : asked,
      ),
      retry: EDGE_RETRY,
      circuitBreaker: EDGE_BREAKER,
      responseOverride: EDGE_RESPONSE_OVERRIDES,
      timeout: renderTimeouts(timeouts),
    },
  };
}
