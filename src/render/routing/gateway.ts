import { HTTPS_PORT } from '../../routing/addresses';
import type { JsonObject, Manifest } from '../manifest';
import { GATEWAY_CLASS } from '../names';
import { API, groupOf } from './kinds';
import { gatewayLabels, gatewayMeta, type Place } from './meta';

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
export const HTTPS_LISTENER = 'https';

/** Proxies run without the right to listen below 1024: Envoy Gateway adds this to such ports, behind the Service. */
const ABOVE = 10_000;

/** The port on which the proxies of a listener listen. */
export function containerPort({ certificate }: Pick<Listener, 'certificate'>): number {
  return ABOVE + (certificate === undefined ? HTTP_PORT : HTTPS_PORT);
}

/**
 * A Gateway with its one listener. Envoy Gateway puts all listeners of a Gateway on one Service, so what is meant for
 * fronts alone would be public beside one that is.
 */
export function gateway(listener: Listener, place: Place): Manifest {
  const { name, hostname } = listener;
  return {
    apiVersion: API.gateway,
    kind: 'Gateway',
    metadata: gatewayMeta(name, place),
    spec: {
      gatewayClassName: GATEWAY_CLASS,
      infrastructure: { parametersRef: { group: groupOf(API.envoy), kind: 'EnvoyProxy', name } },
      listeners: [
        {
          ...protocol(listener),
          ...(hostname !== undefined && { hostname }),
          // Services are in namespaces of their own.
          allowedRoutes: { namespaces: { from: 'All' } },
        },
      ],
    },
  };
}

function protocol({ certificate }: Listener): JsonObject {
  if (certificate === undefined) return { name: 'http', protocol: 'HTTP', port: HTTP_PORT };
  const certificateRefs = [{ group: '', kind: 'Secret', name: certificate }];
  return {
    name: HTTPS_LISTENER,
    protocol: 'HTTPS',
    port: HTTPS_PORT,
    tls: { mode: 'Terminate', certificateRefs },
  };
}

/** The class of all our Gateways, which Envoy Gateway serves. */
export function gatewayClass(place: Place): Manifest {
  return {
    apiVersion: API.gateway,
    kind: 'GatewayClass',
    metadata: { name: GATEWAY_CLASS, labels: gatewayLabels(GATEWAY_CLASS, place) },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  };
}
