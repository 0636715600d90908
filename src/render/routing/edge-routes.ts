import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME, memberFilterNameOf, memberRouteNameOf } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import type { EdgeBackend } from '../../routing/gateway-types';
import {
  EDGE_BREAKER,
  EDGE_RESPONSE_OVERRIDES,
  EDGE_RETRY,
  podBalancerOf,
  renderHealthChecks,
  renderTimeouts,
  UNBOUNDED_BREAKER,
} from './backend-traffic';
import { PICKED_RULE_NAME, renderEndpointPicker } from './endpoint-picker';
import { WEBSOCKET_UPGRADE } from './front-route';
import {
  backendRefOf,
  type ClusterContext,
  createRoute,
  createRoutingObject,
  filterRefOf,
  routeMetaOf,
  routeRefOf,
} from './routing-object';

/** Renders the objects at an edge for the replicas of one deployment, as a member of one tier of a service. */
export function renderEdgeObjects(backend: EdgeBackend, context: ClusterContext): Manifest[] {
  return [
    ...renderReplicaService(backend, context),
    renderEdgeRoute(backend, context),
    ...renderAlwaysReady(backend, context),
    renderEdgeTrafficPolicy(backend, context),
    ...renderHolderBackend(backend, context),
    ...renderEndpointPicker(backend, nameOf(backend), context),
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
  const metadata = routeMetaOf(service, context, target.service, deployment.namespace);
  const ports = [{ name: HTTP_PORT_NAME, port: target.port, targetPort: HTTP_PORT_NAME }];
  const spec = { type: 'ClusterIP', selector: target.selector, ports };
  return [{ apiVersion: 'v1', kind: 'Service', metadata, spec }];
}

/** Renders the route to a deployment. It never mixes deployments: fronts check, weigh and eject each separately. */
function renderEdgeRoute(backend: EdgeBackend, context: ClusterContext): Manifest {
  const { service, hostname, path, readyPath } = backend;
  return createRoute(EDGE_NAME, routeMetaOf(service, context, nameOf(backend)), {
    hostnames: [hostname],
    rules: [
      { matches: [{ path: { type: 'Exact', value: readyPath } }], ...renderReadyRule(backend) },
      ...renderWebSocketRule(backend),
      {
        ...(backend.picker.kind === 'PrefixCache' && { name: PICKED_RULE_NAME }),
        matches: [{ path: { type: 'PathPrefix', value: path } }],
        ...forwardTo(backend, { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' }),
      },
    ],
  });
}

/** Excludes WebSockets from the endpoint picker, which would wait for a body that a WebSocket does not have. */
function renderWebSocketRule(backend: EdgeBackend): JsonObject[] {
  const { path, picker, webSocket } = backend;
  if (picker.kind !== 'PrefixCache' || !webSocket) return [];
  const match = { path: { type: 'PathPrefix', value: path }, method: 'GET', headers: [WEBSOCKET_UPGRADE] };
  return [{ matches: [match], ...forwardTo(backend, { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' }) }];
}

/** Renders the rule for health checks of fronts. One of the ready engines answers for all. */
function renderReadyRule(backend: EdgeBackend): JsonObject {
  const { enginePath } = backend;
  if (enginePath === undefined) return { filters: [filterRefOf(readyFilterNameOf(backend))] };
  return forwardTo(backend, { type: 'ReplaceFullPath', replaceFullPath: enginePath });
}

function forwardTo(backend: EdgeBackend, path: JsonObject): JsonObject {
  const { service, deployment, target, holder } = backend;
  if (holder) {
    return { filters: [{ type: 'URLRewrite', urlRewrite: { path } }], backendRefs: [backendRefOf(nameOf(backend))] };
  }
  const namespace = deployment.namespace !== service.namespace && { namespace: deployment.namespace };
  return {
    filters: [{ type: 'URLRewrite', urlRewrite: { path } }],
    backendRefs: [{ group: '', kind: 'Service', name: target.service, ...namespace, port: target.port }],
  };
}

function readyFilterNameOf(backend: EdgeBackend): string {
  return memberFilterNameOf(backend.service, identityOf(backend), 'ready');
}

/** Renders the response for engines without a health check. */
function renderAlwaysReady(backend: EdgeBackend, context: ClusterContext): Manifest[] {
  if (backend.enginePath !== undefined) return [];
  const metadata = routeMetaOf(backend.service, context, readyFilterNameOf(backend));
  return [createRoutingObject('HTTPRouteFilter', metadata, { directResponse: { statusCode: 200 } })];
}

/** Renders the address of the proxy that holds requests until an engine serves. It selects the engine by the host. */
function renderHolderBackend(backend: EdgeBackend, context: ClusterContext): Manifest[] {
  const { service, holder } = backend;
  if (!holder) return [];
  const endpoints = [{ fqdn: { hostname: holder.host, port: holder.port } }];
  return [createRoutingObject('Backend', routeMetaOf(service, context, nameOf(backend)), { endpoints })];
}

function renderEdgeTrafficPolicy(backend: EdgeBackend, context: ClusterContext): Manifest {
  const { service, enginePath: path, health, picker, timeouts, holder } = backend;
  const name = nameOf(backend);
  return createRoutingObject('BackendTrafficPolicy', routeMetaOf(service, context, name), {
    targetRefs: [routeRefOf(name)],
    loadBalancer: podBalancerOf(picker),
    // Failures of an engine do not mean that the proxy which holds requests fails.
    ...(!holder && {
      healthCheck: renderHealthChecks(health && path !== undefined ? { check: health, path } : undefined),
    }),
    retry: EDGE_RETRY,
    circuitBreaker: holder ? UNBOUNDED_BREAKER : EDGE_BREAKER,
    responseOverride: EDGE_RESPONSE_OVERRIDES,
    timeout: renderTimeouts(timeouts),
  });
}
