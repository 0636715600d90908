/** A range of IPv4 addresses. */
export interface Cidr {
  /** The first address, as a number. */
  readonly base: number;

  /** The number of leading bits that all addresses share, of 32. */
  readonly prefix: number;
}

const BITS = 32;
const BYTE = 256;

/**
 * Parses a range that its schema has validated.
 *
 * @example
 * parseCidr('10.0.0.0/16'); // { base: 167772160, prefix: 16 }
 */
export function parseCidr(text: string): Cidr {
  const [address = '', prefix] = text.split('/');
  const base = address.split('.').reduce((sum, byte) => sum * BYTE + Number(byte), 0);
  return { base, prefix: Number(prefix) };
}

/** Formats a range in CIDR notation. */
export function formatCidr({ base, prefix }: Cidr): string {
  const bytes = [3, 2, 1, 0].map((place) => Math.floor(base / BYTE ** place) % BYTE);
  return `${bytes.join('.')}/${prefix}`;
}

/** Returns the number of addresses in a range. */
export function addressCountOf({ prefix }: Cidr): number {
  return 2 ** (BITS - prefix);
}

/** Aligns the start of a range to its prefix. Clouds reject unaligned ranges. */
export function alignCidr(cidr: Cidr): Cidr {
  return { ...cidr, base: cidr.base - (cidr.base % addressCountOf(cidr)) };
}

/** Returns one of the `2 ** bits` equal parts of a range, counted from 0. */
export function subrangeOf(cidr: Cidr, bits: number, index: number): Cidr {
  const prefix = cidr.prefix + bits;
  return { base: cidr.base + index * addressCountOf({ base: 0, prefix }), prefix };
}

/** Whether two ranges have an address in common. */
export function hasOverlap(a: Cidr, b: Cidr): boolean {
  return a.base < b.base + addressCountOf(b) && b.base < a.base + addressCountOf(a);
}

/** Whether all addresses of `inner` are in `outer`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.base <= inner.base && inner.base + addressCountOf(inner) <= outer.base + addressCountOf(outer);
}
