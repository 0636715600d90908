import type { IpAddress } from './ip-address';
import { type IpRange, isInRange, parseIpRange } from './ip-range';

/** A range of IPv6 addresses that contain an IPv4 address. */
interface Embedding {
  readonly range: IpRange;

  /** The number of bits that follow the IPv4 address. */
  readonly shift: bigint;

  /** Whether the bits of the IPv4 address are inverted. */
  readonly inverted?: true;
}

/** The prefix by which networks translate from IPv6 to IPv4 (RFC 6052). */
const NAT64_PREFIX = '64:ff9b::/96';

const EMBEDDINGS: readonly Embedding[] = [
  // Compatible and mapped addresses (RFC 4291), and those of SIIT (RFC 2765).
  { range: parseIpRange('::/96'), shift: 0n },
  { range: parseIpRange('::ffff:0:0/96'), shift: 0n },
  { range: parseIpRange('::ffff:0:0:0/96'), shift: 0n },
  { range: parseIpRange(NAT64_PREFIX), shift: 0n },
  // NAT64 of a network of one's own (RFC 8215), with the usual length of the prefix.
  { range: parseIpRange('64:ff9b:1::/48'), shift: 0n },
  // 6to4 (RFC 3056) and Teredo (RFC 4380).
  { range: parseIpRange('2002::/16'), shift: 80n },
  { range: parseIpRange('2001::/32'), shift: 0n, inverted: true },
];

const IPV4_MASK = 0xffff_ffffn;

/** Returns an address, and the IPv4 addresses that it contains or is translated to. */
export function spellingsOf(address: IpAddress): IpAddress[] {
  const embedded = EMBEDDINGS.filter(({ range }) => isInRange(address, range)).map(({ shift, inverted }): IpAddress => {
    const value = (address.value >> shift) & IPV4_MASK;
    return { bits: 32, value: inverted ? value ^ IPV4_MASK : value };
  });
  return [address, ...embedded];
}

/** Returns the IPv6 addresses that networks with NAT64 translate to a range of IPv4 addresses. */
export function toNat64Range({ value, prefix }: IpRange): IpRange {
  const { value: base, bits } = parseIpRange(NAT64_PREFIX);
  return { bits, value: base | value, prefix: 96 + prefix };
}
