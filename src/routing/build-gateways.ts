import type { ClusterGateway } from '../api/cluster-network';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { sortedBy, sortUnique } from '../base/order';
import { frontNameOf } from '../manifest/kubernetes/object-names';
import { parseResources } from '../scheduler/compile/resource-requests';
import { ANY_EDGE_HOST, clientNameOf, clusterHostOf, EDGE_NAME, EGRESS_NAME } from './addresses';
import type { Edge, EdgeBackend, Egress, EgressBackend, Front, GatewayLocation, Reach } from './gateway-types';
import { gatewayAddressOf } from './listeners';
import type { PlacedGateway } from './placed-gateways';
import type { Certificate } from './traffic-types';

const DEFAULT_CHECK_SECONDS = 10;

/** Builds the front of a gateway on a cluster. The cluster must meet all requirements of a front. */
export function buildFront({ gateway, cluster }: PlacedGateway, idleCheckInterval: number): Front {
  const { dns, hostname, maxRequestBody } = gateway.spec;
  const tls = frontCertificateOf(gateway);
  const client = clientCertificateOf(cluster);
  if (!client) throw new Error(`bug: the ingress gateway on ${cluster.metadata.name} has no certificate`);
  return {
    ...locationOf(cluster),
    gateway: gateway.metadata.name,
    name: frontNameOf(gateway.metadata.name),
    ...(hostname !== undefined && { hostname }),
    ...(dns && { dns }),
    address: gatewayAddressOf(gateway),
    reach: reachOf(gateway.spec),
    ...(tls && { tls }),
    client,
    ca: requireTls(cluster).caRef.name,
    maxRequestBody: parseResources({ memory: maxRequestBody }).memory ?? 0,
    idleCheckInterval,
  };
}

function frontCertificateOf({ metadata, spec }: InferenceGateway): Certificate | undefined {
  if (!spec.tls || spec.hostname === undefined) return undefined;
  return certificateOf(spec.tls, `${frontNameOf(metadata.name)}-tls`, [spec.hostname]);
}

/** Returns the client certificate of the fronts on a cluster. Returns undefined without a Secret or an issuer. */
export function clientCertificateOf({ spec, metadata }: InferenceCluster): Certificate | undefined {
  const { tls } = spec.gateway;
  const origin = { certificateRef: tls?.clientCertificateRef, issuer: tls?.issuer };
  if (!origin.certificateRef && !origin.issuer) return undefined;
  return certificateOf(origin, 'fleetwright-front-client', [clientNameOf(metadata.name)]);
}

/** The origin of a certificate: an existing Secret, or an issuer that fills a Secret. */
interface CertificateOrigin {
  readonly certificateRef?: { readonly name: string } | undefined;
  readonly issuer?: Certificate['issuer'] | undefined;
}

function certificateOf(
  { certificateRef, issuer }: CertificateOrigin,
  secret: string,
  dnsNames: readonly string[],
): Certificate {
  if (certificateRef) return { secret: certificateRef.name, dnsNames };
  return { secret, dnsNames, ...(issuer && { issuer }) };
}

function reachOf({ public: isPublic, hostname }: InferenceGateway['spec']): Reach {
  if (isPublic !== false) return 'Public';
  return hostname === undefined ? 'Cluster' : 'Private';
}

/** The fronts that may connect to edges and egresses, and their largest request body. */
interface Callers {
  readonly clientNames: readonly string[];
  readonly maxRequestBody: number;
}

/**
 * Builds the edge of a cluster. The cluster must meet all requirements of an edge.
 *
 * @param isGrouped whether fronts address this edge and others by a common name
 */
export function buildEdge(
  cluster: InferenceCluster,
  backends: readonly EdgeBackend[],
  callers: Callers,
  isGrouped: boolean,
): Edge {
  const { hostname, reach, dns } = cluster.spec.gateway;
  const tls = requireTls(cluster);
  const serverName = hostname ?? clusterHostOf(EDGE_NAME);
  const intervals = backends.flatMap(({ health }) => (health ? [health.interval] : []));
  return {
    ...locationOf(cluster),
    ...(hostname !== undefined && { hostname }),
    serverName,
    reach: hostname === undefined ? 'Cluster' : reach,
    ...(dns && { dns }),
    tls: certificateOf(tls, `${EDGE_NAME}-tls`, [serverName, ...(isGrouped ? [ANY_EDGE_HOST] : [])]),
    ca: tls.caRef.name,
    clientNames: callers.clientNames,
    idleCheckInterval: intervals.length > 0 ? Math.min(...intervals) : DEFAULT_CHECK_SECONDS,
    backends: sortByHost(backends),
  };
}

/** Builds the egress of a cluster. The cluster must meet all requirements of an egress. */
export function buildEgress(cluster: InferenceCluster, backends: readonly EgressBackend[], callers: Callers): Egress {
  const tls = requireTls(cluster);
  const serverName = clusterHostOf(EGRESS_NAME);
  return {
    ...locationOf(cluster),
    serverName,
    // A Secret instead of an issuer is that of the edge: its certificate must include the name of the egress.
    tls: certificateOf(tls, `${EGRESS_NAME}-tls`, [serverName]),
    ca: tls.caRef.name,
    ...callers,
    backends: sortByHost(backends),
  };
}

/** Returns the callers of edges and egresses for some fronts: all fronts, or the fronts of one cluster. */
export function collectCallers(fronts: readonly Front[]): Callers {
  return {
    clientNames: sortUnique(fronts.map(({ cluster }) => clientNameOf(cluster))),
    maxRequestBody: Math.max(...fronts.map(({ maxRequestBody }) => maxRequestBody)),
  };
}

function sortByHost<B extends { readonly hostname: string }>(backends: readonly B[]): B[] {
  const distinct = new Map(backends.map((backend) => [backend.hostname, backend]));
  return sortedBy(distinct.values(), ({ hostname }) => hostname);
}

function locationOf({ metadata, spec }: InferenceCluster): GatewayLocation {
  return { cluster: metadata.name, source: spec.cluster.source };
}

function requireTls({ spec, metadata }: InferenceCluster): NonNullable<ClusterGateway['tls']> {
  const { tls } = spec.gateway;
  if (!tls) throw new Error(`bug: cluster ${metadata.name} has routes and no certificates`);
  return tls;
}
