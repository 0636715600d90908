type IpFamily = 4 | 6;

const BITS: Readonly<Record<IpFamily, number>> = { 4: 32, 6: 128 };
const OCTET = '(?:0|[1-9]\\d{0,2})';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

/** Runs of two or more zero groups. The canonical text omits the leftmost of the longest runs. */
const ZEROS = /(?:^|:)0(?::0)+(?=:|$)/g;

/** An immutable IP address without a zone. */
export class CelIpAddress {
  /** @param value the address as a number of 32 or 128 bits */
  constructor(
    readonly family: IpFamily,
    readonly value: bigint,
  ) {}

  /** The number of bits of an address of its family. */
  get bits(): number {
    return BITS[this.family];
  }

  equals(other: CelIpAddress): boolean {
    return this.family === other.family && this.value === other.value;
  }

  /** Reports whether the first bits equal those of another address of its family. */
  startsWith(other: CelIpAddress, bits: number): boolean {
    if (this.family !== other.family) return false;
    return (this.value ^ other.value) >> BigInt(this.bits - bits) === 0n;
  }

  /** Returns the canonical text. RFC 5952 defines it for IPv6. */
  toString(): string {
    if (this.family === 4) return splitBits(this.value, 4, 8).join('.');
    const text = splitBits(this.value, GROUPS, 16)
      .map((group) => group.toString(16))
      .join(':');
    const runs = text.match(ZEROS) ?? [];
    const longest = runs.reduce((found, run) => (countGroups(run) > countGroups(found) ? run : found), '');
    return longest === '' ? text : abbreviateZeros(text, longest);
  }
}

/**
 * Parses an IP address as `netip.ParseAddr` of Go does: IPv4 without leading zeros, all forms of IPv6, and a zone.
 */
export function parseIpWithZone(text: string): { readonly address: CelIpAddress; readonly zone: string } {
  const separator = /[.:%]/.exec(text)?.[0];
  const [body = '', ...zones] = separator === ':' ? text.split('%') : [text];
  const zone = zones.join('%');
  const value = separator === ':' ? parseIpv6(body) : parseIpv4(text);
  if (value === undefined || (zones.length > 0 && zone === '')) throw new Error(`'${text}' is not an IP address`);
  return { address: new CelIpAddress(separator === ':' ? 6 : 4, value), zone };
}

/**
 * Parses an IP address as CEL in Kubernetes does (`pkg/cel/library/ip.go` of k8s.io/apiserver): without a zone, and
 * without IPv4 addresses in IPv6 form, such as `::ffff:1.2.3.4`.
 */
export function parseCelIpAddress(text: string): CelIpAddress {
  const { address, zone } = parseIpWithZone(text);
  if (zone !== '') throw new Error(`'${text}' has a zone, which is not allowed`);
  return rejectMappedIpv4(address, text);
}

function rejectMappedIpv4(address: CelIpAddress, text: string): CelIpAddress {
  if (address.family === 4 || address.value >> 32n !== 0xffffn) return address;
  throw new Error(`'${text}' is an IPv4 address in the form of IPv6, which is not allowed`);
}

function parseIpv4(text: string): bigint | undefined {
  if (!IPV4.test(text)) return undefined;
  const octets = text.split('.').map(BigInt);
  return octets.some((octet) => octet > 255n) ? undefined : joinDigits(octets, 8n);
}

function parseIpv6(text: string): bigint | undefined {
  const [before = '', after, ...more] = text.split('::');
  const [left, right] = [groupsOf(before, after === undefined), groupsOf(after ?? '', true)];
  if (!left || !right || more.length > 0) return undefined;
  const zeros = GROUPS - left.length - right.length;
  if (after === undefined ? zeros !== 0 : zeros < 1) return undefined;
  return joinDigits([...left, ...Array<bigint>(zeros).fill(0n), ...right], 16n);
}

/** Parses the 16-bit groups on one side of `::`. The last two can have the form of an IPv4 address. */
function groupsOf(text: string, last: boolean): bigint[] | undefined {
  if (text === '') return [];
  const all = text.split(':');
  const mixed = last ? parseIpv4(all.at(-1) ?? '') : undefined;
  const plain = mixed === undefined ? all : all.slice(0, -1);
  if (!plain.every((group) => GROUP.test(group))) return undefined;
  const groups = plain.map((group) => BigInt(`0x${group}`));
  return mixed === undefined ? groups : [...groups, mixed >> 16n, mixed & 0xffffn];
}

function joinDigits(digits: readonly bigint[], bits: bigint): bigint {
  return digits.reduce((value, digit) => (value << bits) | digit, 0n);
}

function splitBits(value: bigint, count: number, bits: number): bigint[] {
  return Array.from({ length: count }, (_, i) => BigInt.asUintN(bits, value >> BigInt((count - 1 - i) * bits)));
}

function countGroups(run: string): number {
  return run.split('0').length - 1;
}

function abbreviateZeros(text: string, run: string): string {
  const start = text.indexOf(run);
  return `${text.slice(0, start)}::${text.slice(start + run.length).replace(/^:/, '')}`;
}

const PREFIX_LENGTH = /^(?:0|[1-9]\d*)$/;

/** An immutable IP address with a prefix length: `10.1.2.3/8`. The address need not be the first of its network. */
export class IpPrefix {
  /** @param length the number of bits of the prefix */
  constructor(
    readonly address: CelIpAddress,
    readonly length: number,
  ) {}

  equals(other: IpPrefix): boolean {
    return this.length === other.length && this.address.equals(other.address);
  }

  contains(address: CelIpAddress): boolean {
    return address.startsWith(this.address, this.length);
  }

  containsNetwork(other: IpPrefix): boolean {
    return this.length <= other.length && this.contains(other.address);
  }

  /** Returns the network with its first address. */
  masked(): IpPrefix {
    const { family, value, bits } = this.address;
    const rest = BigInt(bits - this.length);
    return new IpPrefix(new CelIpAddress(family, (value >> rest) << rest), this.length);
  }

  toString(): string {
    return `${this.address}/${this.length}`;
  }
}

/**
 * Parses a network as CEL in Kubernetes does (`pkg/cel/library/cidr.go` of k8s.io/apiserver): as `netip.ParsePrefix` of
 * Go, but without IPv4 addresses in IPv6 form.
 */
export function parseIpPrefix(text: string): IpPrefix {
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw new Error(`'${text}' is not a network: it has no '/'`);
  const { address, zone } = parseIpWithZone(text.slice(0, slash));
  if (zone !== '') throw new Error(`'${text}' has a zone, which is not allowed`);
  const length = text.slice(slash + 1);
  if (!PREFIX_LENGTH.test(length) || Number(length) > address.bits)
    throw new Error(`'${text}' is not a network: a prefix has 0 to ${address.bits} bits`);
  return new IpPrefix(rejectMappedIpv4(address, text), Number(length));
}
