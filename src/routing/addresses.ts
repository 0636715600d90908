import { hostLabelOf, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import type { NamespacedName } from './gateways';

/** The Service of the edge, and the name of its Gateway and EnvoyProxy. */
export const EDGE_NAME = 'fleetwright-edge';

/** The Service of the egress, and the name of its Gateway and EnvoyProxy. */
export const EGRESS_NAME = 'fleetwright-egress';

/** The port of edges and egresses, as of fronts with TLS. */
export const HTTPS_PORT = 443;

/** The name of one of our Services within its cluster. */
export function clusterHostOf(service: string): string {
  return `${service}.${SYSTEM_NAMESPACE}.svc.cluster.local`;
}

/**
 * The name that certificates of edges have beside their own where a front asks several of them by one name: those of
 * services that are on more clusters than a rule takes.
 */
export const ANY_EDGE_HOST = 'edge.fleetwright.internal';

/** The name that the client certificate of the fronts of a cluster has, which edges and egresses ask for. */
export function clientNameOf(cluster: string): string {
  return `front.${cluster}.fleetwright.internal`;
}

/** Who asks: a service, for what it sends to one of its tiers. */
interface RouteCaller {
  readonly service: NamespacedName;
  readonly tier: 0 | 1;
}

/** In no DNS: only fronts send these names, and only edges and egresses match on them. */
const INTERNAL_SUFFIX = 'fleetwright.internal';

/**
 * The Host by which a front asks the edge of a cluster for a deployment. A deployment of another namespace has that
 * behind its name, and one replica has `r` and its index before it all, so that no two are alike.
 *
 * @example
 * edgeHost({ service: chat, tier: 0, deployment: llama, cluster: 'us-east' });
 * // '0.llama.chat.team-a.us-east.fleetwright.internal'
 */
export function edgeHostOf({
  service,
  tier,
  deployment,
  cluster,
  replica,
}: RouteCaller & {
  readonly deployment: NamespacedName;
  readonly cluster: string;
  readonly replica?: number;
}): string {
  // The word after the service's namespace tells an egress from an edge.
  const where = cluster === EGRESS_LABEL ? hostLabelOf(`${cluster}.`) : hostLabelOf(cluster);
  const one = replica === undefined ? [] : [`r${replica}`];
  return [
    ...one,
    String(tier),
    ...targetLabelsOf(deployment, service),
    ...serviceLabelsOf(service),
    where,
    INTERNAL_SUFFIX,
  ].join('.');
}

/**
 * The Host by which a front asks the egress for an endpoint.
 *
 * @example
 * egressHost({ service: chat, tier: 1, endpoint: openai }); // '1.openai.chat.team-a.egress.fleetwright.internal'
 */
export function egressHostOf({
  service,
  tier,
  endpoint,
}: RouteCaller & { readonly endpoint: NamespacedName }): string {
  return [
    String(tier),
    ...targetLabelsOf(endpoint, service),
    ...serviceLabelsOf(service),
    EGRESS_LABEL,
    INTERNAL_SUFFIX,
  ].join('.');
}

const EGRESS_LABEL = 'egress';

function targetLabelsOf({ namespace, name }: NamespacedName, service: NamespacedName): string[] {
  const elsewhere = namespace !== service.namespace;
  return [hostLabelOf(name), ...(elsewhere ? [hostLabelOf(namespace)] : [])];
}

function serviceLabelsOf({ namespace, name }: NamespacedName): string[] {
  return [hostLabelOf(name), hostLabelOf(namespace)];
}

/** What requests to a service begin with: `/team-a/chat/`. */
export function servicePathOf({ namespace, name }: NamespacedName): string {
  return `/${namespace}/${name}/`;
}

/** Where its members are asked whether they serve: `/team-a/chat/-/ready`. No API has a path like that. */
export function readyPathOf(service: NamespacedName): string {
  return `${servicePathOf(service)}-/ready`;
}
