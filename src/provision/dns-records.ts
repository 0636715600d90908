import type { Dns } from '../api/routing/dns-and-tls';
import { groupBy, sortedBy } from '../base/order';
import { EDGE_NAME } from '../routing/addresses';
import type { Edge, Front } from '../routing/gateway-types';
import type { Routing } from '../routing/routing';

/** The provider of a DNS zone. */
export type DnsProvider = NonNullable<Dns['provider']>;

/** A Gateway whose address is in a record. */
export interface RecordedGateway {
  readonly cluster: string;
  readonly name: string;
}

/** A record for the host name of gateways, in a zone that a stack can write. */
export interface PlannedRecord {
  readonly host: string;
  readonly provider: DnsProvider;

  /** The name of the managed zone, the ID of the hosted zone, or the resource ID of the zone. */
  readonly zone: string;

  /** Sorted by cluster. Several gateways share the requests equally. */
  readonly gateways: readonly RecordedGateway[];
}

/** Plans the records that stacks write, sorted by host name: for host names whose zone has a provider. */
export function planDnsRecords({ edges, fronts }: Routing): PlannedRecord[] {
  const perGateway = [
    ...edges.flatMap((edge) => recordOf(edge, EDGE_NAME)),
    ...fronts.flatMap((front) => recordOf(front, front.name)),
  ];
  const records = [...groupBy(perGateway, ({ host }) => host).values()].flatMap((sameHost) =>
    sameHost.slice(0, 1).map((record) => ({ ...record, gateways: sameHost.flatMap(({ gateways }) => gateways) })),
  );
  return sortedBy(records, ({ host }) => host);
}

function recordOf(
  { cluster, hostname, dns }: Pick<Edge | Front, 'cluster' | 'hostname' | 'dns'>,
  name: string,
): PlannedRecord[] {
  if (hostname === undefined || dns?.provider === undefined || dns.id === undefined) return [];
  const { provider, id: zone } = dns;
  return [{ host: hostname, provider, zone, gateways: [{ cluster, name }] }];
}

interface RecordData {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly values: readonly string[];
}

/**
 * Returns the record for some addresses. Load balancers of Google and Azure have IP addresses, and those of AWS have
 * host names.
 *
 * @throws Error for addresses that do not fit into one record: different types, or several host names
 */
export function recordDataOf(addresses: readonly string[]): RecordData {
  const [type, ...others] = new Set(addresses.map(recordTypeOf));
  if (type === undefined || others.length > 0 || (type === 'CNAME' && addresses.length > 1)) {
    throw new Error(`a record cannot have all of these addresses: ${addresses.join(', ')}. Use Route 53`);
  }
  return { type, values: addresses };
}

function recordTypeOf(address: string): RecordData['type'] {
  if (address.includes(':')) return 'AAAA';
  return /^\d+(\.\d+){3}$/.test(address) ? 'A' : 'CNAME';
}
