import type { JsonObject, Manifest } from '../manifest';
import { API } from './kinds';
import { gatewayMeta, type Place } from './meta';
import { proxyLabels } from './envoy-proxy';

/** Where the proxies of Envoy Gateway have their metrics (internal/xds/bootstrap of v1.9). */
const METRICS_PORT = 19_001;

/** Who may reach the proxies of a Gateway, and on which port. */
export interface ProxyClients {
  /** The name of the Gateway. */
  readonly name: string;

  /** The port on which its proxies listen. */
  readonly port: number;

  /** The names of the Gateways whose proxies may. Absent: everybody may. */
  readonly from?: readonly string[];
}

/** Lets clients reach the proxies of a Gateway where they listen, Prometheus their metrics, and nobody anything else. */
export function proxyNetwork({ name, port, from }: ProxyClients, place: Place): Manifest {
  const peers = from?.map((gateway) => ({ podSelector: { matchLabels: proxyLabels(gateway) } }));
  return {
    apiVersion: API.network,
    kind: 'NetworkPolicy',
    metadata: gatewayMeta(name, place),
    spec: {
      podSelector: { matchLabels: proxyLabels(name) },
      policyTypes: ['Ingress'],
      ingress: [{ ...(peers && { from: peers }), ports: [tcp(port)] }, { ports: [tcp(METRICS_PORT)] }],
    },
  };
}

function tcp(port: number): JsonObject {
  return { protocol: 'TCP', port };
}
