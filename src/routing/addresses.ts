import { hostLabelOf, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import type { NamespacedName } from './gateway-types';

/** The name of the Service, Gateway and EnvoyProxy of the edge. */
export const EDGE_NAME = 'fleetwright-edge';

/** The name of the Service, Gateway and EnvoyProxy of the egress. */
export const EGRESS_NAME = 'fleetwright-egress';

/** The port of edges and egresses, and of fronts with TLS. */
export const HTTPS_PORT = 443;

export function clusterHostOf(service: string): string {
  return `${service}.${SYSTEM_NAMESPACE}.svc.cluster.local`;
}

/**
 * An additional name in certificates of edges that a front addresses by one common name. This applies to services on
 * more clusters than a rule has backends.
 */
export const ANY_EDGE_HOST = 'edge.fleetwright.internal';

/** Returns the name in the client certificate of the fronts of a cluster. Edges and egresses require this name. */
export function clientNameOf(cluster: string): string {
  return `front.${cluster}.fleetwright.internal`;
}

/** The suffix of hosts that only fronts send and only edges and egresses match. It is not in any DNS. */
export const INTERNAL_SUFFIX = 'fleetwright.internal';

const EGRESS_LABEL = 'egress';

interface MemberHost {
  readonly service: NamespacedName;
  readonly tier: 0 | 1;
}

/**
 * Returns the Host with which a front addresses a deployment at the edge of a cluster. The namespace of a deployment in
 * another namespace follows its name. `r` and the index of a single replica precede all other labels. All hosts are
 * distinct.
 *
 * @example
 * edgeHostOf({ service: chat, tier: 0, deployment: llama, cluster: 'us-east' });
 * // '0.llama.chat.team-a.us-east.fleetwright.internal'
 */
export function edgeHostOf({
  deployment,
  cluster,
  replica,
  ...member
}: MemberHost & { readonly deployment: NamespacedName; readonly cluster: string; readonly replica?: number }): string {
  // The label after the namespace of the service distinguishes an egress from an edge.
  const location = cluster === EGRESS_LABEL ? hostLabelOf(`${cluster}.`) : hostLabelOf(cluster);
  return (replica === undefined ? '' : `r${replica}.`) + hostOf(member, deployment, location);
}

/**
 * Returns the Host with which a front addresses an endpoint at the egress.
 *
 * @example
 * egressHostOf({ service: chat, tier: 1, endpoint: openai }); // '1.openai.chat.team-a.egress.fleetwright.internal'
 */
export function egressHostOf({ endpoint, ...member }: MemberHost & { readonly endpoint: NamespacedName }): string {
  return hostOf(member, endpoint, EGRESS_LABEL);
}

function hostOf({ service, tier }: MemberHost, { namespace, name }: NamespacedName, location: string): string {
  const namespaces = namespace === service.namespace ? [] : [namespace];
  const names = [name, ...namespaces, service.name, service.namespace].map(hostLabelOf);
  return [tier, ...names, location, INTERNAL_SUFFIX].join('.');
}

/** Returns the path prefix of requests to a service: `/team-a/chat/`. */
export function servicePathOf({ namespace, name }: NamespacedName): string {
  return `/${namespace}/${name}/`;
}

/** Returns the path of health checks for members of a service: `/team-a/chat/-/ready`. No API has a path like that. */
export function readyPathOf(service: NamespacedName): string {
  return `${servicePathOf(service)}-/ready`;
}
