import type { RegisteredFunctionHandler } from 'cel-js';
import { type Address, parseAddress } from './address';
import { type Network, parseNetwork } from './network';

type Functions = Readonly<Record<string, RegisteredFunctionHandler>>;

/** Functions on addresses that are true or false of them, by name. */
const PREDICATES: Readonly<Record<string, (address: Address) => boolean>> = {
  isUnspecified: ({ value }) => value === 0n,
  isLoopback,
  isLinkLocalMulticast: ({ family, value }) =>
    family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n,
  isLinkLocalUnicast,
  isGlobalUnicast: (address) =>
    address.value !== 0n &&
    !(address.family === 4 && address.value === 0xffffffffn) &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address),
};

/** Kubernetes' functions on IP addresses and networks, by signature (`ip.go`, `cidr.go` of its CEL library). */
export const ADDRESSES: Functions = {
  'ip(string): net.IP': (text: string) => parseAddress(text),
  'isIP(string): bool': (text: string) => accepts(parseAddress, text),
  'IpNamespace.isCanonical(string): bool': (_: unknown, text: string) => String(parseAddress(text)) === text,
  'net.IP.family(): int': (address: Address) => BigInt(address.family),
  ...Object.fromEntries(Object.entries(PREDICATES).map(([name, is]) => [`net.IP.${name}(): bool`, is])),
  'String(net.IP): string': String,
  'cidr(string): net.CIDR': (text: string) => parseNetwork(text),
  'isCIDR(string): bool': (text: string) => accepts(parseNetwork, text),
  'net.CIDR.containsIP(net.IP): bool': (network: Network, address: Address) => network.contains(address),
  'net.CIDR.containsIP(string): bool': (network: Network, text: string) =>
    network.contains(parseAddress(text)),
  'net.CIDR.containsCIDR(net.CIDR): bool': (network: Network, other: Network) =>
    network.containsNetwork(other),
  'net.CIDR.containsCIDR(string): bool': (network: Network, text: string) =>
    network.containsNetwork(parseNetwork(text)),
  'net.CIDR.ip(): net.IP': (network: Network) => network.address,
  'net.CIDR.masked(): net.CIDR': (network: Network) => network.masked(),
  'net.CIDR.prefixLength(): int': (network: Network) => BigInt(network.length),
  'String(net.CIDR): string': String,
};

/** Whether a text is what a function reads. */
function accepts(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

function isLoopback({ family, value }: Address): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

function isMulticast({ family, value }: Address): boolean {
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

function isLinkLocalUnicast({ family, value }: Address): boolean {
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}
