import type { ClusterGateway } from '../api/cluster-network';
import type { InferenceCluster } from '../api/inference-cluster';
import { compareText, sortedBy } from '../base/order';
import { frontNameOf } from '../manifest/kubernetes/object-names';
import { parseResources } from '../scheduler/compile/resource-requests';
import { ANY_EDGE_HOST, clientNameOf, clusterHostOf, EDGE_NAME, EGRESS_NAME } from './addresses';
import { clientCertificateOf, edgeCertificateOf, egressCertificateOf, frontCertificateOf } from './certificates';
import type { Edge, EdgeBackend, Egress, EgressBackend, Front, GatewayLocation, Reach } from './gateways';
import { gatewayAddressOf } from './listeners';
import type { PlacedGateway } from './placed-gateways';
import type { Certificate } from './traffic-policy';

/** The default number of seconds between two health checks. */
const DEFAULT_CHECK_SECONDS = 10;

/** Builds the front of a gateway on a cluster. The cluster must meet all requirements of a front. */
export function buildFront({ gateway, cluster }: PlacedGateway, idleCheckInterval: number): Front {
  const { dns, hostname, maxRequestBody } = gateway.spec;
  const tls = frontCertificateOf(gateway);
  return {
    ...locationOf(cluster),
    gateway: gateway.metadata.name,
    name: frontNameOf(gateway.metadata.name),
    ...(hostname !== undefined && { hostname }),
    ...(dns && { dns }),
    address: gatewayAddressOf(gateway),
    reach: reachOf(gateway.spec),
    ...(tls && { tls }),
    client: requireClientCertificate(cluster),
    ca: requireTls(cluster).caRef.name,
    maxRequestBody: parseResources({ memory: maxRequestBody }).memory ?? 0,
    idleCheckInterval,
  };
}

function reachOf({ public: isPublic, hostname }: PlacedGateway['gateway']['spec']): Reach {
  if (isPublic !== false) return 'Public';
  return hostname === undefined ? 'Cluster' : 'Private';
}

/** The fronts that may connect to edges and egresses, and their largest request body. */
interface Callers {
  readonly clientNames: readonly string[];
  readonly maxRequestBody: number;
}

/** The backends of an edge. */
interface EdgeTraffic {
  readonly backends: readonly EdgeBackend[];

  /** Whether fronts address this edge and others by a common name. */
  readonly grouped: boolean;
}

/** Builds the edge of a cluster. The cluster must meet all requirements of an edge. */
export function buildEdge(cluster: InferenceCluster, { backends, grouped }: EdgeTraffic, callers: Callers): Edge {
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
    tls: edgeCertificateOf(tls, [serverName, ...(grouped ? [ANY_EDGE_HOST] : [])]),
    ca: tls.caRef.name,
    clientNames: callers.clientNames,
    idleCheckInterval: intervals.length > 0 ? Math.min(...intervals) : DEFAULT_CHECK_SECONDS,
    backends: sortByHost(backends),
  };
}

/** Builds the egress of a cluster. The cluster must meet all requirements of an egress. */
export function buildEgress(cluster: InferenceCluster, backends: readonly EgressBackend[], callers: Callers): Egress {
  const tls = requireTls(cluster);
  return {
    ...locationOf(cluster),
    serverName: clusterHostOf(EGRESS_NAME),
    tls: egressCertificateOf(tls),
    ca: tls.caRef.name,
    ...callers,
    backends: sortByHost(backends),
  };
}

/** Returns the callers of edges and egresses for some fronts: all fronts, or the fronts of one cluster. */
export function collectCallers(fronts: readonly Front[]): Callers {
  const names = new Set(fronts.map(({ cluster }) => clientNameOf(cluster)));
  return {
    clientNames: [...names].sort(compareText),
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

function requireClientCertificate(cluster: InferenceCluster): Certificate {
  const certificate = clientCertificateOf(cluster);
  if (!certificate) throw new Error(`bug: the front on ${cluster.metadata.name} has no certificate`);
  return certificate;
}
