/** An IPv4 or IPv6 address as a number. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A range of addresses that have the first `prefix` bits of an address. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const GROUPS = 8;

/**
 * Parses an address in the form in which `URL` writes it: four decimal numbers, or hexadecimal groups with at most one
 * `::`, without brackets. `URL` itself reads all other spellings of an address.
 *
 * @returns nothing if the text is no address
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (IPV4.test(text)) return { bits: 32, value: joinParts(text.split('.').map(BigInt), 8n) };
  if (!text.includes(':')) return undefined;
  const [head = '', tail, ...more] = text.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after];
  if (more.length > 0 || groups.length !== GROUPS || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group)))
    return undefined;
  return {
    bits: 128,
    value: joinParts(
      groups.map((group) => BigInt(`0x${group}`)),
      16n,
    ),
  };
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function joinParts(parts: readonly bigint[], width: bigint): bigint {
  return parts.reduce((sum, part) => (sum << width) | part, 0n);
}

/**
 * Parses a range in CIDR notation.
 *
 * @example
 * parseIpRange('fe80::/10').prefix; // 10
 */
export function parseIpRange(text: string): IpRange {
  const [address = '', prefix] = text.split('/');
  const parsed = parseIpAddress(address);
  if (!parsed) throw new Error(`bug: '${text}' is no range of addresses`);
  return { ...parsed, prefix: Number(prefix) };
}

/** Whether an address is in a range. */
export function isInRange(address: IpAddress, range: IpRange): boolean {
  const rest = BigInt(range.bits - range.prefix);
  return address.bits === range.bits && address.value >> rest === range.value >> rest;
}

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

/** Formats a range in CIDR notation: RFC 5952 for IPv6, because API servers warn of other forms. */
export function formatIpRange({ bits, value, prefix }: IpRange): string {
  if (bits === 32) return `${partsOf(value, 4, 8n).join('.')}/${prefix}`;
  const text = partsOf(value, GROUPS, 16n)
    .map((group) => group.toString(16))
    .join(':');
  const zeros = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = zeros.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return `${text}/${prefix}`;
  const [before = '', ...after] = text.split(new RegExp(`(?:^|:)${longest}(?:$|:)`));
  return `${before}::${after.join('')}/${prefix}`;
}

function partsOf(value: bigint, count: number, width: bigint): bigint[] {
  return Array.from({ length: count }, (_, i) => (value >> (width * BigInt(count - 1 - i))) & ((1n << width) - 1n));
}

/** Returns the IPv6 addresses that networks with NAT64 translate to a range of IPv4 addresses. */
export function toNat64Range({ value, prefix }: IpRange): IpRange {
  const { value: base, bits } = parseIpRange(NAT64_PREFIX);
  return { bits, value: base | value, prefix: 96 + prefix };
}
