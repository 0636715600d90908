import { GROUPS, type IpAddress, parseIpAddress, digitsOf } from './ip-address';

/** The pattern of an IPv4 address range in CIDR notation. */
export const IPV4_RANGE_PATTERN = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|(?=\/))){4}\/(3[0-2]|[12]?\d)$/;

/** Whether a text is an IPv4 address range: `10.0.0.0/16`. */
export function isIpv4Range(text: string): boolean {
  return IPV4_RANGE_PATTERN.test(text);
}

/** A range of addresses that have the first `prefix` bits of an address. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
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
  if (!parsed) throw new Error(`bug: '${text}' is not a range of addresses`);
  return { ...parsed, prefix: Number(prefix) };
}

/** Whether an address is in a range. */
export function isInRange(address: IpAddress, range: IpRange): boolean {
  const rest = BigInt(range.bits - range.prefix);
  return address.bits === range.bits && address.value >> rest === range.value >> rest;
}

/** Formats a range in CIDR notation: RFC 5952 for IPv6, because API servers warn of other forms. */
export function formatIpRange({ bits, value, prefix }: IpRange): string {
  if (bits === 32) return `${digitsOf(value, 4, 8n).join('.')}/${prefix}`;
  const text = digitsOf(value, GROUPS, 16n)
    .map((group) => group.toString(16))
    .join(':');
  const zeros = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = zeros.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return `${text}/${prefix}`;
  const padded = `:${text}:`;
  const start = padded.indexOf(`:${longest}:`);
  return `${padded.slice(1, start)}::${padded.slice(start + longest.length + 2, -1)}/${prefix}`;
}

/** How many addresses a range has. */
export function addressCountOf({ bits, prefix }: Omit<IpRange, 'value'>): number {
  return 2 ** (bits - prefix);
}

/** The range that begins where its prefix says: clouds refuse one that begins in the middle. */
export function alignRange(range: IpRange): IpRange {
  return { ...range, value: range.value - (range.value % sizeOf(range)) };
}

/** One of the `2 ** more` equal parts of a range, counted from 0. */
export function subrangeOf(range: IpRange, more: number, index: number): IpRange {
  const part = { ...range, prefix: range.prefix + more };
  return { ...part, value: range.value + BigInt(index) * sizeOf(part) };
}

/** Whether two ranges have an address in common. */
export function hasOverlap(a: IpRange, b: IpRange): boolean {
  return a.bits === b.bits && a.value < b.value + sizeOf(b) && b.value < a.value + sizeOf(a);
}

function sizeOf({ bits, prefix }: IpRange): bigint {
  return 1n << BigInt(bits - prefix);
}
