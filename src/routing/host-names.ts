import { hostLabel } from '../render/names';
import type { Named } from './places';

/** Who asks: a service, for what it sends to one of its tiers. */
interface Asked {
  readonly service: Named;
  readonly tier: 0 | 1;
}

/** In no DNS: only fronts send these names, and only edges and egresses match on them. */
const SUFFIX = 'fleetwright.internal';

/**
 * The Host by which a front asks the edge of a cluster for a deployment. A deployment of another namespace has that
 * behind its name, and one replica has `r` and its index before it all, so that no two are alike.
 *
 * @example
 * edgeHost({ service: chat, tier: 0, deployment: llama, cluster: 'us-east' });
 * // '0.llama.chat.team-a.us-east.fleetwright.internal'
 */
export function edgeHost({
  service,
  tier,
  deployment,
  cluster,
  replica,
}: Asked & { readonly deployment: Named; readonly cluster: string; readonly replica?: number }): string {
  // The word after the service's namespace tells an egress from an edge.
  const where = cluster === EGRESS_WORD ? hostLabel(`${cluster}.`) : hostLabel(cluster);
  const one = replica === undefined ? [] : [`r${replica}`];
  return [...one, String(tier), ...target(deployment, service), ...asking(service), where, SUFFIX].join('.');
}

/**
 * The Host by which a front asks the egress for an endpoint.
 *
 * @example
 * egressHost({ service: chat, tier: 1, endpoint: openai }); // '1.openai.chat.team-a.egress.fleetwright.internal'
 */
export function egressHost({ service, tier, endpoint }: Asked & { readonly endpoint: Named }): string {
  return [String(tier), ...target(endpoint, service), ...asking(service), EGRESS_WORD, SUFFIX].join('.');
}

const EGRESS_WORD = 'egress';

function target({ namespace, name }: Named, service: Named): string[] {
  const elsewhere = namespace !== service.namespace;
  return [hostLabel(name), ...(elsewhere ? [hostLabel(namespace)] : [])];
}

function asking({ namespace, name }: Named): string[] {
  return [hostLabel(name), hostLabel(namespace)];
}
