import { SYSTEM_NAMESPACE } from '../render/names';

/** The Service of the edge, and the name of its Gateway and EnvoyProxy. */
export const EDGE = 'fleetwright-edge';

/** The Service of the egress, and the name of its Gateway and EnvoyProxy. */
export const EGRESS = 'fleetwright-egress';

/** The port of edges and egresses, as of fronts with TLS. */
export const HTTPS_PORT = 443;

/** The name of one of our Services within its cluster. */
export function inCluster(service: string): string {
  return `${service}.${SYSTEM_NAMESPACE}.svc.cluster.local`;
}

/**
 * The name that certificates of edges have beside their own where a front asks several of them by one name: those of
 * services that are on more clusters than a rule takes.
 */
export const ANY_EDGE = 'edge.fleetwright.internal';

/** The name that the client certificate of the fronts of a cluster has, which edges and egresses ask for. */
export function clientName(cluster: string): string {
  return `front.${cluster}.fleetwright.internal`;
}
