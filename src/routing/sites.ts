import type { ClusterGateway } from '../api/cluster-gateway';
import type { InferenceCluster } from '../api/inference-cluster';
import { compareText, sortedBy } from '../order';
import { frontName } from '../render/names';
import { amountsOf } from '../scheduler/amounts';
import { ANY_EDGE, clientName, EDGE, EGRESS, inCluster } from './addresses';
import { clientCertificate, edgeCertificate, egressCertificate, frontCertificate } from './certificates';
import { addressOf } from './doors';
import type { Edge, EdgeBackend, Egress, EgressBackend, Front, Place, Reach } from './places';
import type { Certificate } from './policy';
import type { Standing } from './standing';

/** Seconds between two checks where nothing says otherwise. */
const IDLE_CHECK = 10;

/** The front of a gateway on a cluster that lacks nothing. */
export function frontOf({ gateway, cluster }: Standing, idleCheckInterval: number): Front {
  const { dns, hostname, maxRequestBody } = gateway.spec;
  const tls = frontCertificate(gateway);
  return {
    ...placeOf(cluster),
    gateway: gateway.metadata.name,
    name: frontName(gateway.metadata.name),
    ...(hostname !== undefined && { hostname }),
    ...(dns && { dns }),
    address: addressOf(gateway),
    reach: reachOf(gateway.spec),
    ...(tls && { tls }),
    client: clientOf(cluster),
    ca: tlsOf(cluster).caRef.name,
    maxRequestBody: amountsOf({ memory: maxRequestBody }).memory ?? 0,
    idleCheckInterval,
  };
}

function reachOf({ public: open, hostname }: Standing['gateway']['spec']): Reach {
  if (open !== false) return 'Public';
  return hostname === undefined ? 'Cluster' : 'Private';
}

/** Who may connect to edges and egresses, and how much they may send. */
interface Callers {
  readonly clientNames: readonly string[];
  readonly maxRequestBody: number;
}

/** What an edge is behind fronts for. */
interface Served {
  readonly backends: readonly EdgeBackend[];

  /** Whether fronts ask for it and others by one name. */
  readonly bundled: boolean;
}

/** The edge of a cluster that lacks nothing. */
export function edgeOf(cluster: InferenceCluster, { backends, bundled }: Served, callers: Callers): Edge {
  const { hostname, reach, dns } = cluster.spec.gateway;
  const tls = tlsOf(cluster);
  const serverName = hostname ?? inCluster(EDGE);
  const intervals = backends.flatMap(({ health }) => (health ? [health.interval] : []));
  return {
    ...placeOf(cluster),
    ...(hostname !== undefined && { hostname }),
    serverName,
    reach: hostname === undefined ? 'Cluster' : reach,
    ...(dns && { dns }),
    tls: edgeCertificate(tls, [serverName, ...(bundled ? [ANY_EDGE] : [])]),
    ca: tls.caRef.name,
    clientNames: callers.clientNames,
    idleCheckInterval: intervals.length > 0 ? Math.min(...intervals) : IDLE_CHECK,
    backends: byHost(backends),
  };
}

/** The egress of a cluster that lacks nothing. */
export function egressOf(
  cluster: InferenceCluster,
  backends: readonly EgressBackend[],
  callers: Callers,
): Egress {
  const tls = tlsOf(cluster);
  const common = { ...placeOf(cluster), serverName: inCluster(EGRESS), tls: egressCertificate(tls) };
  return { ...common, ca: tls.caRef.name, ...callers, backends: byHost(backends) };
}

/** Who may connect to edges and egresses: all fronts, or those of one cluster. */
export function callersOf(fronts: readonly Front[]): Callers {
  const names = new Set(fronts.map(({ cluster }) => clientName(cluster)));
  return {
    clientNames: [...names].sort(compareText),
    maxRequestBody: Math.max(...fronts.map(({ maxRequestBody }) => maxRequestBody)),
  };
}

function byHost<B extends { readonly hostname: string }>(backends: readonly B[]): B[] {
  const distinct = new Map(backends.map((backend) => [backend.hostname, backend]));
  return sortedBy(distinct.values(), ({ hostname }) => hostname);
}

function placeOf({ metadata, spec }: InferenceCluster): Place {
  return { cluster: metadata.name, source: spec.cluster.source };
}

function tlsOf({ spec, metadata }: InferenceCluster): NonNullable<ClusterGateway['tls']> {
  const { tls } = spec.gateway;
  if (!tls) throw new Error(`bug: cluster ${metadata.name} has routes and no certificates`);
  return tls;
}

function clientOf(cluster: InferenceCluster): Certificate {
  const certificate = clientCertificate(cluster);
  if (!certificate) throw new Error(`bug: the front on ${cluster.metadata.name} has no certificate`);
  return certificate;
}
