import { PICKER_HEADERS } from '../../catalog/llm-d/endpoint-picker';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { GATEWAY_CLASS } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME, EGRESS_NAME, HTTPS_PORT } from '../../routing/addresses';
import type { Edge, Egress, Front } from '../../routing/gateway-types';
import { CLIENT_HEADER, MODEL_HEADER } from '../../routing/routing';
import type { Certificate } from '../../routing/traffic-types';
import { listEgressPeers } from './egress-peers';
import { renderEnvoyProxy, renderProxyNetworkPolicy } from './envoy-proxy';
import {
  API_VERSIONS,
  type ClusterContext,
  gatewayLabelsOf,
  gatewayMetaOf,
  gatewayRefOf,
  groupOf,
  createRoutingObject,
} from './routing-object';

/** Renders the Gateway for clients, with its objects. */
export function renderFrontGateway(front: Front, context: ClusterContext): Manifest[] {
  const { name, hostname, reach, source, tls, client, idleCheckInterval } = front;
  const listener = { name, ...(hostname !== undefined && { hostname }), ...(tls && { certificate: tls.secret }) };
  const clientCertificate = client.secret;
  return [
    ...(tls ? renderCertificate(tls, 'server auth', context) : []),
    ...renderCertificate(client, 'client auth', context),
    renderEnvoyProxy({ name, reach, source, idleCheckInterval, clientCertificate }, context),
    renderGateway(listener, context),
    renderClientTrafficPolicy({ name, tls: tls !== undefined, drop: INTERNAL_HEADERS }, context),
    renderProxyNetworkPolicy({ name, port: containerPortOf(listener) }, context),
  ];
}

/** Renders the Gateway in front of the replicas of a cluster, with its objects. */
export function renderEdgeGateway(edge: Edge, context: ClusterContext): Manifest[] {
  const { reach, source, tls, idleCheckInterval } = edge;
  const listener = { name: EDGE_NAME, certificate: tls.secret };
  return [
    ...renderCertificate(tls, 'server auth', context),
    renderEnvoyProxy({ name: EDGE_NAME, reach, source, idleCheckInterval }, context),
    renderGateway(listener, context),
    renderClientTrafficPolicy({ name: EDGE_NAME, tls: true, clients: edge, drop: droppedHeadersOf(edge) }, context),
    renderProxyNetworkPolicy({ name: EDGE_NAME, port: containerPortOf(listener) }, context),
  ];
}

/** Only an endpoint picker may set the headers that select a pod. */
function droppedHeadersOf({ backends }: Edge): readonly string[] {
  return backends.some(({ picker }) => picker.kind === 'PrefixCache') ? PICKER_HEADERS : [];
}

/**
 * Renders the Gateway in front of external providers, with its objects. It adds credentials, so only the proxies of
 * fronts on its cluster can reach it.
 *
 * @param fronts the names of the Gateways of the fronts
 */
export function renderEgressGateway(egress: Egress, fronts: readonly string[], context: ClusterContext): Manifest[] {
  const { source, tls } = egress;
  const listener = { name: EGRESS_NAME, certificate: tls.secret };
  return [
    ...renderCertificate(tls, 'server auth', context),
    renderEnvoyProxy({ name: EGRESS_NAME, reach: 'Cluster', source }, context),
    renderGateway(listener, context),
    renderClientTrafficPolicy({ name: EGRESS_NAME, tls: true, clients: egress, drop: CREDENTIAL_HEADERS }, context),
    renderProxyNetworkPolicy(
      { name: EGRESS_NAME, port: containerPortOf(listener), from: fronts, to: listEgressPeers(egress) },
      context,
    ),
  ];
}

interface Listener {
  readonly name: string;

  /** Absent: every host name. */
  readonly hostname?: string;

  /** The Secret with the certificate, in the namespace of the Gateway. Absent: plain HTTP. */
  readonly certificate?: string;
}

const HTTP_PORT = 80;

/** The name of the listener of a Gateway with a certificate. */
export const HTTPS_LISTENER_NAME = 'https';

/** Proxies cannot bind ports below 1024. Envoy Gateway adds this offset to such ports behind the Service. */
const PORT_OFFSET = 10_000;

function containerPortOf({ certificate }: Pick<Listener, 'certificate'>): number {
  return PORT_OFFSET + (certificate === undefined ? HTTP_PORT : HTTPS_PORT);
}

/** All listeners of a Gateway share one Service, so a private listener next to a public listener would be public. */
function renderGateway(listener: Listener, context: ClusterContext): Manifest {
  const { name, hostname } = listener;
  return createRoutingObject('Gateway', gatewayMetaOf(name, context), {
    gatewayClassName: GATEWAY_CLASS,
    infrastructure: { parametersRef: { group: groupOf(API_VERSIONS.envoy), kind: 'EnvoyProxy', name } },
    listeners: [
      {
        ...protocolOf(listener),
        ...(hostname !== undefined && { hostname }),
        // Services are in other namespaces.
        allowedRoutes: { namespaces: { from: 'All' } },
      },
    ],
  });
}

function protocolOf({ certificate }: Listener): JsonObject {
  if (certificate === undefined) return { name: 'http', protocol: 'HTTP', port: HTTP_PORT };
  const certificateRefs = [{ group: '', kind: 'Secret', name: certificate }];
  const tls = { mode: 'Terminate', certificateRefs };
  return { name: HTTPS_LISTENER_NAME, protocol: 'HTTPS', port: HTTPS_PORT, tls };
}

/** Renders the class of all Fleetwright Gateways, which Envoy Gateway implements. */
export function renderGatewayClass(context: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'GatewayClass',
    metadata: { name: GATEWAY_CLASS, labels: gatewayLabelsOf(GATEWAY_CLASS, context) },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  };
}

/** Renders a Certificate with the name of its Secret. Returns none if the user provides the Secret. */
function renderCertificate(
  { secret, dnsNames, issuer }: Certificate,
  use: 'server auth' | 'client auth',
  context: ClusterContext,
): Manifest[] {
  if (!issuer) return [];
  const certificate = createRoutingObject('Certificate', gatewayMetaOf(secret, context), {
    secretName: secret,
    dnsNames,
    usages: ['digital signature', 'key encipherment', use],
    // A leaked key is valid only until the next renewal.
    privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
    issuerRef: { group: 'cert-manager.io', kind: issuer.kind, name: issuer.name },
  });
  return [certificate];
}

interface ClientSettings {
  readonly name: string;
  readonly tls: boolean;

  /** The authority and the names of the client certificates that the Gateway requires. Absent: none. */
  readonly clients?: Pick<Edge, 'ca' | 'clientNames'>;

  /** Request headers that backends must not see, or that only gateways may set. */
  readonly drop: readonly string[];
}

/** Headers that only gateways set. Fronts drop them: a client could otherwise choose its rate limit or replicas. */
const INTERNAL_HEADERS = [CLIENT_HEADER, MODEL_HEADER];

/**
 * Headers with credentials of clients. They are dropped before any filter, so that headers that a filter adds later
 * remain: a route that dropped them would also drop the credential of the provider.
 */
const CREDENTIAL_HEADERS = ['api-key', 'authorization', 'cookie', 'x-api-key', 'x-goog-api-key'];

function renderClientTrafficPolicy(client: ClientSettings, context: ClusterContext): Manifest {
  const { name, tls, drop } = client;
  return createRoutingObject('ClientTrafficPolicy', gatewayMetaOf(name, context), {
    targetRefs: [gatewayRefOf(name)],
    ...(tls && { tls: { minVersion: '1.2', ...renderClientValidation(client) } }),
    ...(drop.length > 0 && { headers: { earlyRequestHeaders: { remove: drop } } }),
    // Headers must arrive quickly. Bodies and responses can take longer.
    timeout: { http: { requestHeadersReceivedTimeout: '10s' } },
  });
}

function renderClientValidation({ clients }: ClientSettings): JsonObject {
  if (!clients) return {};
  const { ca, clientNames } = clients;
  return {
    clientValidation: {
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: ca }],
      // The authority may also sign certificates for other purposes, such as edges and other workloads of the user.
      subjectAltNames: { dnsNames: clientNames.map((value) => ({ type: 'Exact', value })) },
    },
  };
}
