/** The form of one of the four numbers of an IPv4 address, as a part of a pattern. */
export const IPV4_OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** An IPv4 or IPv6 address as a number. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The number of groups of an IPv6 address, of 16 bits each. */
export const GROUPS = 8;

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

/** The parts of a number of so many bits each, the highest first. */
export function digitsOf(value: bigint, count: number, width: bigint): bigint[] {
  return Array.from({ length: count }, (_, i) => (value >> (width * BigInt(count - 1 - i))) & ((1n << width) - 1n));
}
