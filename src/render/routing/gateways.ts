import { PICKER_HEADERS } from '../../catalog/engines/endpoint-picker';
import { EDGE, EGRESS } from '../../routing/addresses';
import type { Edge, Egress, Front } from '../../routing/places';
import type { Manifest } from '../manifest';
import { certificate } from './certificates';
import { CALLER_HEADERS, clientPolicy, OWN_HEADERS } from './client-policy';
import { envoyProxy } from './envoy-proxy';
import { containerPort, gateway } from './gateway';
import type { Place } from './meta';
import { proxyNetwork } from './proxy-network';

/** The Gateway at which clients arrive, and what belongs to it. */
export function frontGateway(front: Front, place: Place): Manifest[] {
  const { name, hostname, reach, source, tls, client, idleCheckInterval } = front;
  const listener = {
    name,
    ...(hostname !== undefined && { hostname }),
    ...(tls && { certificate: tls.secret }),
  };
  const clientCertificate = client.secret;
  return [
    ...(tls ? certificate(tls, 'server auth', place) : []),
    ...certificate(client, 'client auth', place),
    envoyProxy({ name, reach, source, idleCheckInterval, clientCertificate }, place),
    gateway(listener, place),
    clientPolicy({ name, tls: tls !== undefined, drop: OWN_HEADERS }, place),
    proxyNetwork({ name, port: containerPort(listener) }, place),
  ];
}

/** The Gateway before the replicas of a cluster, and what belongs to it. */
export function edgeGateway(edge: Edge, place: Place): Manifest[] {
  const { reach, source, tls, ca, clientNames, idleCheckInterval } = edge;
  const listener = { name: EDGE, certificate: tls.secret };
  const clients = { ca, names: clientNames };
  return [
    ...certificate(tls, 'server auth', place),
    envoyProxy({ name: EDGE, reach, source, idleCheckInterval }, place),
    gateway(listener, place),
    clientPolicy({ name: EDGE, tls: true, clients, drop: dropped(edge) }, place),
    proxyNetwork({ name: EDGE, port: containerPort(listener) }, place),
  ];
}

/** Where requests are picked, nobody but the picker may write where they go. */
function dropped({ backends }: Edge): readonly string[] {
  return backends.some(({ picker }) => picker.kind === 'PrefixCache') ? PICKER_HEADERS : [];
}

/**
 * The Gateway before the providers, and what belongs to it. It adds credentials, so nobody but the proxies of fronts
 * on its cluster reaches it.
 *
 * @param fronts the names of their Gateways
 */
export function egressGateway(egress: Egress, fronts: readonly string[], place: Place): Manifest[] {
  const { source, tls, ca, clientNames } = egress;
  const listener = { name: EGRESS, certificate: tls.secret };
  const clients = { ca, names: clientNames };
  return [
    ...certificate(tls, 'server auth', place),
    envoyProxy({ name: EGRESS, reach: 'Cluster', source }, place),
    gateway(listener, place),
    clientPolicy({ name: EGRESS, tls: true, clients, drop: CALLER_HEADERS }, place),
    proxyNetwork({ name: EGRESS, port: containerPort(listener), from: fronts }, place),
  ];
}
