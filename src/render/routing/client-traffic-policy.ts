import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { CLIENT_HEADER, MODEL_HEADER } from '../../routing/routing';
import { API_VERSIONS, gatewayRefOf } from './gateway-api-kinds';
import { type ClusterContext, gatewayMetaOf } from './metadata';

/** The settings of a Gateway for its clients. */
interface ClientSettings {
  /** The name of the Gateway. */
  readonly name: string;

  /** Whether the Gateway has a certificate. */
  readonly tls: boolean;

  /** The client certificates that the Gateway requires. Absent: none. */
  readonly clients?: {
    /** The ConfigMap (`ca.crt`) of the authority that signs client certificates, in the namespace of the Gateway. */
    readonly ca: string;

    /** The accepted DNS names in client certificates. */
    readonly names: readonly string[];
  };

  /** Request headers that backends must not see, or that only gateways may set. */
  readonly drop: readonly string[];
}

/** Headers that only gateways set. Fronts drop them: a client could otherwise choose its rate limit or replicas. */
export const INTERNAL_HEADERS = [CLIENT_HEADER, MODEL_HEADER];

/**
 * Headers with credentials of clients. They are dropped before any filter, so that headers that a filter adds later
 * remain: a route that dropped them would also drop the credential of the provider.
 */
export const CREDENTIAL_HEADERS = ['api-key', 'authorization', 'cookie', 'x-api-key', 'x-goog-api-key'];

/** Renders the policy of a Gateway for its clients. */
export function renderClientTrafficPolicy(client: ClientSettings, context: ClusterContext): Manifest {
  const { name, tls, drop } = client;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'ClientTrafficPolicy',
    metadata: gatewayMetaOf(name, context),
    spec: {
      targetRefs: [gatewayRefOf(name)],
      ...(tls && { tls: { minVersion: '1.2', ...renderClientValidation(client) } }),
      ...(drop.length > 0 && { headers: { earlyRequestHeaders: { remove: drop } } }),
      // Headers must arrive quickly. Bodies and responses can take longer.
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
      // The authority may also sign certificates for other purposes, such as edges and other workloads of the user.
      subjectAltNames: { dnsNames: names.map((value) => ({ type: 'Exact', value })) },
    },
  };
}
