import type { Member } from './routing';

/** The Service of the edge, and the name of its Gateway and EnvoyProxy. */
export const EDGE = 'fleetwright-edge';

/** The Service of the egress, and the name of its Gateway and EnvoyProxy. */
export const EGRESS = 'fleetwright-egress';

/** The port of edges and egresses, as of fronts with TLS. */
export const HTTPS_PORT = 443;

/** The name of a Service of `fleetwright-system` within its cluster. */
export function inCluster(service: string): string {
  return `${service}.fleetwright-system.svc.cluster.local`;
}

/** The name that the client certificate of the fronts of a cluster has, which edges and egresses ask for. */
export function clientName(cluster: string): string {
  return `front.${cluster}.fleetwright.internal`;
}

/**
 * Where a front on a cluster connects for a member: the egress beside it, the edge beside it, or the host name of the
 * edge elsewhere.
 *
 * @param edges host names of edges by cluster
 */
export function addressOf(
  member: Member,
  cluster: string,
  edges: ReadonlyMap<string, string | undefined>,
): string | undefined {
  if (member.kind === 'External') return inCluster(EGRESS);
  return member.cluster === cluster ? inCluster(EDGE) : edges.get(member.cluster ?? '');
}
