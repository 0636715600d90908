import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME, memberFilterNameOf, memberRouteNameOf } from '../../manifest/kubernetes/object-names';
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
import { PICKED_RULE_NAME, renderPickerExtension, renderPickerFailOpenPatch } from './endpoint-picker-policies';
import { parentRefOf, WEBSOCKET_UPGRADE } from './front-route';
import { API_VERSIONS, filterRefOf, routeRefOf } from './gateway-api-kinds';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** Renders the objects at an edge for the replicas of one deployment, as a member of one tier of a service. */
export function renderEdgeObjects(backend: EdgeBackend, context: ClusterContext): Manifest[] {
  return [
    ...renderReplicaService(backend, context),
    renderEdgeRoute(backend, context),
    ...(backend.enginePath === undefined ? [renderAlwaysReady(backend, context)] : []),
    renderEdgeTrafficPolicy(backend, context),
    ...renderPicking(backend, context),
  ];
}

/** Renders the endpoint picker of the deployment, and the policies that send requests to the picker first. */
function renderPicking(backend: EdgeBackend, context: ClusterContext): Manifest[] {
  if (backend.picker.kind !== 'PrefixCache') return [];
  const picker = { backend, settings: backend.picker, context };
  const name = nameOf(backend);
  return [
    ...renderEndpointPicker(picker),
    renderPickerExtension(picker, name),
    renderPickerFailOpenPatch(picker, name),
  ];
}

function nameOf(backend: EdgeBackend): string {
  return memberRouteNameOf(backend.service, identityOf(backend));
}

function identityOf({ tier, deployment, hostname }: EdgeBackend) {
  return { tier, target: deployment.name, hostname };
}

/** Renders the Service of a single replica. The Service of a whole deployment is rendered with its replicas. */
function renderReplicaService(
  { service, deployment, replica, target }: EdgeBackend,
  context: ClusterContext,
): Manifest[] {
  if (replica === undefined) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: routeMetaOf(service, context, target.service, deployment.namespace),
      spec: {
        type: 'ClusterIP',
        selector: target.selector,
        ports: [{ name: HTTP_PORT_NAME, port: target.port, targetPort: HTTP_PORT_NAME }],
      },
    },
  ];
}

/** Renders the route to a deployment. It never mixes deployments: fronts check, weigh and eject each separately. */
function renderEdgeRoute(backend: EdgeBackend, context: ClusterContext): Manifest {
  const { service, hostname, path, readyPath } = backend;
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMetaOf(service, context, nameOf(backend)), ...ROUTE_ANNOTATIONS },
    spec: {
      parentRefs: [parentRefOf(EDGE_NAME)],
      hostnames: [hostname],
      rules: [
        { matches: [{ path: { type: 'Exact', value: readyPath } }], ...renderReadyRule(backend) },
        ...renderWebSocketRule(backend),
        {
          ...(backend.picker.kind === 'PrefixCache' && { name: PICKED_RULE_NAME }),
          matches: [{ path: { type: 'PathPrefix', value: path } }],
          ...renderForwarding(backend),
        },
      ],
    },
  };
}

function renderForwarding(backend: EdgeBackend): JsonObject {
  return {
    filters: [renderPathRewrite({ type: 'ReplacePrefixMatch', replacePrefixMatch: '/' })],
    backendRefs: [serviceRefOf(backend)],
  };
}

/** Excludes WebSockets from the endpoint picker, which would wait for a body that a WebSocket does not have. */
function renderWebSocketRule(backend: EdgeBackend): JsonObject[] {
  const { path, picker, webSocket } = backend;
  if (picker.kind !== 'PrefixCache' || !webSocket) return [];
  const match = { path: { type: 'PathPrefix', value: path }, method: 'GET', headers: [WEBSOCKET_UPGRADE] };
  return [{ matches: [match], ...renderForwarding(backend) }];
}

/** Renders the rule for health checks of fronts. One of the ready engines answers for all. */
function renderReadyRule(backend: EdgeBackend): JsonObject {
  const { enginePath } = backend;
  if (enginePath === undefined) return { filters: [filterRefOf(readyFilterNameOf(backend))] };
  return {
    filters: [renderPathRewrite({ type: 'ReplaceFullPath', replaceFullPath: enginePath })],
    backendRefs: [serviceRefOf(backend)],
  };
}

function renderPathRewrite(path: JsonObject): JsonObject {
  return { type: 'URLRewrite', urlRewrite: { path } };
}

function serviceRefOf({ service, deployment, target }: EdgeBackend): JsonObject {
  const crossesNamespace = deployment.namespace !== service.namespace;
  return {
    group: '',
    kind: 'Service',
    name: target.service,
    ...(crossesNamespace && { namespace: deployment.namespace }),
    port: target.port,
  };
}

function readyFilterNameOf(backend: EdgeBackend): string {
  return memberFilterNameOf(backend.service, identityOf(backend), 'ready');
}

/** Renders the response for engines without a health check. */
function renderAlwaysReady(backend: EdgeBackend, context: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(backend.service, context, readyFilterNameOf(backend)),
    spec: { directResponse: { statusCode: 200 } },
  };
}

function renderEdgeTrafficPolicy(backend: EdgeBackend, context: ClusterContext): Manifest {
  const { service, enginePath, health, picker, timeouts } = backend;
  const name = nameOf(backend);
  const activeCheck = health && enginePath !== undefined ? { check: health, path: enginePath } : undefined;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMetaOf(service, context, name),
    spec: {
      targetRefs: [routeRefOf(name)],
      loadBalancer: podBalancerOf(picker),
      healthCheck: renderHealthChecks(
        activeCheck && health?.port !== undefined ? { ...activeCheck, port: health.port } : activeCheck,
      ),
      retry: EDGE_RETRY,
      circuitBreaker: EDGE_BREAKER,
      responseOverride: EDGE_RESPONSE_OVERRIDES,
      timeout: renderTimeouts(timeouts),
    },
  };
}
