import { groupBy } from '../base/order';
import type { Dns } from '../api/routing/dns-and-tls';
import type { Routing } from '../routing/routing';

/** A gateway that answers a host name. Each has a load balancer, and so an address, of its own. */
export interface HostPlace {
  readonly cluster: string;

  /** The InferenceGateway. Absent: it is the gateway of a cluster. */
  readonly gateway?: string;
}

/** A host name that only gateways at other addresses answer after a change. */
export interface MovedHost {
  readonly host: string;
  readonly from: readonly HostPlace[];
  readonly to: readonly HostPlace[];

  /** The DNS zone for its record. Absent: unknown. */
  readonly dns?: Dns;
}

/** Finds host names whose DNS record leads to gateways of which none answers them after a change. */
export function findMovedHosts(before: Routing, after: Routing): MovedHost[] {
  const later = groupBy(listPlaces(after), ({ host }) => host);
  return [...groupBy(listPlaces(before), ({ host }) => host)].flatMap(([host, from]): MovedHost[] => {
    const to = later.get(host) ?? [];
    const known = new Set(from.map(keyOf));
    const dns = to.find((one) => one.dns)?.dns;
    return to.length === 0 || to.some((one) => known.has(keyOf(one))) ? [] : [{ host, from, to, ...(dns && { dns }) }];
  });
}

/** Whether a stack writes the record of a host name: the provider of its zone is known. */
export function isWrittenByStack(dns: Dns | undefined): boolean {
  return dns?.provider !== undefined;
}

function listPlaces({ fronts, edges }: Routing): (HostPlace & { readonly host: string; readonly dns?: Dns })[] {
  return [...fronts, ...edges].flatMap(({ hostname: host, cluster, dns, ...other }) => {
    if (host === undefined) return [];
    return [{ host, cluster, ...('gateway' in other && { gateway: other.gateway }), ...(dns && { dns }) }];
  });
}

function keyOf({ cluster, gateway = '' }: HostPlace): string {
  return `${cluster} ${gateway}`;
}
