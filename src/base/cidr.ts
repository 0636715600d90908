/** The form of one of the four numbers of an IPv4 address, as a part of a pattern. */
export const IPV4_OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** The pattern of an IPv4 address range in CIDR notation. */
export const CIDR_PATTERN = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|(?=\/))){4}\/(3[0-2]|[12]?\d)$/;

/** Whether a text is an IPv4 address range: `10.0.0.0/16`. */
export function isCidr(text: string): boolean {
  return CIDR_PATTERN.test(text);
}

/** A range of IPv4 addresses. */
export interface Cidr {
  /** The first address, as a number. */
  readonly base: number;

  /** How many of the 32 bits all its addresses share. */
  readonly prefix: number;
}

const BITS = 32;

const BYTE = 256;

/**
 * Reads a range that passed its schema.
 *
 * @example
 * parseCidr('10.0.0.0/16'); // { base: 167772160, prefix: 16 }
 */
export function parseCidr(text: string): Cidr {
  const [address = '', prefix] = text.split('/');
  const base = address.split('.').reduce((sum, byte) => sum * BYTE + Number(byte), 0);
  return { base, prefix: Number(prefix) };
}

/** The range as it is written. */
export function formatCidr({ base, prefix }: Cidr): string {
  const bytes = [3, 2, 1, 0].map((place) => Math.floor(base / BYTE ** place) % BYTE);
  return `${bytes.join('.')}/${prefix}`;
}

/** How many addresses a range has. */
export function addressCountOf({ prefix }: Cidr): number {
  return 2 ** (BITS - prefix);
}

/** The range that begins where its prefix says: clouds refuse one that begins in the middle. */
export function alignCidr(cidr: Cidr): Cidr {
  return { ...cidr, base: cidr.base - (cidr.base % addressCountOf(cidr)) };
}

/** One of the `2 ** bits` equal parts of a range, counted from 0. */
export function subrangeOf(cidr: Cidr, bits: number, index: number): Cidr {
  const prefix = cidr.prefix + bits;
  return { base: cidr.base + index * addressCountOf({ base: 0, prefix }), prefix };
}

/** Whether two ranges have an address in common. */
export function hasOverlap(a: Cidr, b: Cidr): boolean {
  return a.base < b.base + addressCountOf(b) && b.base < a.base + addressCountOf(a);
}
