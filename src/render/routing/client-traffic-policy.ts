import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { CLIENT_HEADER, MODEL_HEADER } from '../../routing/routing';
import { API_VERSIONS, gatewayRefOf } from './gateway-api-kinds';
import { type ClusterContext, gatewayMetaOf } from './metadata';

/** How a Gateway treats what connects to it. */
export interface ClientSettings {
  /** The name of the Gateway. */
  readonly name: string;

  /** Whether it has a certificate. */
  readonly tls: boolean;

  /** Whose certificates it asks for. Absent: it asks for none. */
  readonly clients?: {
    /** The ConfigMap (`ca.crt`) of who signed them, in the namespace of the Gateway. */
    readonly ca: string;

    /** The names that they have. */
    readonly names: readonly string[];
  };

  /** Headers of requests that nobody behind it may see, or that only gateways may write. */
  readonly drop: readonly string[];
}

/** What only gateways write. Fronts drop it: a client could choose its limit or replicas with it. */
export const INTERNAL_HEADERS = [CLIENT_HEADER, MODEL_HEADER];

/**
 * Where clients write what proves who they are. Dropped before any filter, so what a filter adds later stays: a route
 * that dropped them would drop the credential of the provider with them.
 */
export const CREDENTIAL_HEADERS = ['api-key', 'authorization', 'cookie', 'x-api-key', 'x-goog-api-key'];

/** The policy of a Gateway for its clients. */
export function renderClientTrafficPolicy(client: ClientSettings, place: ClusterContext): Manifest {
  const { name, tls, drop } = client;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'ClientTrafficPolicy',
    metadata: gatewayMetaOf(name, place),
    spec: {
      targetRefs: [gatewayRefOf(name)],
      ...(tls && { tls: { minVersion: '1.2', ...renderClientValidation(client) } }),
      ...(drop.length > 0 && { headers: { earlyRequestHeaders: { remove: drop } } }),
      // Headers come at once or not at all; bodies and answers may take their time.
      timeout: { http: { requestHeadersReceivedTimeout: '10s' } },
    },
  };
}

function renderClientValidation({ clients }: ClientSettings): JsonObject {
  if (!clients) return {};
  const { ca, names } = clients;
  return {
    clientValidation: {
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: ca }],
      // The authority may have signed certificates of others: edges, and whatever else the user runs.
      subjectAltNames: { dnsNames: names.map((value) => ({ type: 'Exact', value })) },
    },
  };
}
