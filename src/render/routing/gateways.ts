import { PICKER_HEADERS } from '../../catalog/llm-d/endpoint-picker';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { GATEWAY_CLASS } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME, EGRESS_NAME, HTTPS_PORT } from '../../routing/addresses';
import type { Edge, Egress, Front } from '../../routing/gateways';
import type { Certificate } from '../../routing/traffic-policy';
import { CREDENTIAL_HEADERS, INTERNAL_HEADERS, renderClientTrafficPolicy } from './client-traffic-policy';
import { renderEnvoyProxy, renderProxyNetworkPolicy } from './envoy-proxy';
import { API_VERSIONS, groupOf } from './gateway-api-kinds';
import { type ClusterContext, gatewayLabelsOf, gatewayMetaOf } from './metadata';

/** The Gateway at which clients arrive, and what belongs to it. */
export function renderFrontGateway(front: Front, place: ClusterContext): Manifest[] {
  const { name, hostname, reach, source, tls, client, idleCheckInterval } = front;
  const listener = {
    name,
    ...(hostname !== undefined && { hostname }),
    ...(tls && { certificate: tls.secret }),
  };
  const clientCertificate = client.secret;
  return [
    ...(tls ? renderCertificate(tls, 'server auth', place) : []),
    ...renderCertificate(client, 'client auth', place),
    renderEnvoyProxy({ name, reach, source, idleCheckInterval, clientCertificate }, place),
    renderGateway(listener, place),
    renderClientTrafficPolicy({ name, tls: tls !== undefined, drop: INTERNAL_HEADERS }, place),
    renderProxyNetworkPolicy({ name, port: containerPortOf(listener) }, place),
  ];
}

/** The Gateway before the replicas of a cluster, and what belongs to it. */
export function renderEdgeGateway(edge: Edge, place: ClusterContext): Manifest[] {
  const { reach, source, tls, ca, clientNames, idleCheckInterval } = edge;
  const listener = { name: EDGE_NAME, certificate: tls.secret };
  const clients = { ca, names: clientNames };
  return [
    ...renderCertificate(tls, 'server auth', place),
    renderEnvoyProxy({ name: EDGE_NAME, reach, source, idleCheckInterval }, place),
    renderGateway(listener, place),
    renderClientTrafficPolicy({ name: EDGE_NAME, tls: true, clients, drop: droppedHeadersOf(edge) }, place),
    renderProxyNetworkPolicy({ name: EDGE_NAME, port: containerPortOf(listener) }, place),
  ];
}

/** Where requests are picked, nobody but the picker may write where they go. */
function droppedHeadersOf({ backends }: Edge): readonly string[] {
  return backends.some(({ picker }) => picker.kind === 'PrefixCache') ? PICKER_HEADERS : [];
}

/**
 * The Gateway before the providers, and what belongs to it. It adds credentials, so nobody but the proxies of fronts
 * on its cluster reaches it.
 *
 * @param fronts the names of their Gateways
 */
export function renderEgressGateway(
  egress: Egress,
  fronts: readonly string[],
  place: ClusterContext,
): Manifest[] {
  const { source, tls, ca, clientNames } = egress;
  const listener = { name: EGRESS_NAME, certificate: tls.secret };
  const clients = { ca, names: clientNames };
  return [
    ...renderCertificate(tls, 'server auth', place),
    renderEnvoyProxy({ name: EGRESS_NAME, reach: 'Cluster', source }, place),
    renderGateway(listener, place),
    renderClientTrafficPolicy({ name: EGRESS_NAME, tls: true, clients, drop: CREDENTIAL_HEADERS }, place),
    renderProxyNetworkPolicy({ name: EGRESS_NAME, port: containerPortOf(listener), from: fronts }, place),
  ];
}

/** How a Gateway listens. */
export interface Listener {
  /** The name of the Gateway. */
  readonly name: string;

  /** Absent: every host name. */
  readonly hostname?: string;

  /** The Secret with its certificate, in the namespace of the Gateway. Absent: plain HTTP. */
  readonly certificate?: string;
}

const HTTP_PORT = 80;

/** The name of the listener of a Gateway with a certificate. */
export const HTTPS_LISTENER_NAME = 'https';

/** Proxies run without the right to listen below 1024: Envoy Gateway adds this to such ports, behind the Service. */
const PORT_OFFSET = 10_000;

/** The port on which the proxies of a listener listen. */
export function containerPortOf({ certificate }: Pick<Listener, 'certificate'>): number {
  return PORT_OFFSET + (certificate === undefined ? HTTP_PORT : HTTPS_PORT);
}

/**
 * A Gateway with its one listener. Envoy Gateway puts all listeners of a Gateway on one Service, so what is meant for
 * fronts alone would be public beside one that is.
 */
export function renderGateway(listener: Listener, place: ClusterContext): Manifest {
  const { name, hostname } = listener;
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'Gateway',
    metadata: gatewayMetaOf(name, place),
    spec: {
      gatewayClassName: GATEWAY_CLASS,
      infrastructure: { parametersRef: { group: groupOf(API_VERSIONS.envoy), kind: 'EnvoyProxy', name } },
      listeners: [
        {
          ...protocolOf(listener),
          ...(hostname !== undefined && { hostname }),
          // Services are in namespaces of their own.
          allowedRoutes: { namespaces: { from: 'All' } },
        },
      ],
    },
  };
}

function protocolOf({ certificate }: Listener): JsonObject {
  if (certificate === undefined) return { name: 'http', protocol: 'HTTP', port: HTTP_PORT };
  const certificateRefs = [{ group: '', kind: 'Secret', name: certificate }];
  return {
    name: HTTPS_LISTENER_NAME,
    protocol: 'HTTPS',
    port: HTTPS_PORT,
    tls: { mode: 'Terminate', certificateRefs },
  };
}

/** The class of all our Gateways, which Envoy Gateway serves. */
export function renderGatewayClass(place: ClusterContext): Manifest {
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'GatewayClass',
    metadata: { name: GATEWAY_CLASS, labels: gatewayLabelsOf(GATEWAY_CLASS, place) },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  };
}

/** What a certificate is for: to be shown by who is called, or by who calls. */
export type CertificateUse = 'server auth' | 'client auth';

/**
 * The Certificate that has an issuer make the Secret of a Gateway, or of all fronts of a cluster. Nothing where the user
 * brings the Secret. Its name is that of the Secret.
 */
export function renderCertificate(
  { secret, dnsNames, issuer }: Certificate,
  use: CertificateUse,
  place: ClusterContext,
): Manifest[] {
  if (!issuer) return [];
  return [
    {
      apiVersion: API_VERSIONS.certificate,
      kind: 'Certificate',
      metadata: gatewayMetaOf(secret, place),
      spec: {
        secretName: secret,
        dnsNames,
        usages: ['digital signature', 'key encipherment', use],
        // A key that leaked is good until the next renewal only.
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        issuerRef: { group: 'cert-manager.io', kind: issuer.kind, name: issuer.name },
      },
    },
  ];
}
