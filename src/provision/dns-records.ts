import type { Dns } from '../api/routing/dns-and-tls';
import { groupBy, sortedBy } from '../base/order';
import { EDGE_NAME } from '../routing/addresses';
import type { Edge, Front } from '../routing/gateways';
import type { Routing } from '../routing/routing';

/** Who holds a zone. */
export type DnsProvider = NonNullable<Dns['provider']>;

/** A Gateway whose address a record has. */
export interface RecordedGateway {
  readonly cluster: string;

  /** Its name in `fleetwright-system`. */
  readonly name: string;
}

/** A record of the host name of gateways, in a zone that a stack may write. */
export interface PlannedRecord {
  readonly host: string;
  readonly provider: DnsProvider;

  /** The name of the managed zone, or the ID of the hosted zone. */
  readonly zone: string;

  /** By cluster. Several: each takes an equal part of the requests. */
  readonly gateways: readonly RecordedGateway[];
}

/** The records that stacks write: those of host names whose zone says who holds it, by host name. */
export function planDnsRecords({ edges, fronts }: Routing): PlannedRecord[] {
  const named = [
    ...edges.map((edge) => recordOf(edge, EDGE_NAME)),
    ...fronts.map((one) => recordOf(one, one.name)),
  ];
  const byHost = groupBy(named.flat(), ({ host }) => host);
  const records = [...byHost.values()].flatMap((same) =>
    same.slice(0, 1).map((one) => ({ ...one, gateways: same.flatMap(({ gateways }) => gateways) })),
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

/** Type and values of a record. */
export interface RecordData {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly values: readonly string[];
}

/**
 * What a record says of addresses: load balancers of Google have numbers, those of AWS names.
 *
 * @throws Error for addresses that no one record can have: of two kinds, or several names
 */
export function recordDataOf(addresses: readonly string[]): RecordData {
  const [type, ...others] = new Set(addresses.map(typeFor));
  if (type === undefined || others.length > 0 || (type === 'CNAME' && addresses.length > 1)) {
    throw new Error(`no record can have these addresses at once: ${addresses.join(', ')}. Use Route 53`);
  }
  return { type, values: addresses };
}

function typeFor(address: string): RecordData['type'] {
  if (address.includes(':')) return 'AAAA';
  return /^\d+(\.\d+){3}$/.test(address) ? 'A' : 'CNAME';
}
