import { parseIpAddress } from '../../../src/base/ip-address';
import { isInRange, parseIpRange } from '../../../src/base/ip-range';
import { listEgressPeers } from '../../../src/render/routing/egress-peers';
import type { Egress } from '../../../src/routing/gateway-types';

function peersOf(...backends: object[]): ReturnType<typeof listEgressPeers> {
  return listEgressPeers({ backends: backends as unknown as Egress['backends'] });
}

/** Whether the proxies of an egress may connect to an address. */
function reaches(text: string, isPrivate: boolean): boolean {
  const address = parseIpAddress(text)!;
  const isInside = (range: string): boolean => isInRange(address, parseIpRange(range));
  return peersOf({}, ...(isPrivate ? [{ private: true }] : [])).some(({ ipBlock }) => {
    if (!ipBlock) return false;
    const { cidr, except } = ipBlock as { cidr: string; except: string[] };
    return isInside(cidr) && !except.some(isInside);
  });
}

describe('the proxies of an egress reach', () => {
  const rows: Record<string, { without: boolean; withPrivate: boolean; of: string[] }> = {
    'servers on the internet': {
      without: true,
      withPrivate: true,
      of: ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '64:ff9b::808:808'],
    },
    'private addresses only for a private endpoint': {
      without: false,
      withPrivate: true,
      of: ['10.0.0.1', '172.20.0.1', '192.168.0.1', '100.64.0.1', 'fd12::1', '64:ff9b::a00:1'],
    },
    'metadata services and the machine itself never': {
      without: false,
      withPrivate: false,
      of: ['169.254.169.254', '127.0.0.1', '0.0.0.0', '100.100.100.200', '168.63.129.16', '::1', 'fe80::1'],
    },
    'these neither by NAT64 nor by IPv6': {
      without: false,
      withPrivate: false,
      of: ['64:ff9b::a9fe:a9fe', '64:ff9b::7f00:1', 'fd00:ec2::254', 'fd20:ce::254'],
    },
  };
  test.each(Object.entries(rows))('%s', (_, { of, without, withPrivate }) => {
    expect(of.map((address) => [address, reaches(address, false)])).toEqual(of.map((one) => [one, without]));
    expect(of.map((address) => [address, reaches(address, true)])).toEqual(of.map((one) => [one, withPrivate]));
  });

  test('pods only for a private endpoint', () => {
    expect(peersOf({})).not.toContainEqual({ namespaceSelector: {} });
    expect(peersOf({ private: true })).toContainEqual({ namespaceSelector: {} });
  });
});
