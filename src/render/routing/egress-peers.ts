import { toNat64Range } from '../../base/ip-embedding';
import { formatIpRange, type IpRange, parseIpRange } from '../../base/ip-range';
import { sortUnique } from '../../base/order';
import { FORBIDDEN_RANGES, PRIVATE_RANGES } from '../../catalog/address-ranges';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { Egress } from '../../routing/gateway-types';

/**
 * Returns the peers that the proxies of an egress may connect to, as in a NetworkPolicy: all addresses except those
 * that no endpoint may have. Names of endpoints resolve when requests are sent, possibly to other addresses than at
 * the time of the plan. Private addresses and pods are peers only if an endpoint of the egress is private.
 */
export function listEgressPeers({ backends }: Pick<Egress, 'backends'>): JsonObject[] {
  const isPrivate = backends.some((backend) => backend.private);
  const denied = [...FORBIDDEN_RANGES, ...(isPrivate ? [] : PRIVATE_RANGES)].map(({ cidr }) => parseIpRange(cidr));
  const v4 = denied.filter(({ bits }) => bits === 32);
  const v6 = [...denied.filter(({ bits }) => bits === 128), ...v4.map(toNat64Range)];
  return [
    { ipBlock: { cidr: '0.0.0.0/0', except: formatRanges(v4) } },
    { ipBlock: { cidr: '::/0', except: formatRanges(v6) } },
    // Some network plugins do not apply ranges of addresses to pods.
    ...(isPrivate ? [{ namespaceSelector: {} }] : []),
  ];
}

function formatRanges(ranges: readonly IpRange[]): string[] {
  return sortUnique(ranges.map(formatIpRange));
}
