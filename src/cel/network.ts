import { Address, readAddress, unmapped } from './address';

const LENGTH = /^(?:0|[1-9]\d*)$/;

/** An immutable IP address with the length of a prefix: `10.1.2.3/8`. The address need not begin its network. */
export class Network {
  // Private to the language as well: CEL macros go over the keys of an object.
  readonly #address: Address;
  readonly #length: number;

  constructor(address: Address, length: number) {
    this.#address = address;
    this.#length = length;
  }

  get address(): Address {
    return this.#address;
  }

  /** How many bits the prefix has. */
  get length(): number {
    return this.#length;
  }

  equals(other: Network): boolean {
    return this.#length === other.#length && this.#address.equals(other.#address);
  }

  contains(address: Address): boolean {
    return address.startsWith(this.#address, this.#length);
  }

  containsNetwork(other: Network): boolean {
    return this.#length <= other.#length && this.contains(other.#address);
  }

  /** The network with the first of its addresses. */
  masked(): Network {
    const { family, value, bits } = this.#address;
    const rest = BigInt(bits - this.#length);
    return new Network(new Address(family, (value >> rest) << rest), this.#length);
  }

  toString(): string {
    return `${this.#address}/${this.#length}`;
  }
}

/**
 * Reads a network as Kubernetes takes one in CEL (`pkg/cel/library/cidr.go` of k8s.io/apiserver), which is what Go's
 * `netip.ParsePrefix` takes but for IPv4 addresses in the form of IPv6.
 *
 * Throws an `Error` whose message is a clause that names the text.
 */
export function parseNetwork(text: string): Network {
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw new Error(`'${text}' is no network: it has no '/'`);
  const { address, zone } = readAddress(text.slice(0, slash));
  if (zone !== '') throw new Error(`'${text}' has a zone, which is not allowed`);
  const length = text.slice(slash + 1);
  if (!LENGTH.test(length) || Number(length) > address.bits)
    throw new Error(`'${text}' is no network: a prefix has 0 to ${address.bits} bits`);
  return new Network(unmapped(address, text), Number(length));
}
