import { Optional, type RegisteredFunctionHandler } from 'cel-js';
import { succeeds } from '../../base/errors';
import { equals } from '../values/comparison';
import { type CelIpAddress, type IpPrefix, parseCelIpAddress, parseIpPrefix } from '../values/ip-address';
import { NAMED_FORMATS, type NamedFormat } from '../values/named-formats';
import { isQuantity, parseQuantity, Quantity } from '../values/quantity';
import { isSemver, parseSemver, type Semver } from '../values/semver';
import { checkUrl, parseUrl, type Url } from '../values/url';

type Functions = Readonly<Record<string, RegisteredFunctionHandler>>;

/** The maximum number of elements that `includes` accepts, which is the maximum number of attribute values. */
const MAX_ATTRIBUTE_VALUES = 48;

const PREDICATES: Readonly<Record<string, (address: CelIpAddress) => boolean>> = {
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

/** The functions of the CEL libraries of Kubernetes (`pkg/cel/library` of k8s.io/apiserver), by signature. */
export const KUBERNETES_FUNCTIONS: Functions = {
  'quantity(string): kubernetes.Quantity': parseQuantity,
  'isQuantity(string): bool': isQuantity,
  'sign(kubernetes.Quantity): int': (a: Quantity) => BigInt(a.sign()),
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) => BigInt(a.order(b)),
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.order(b) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.order(b) < 0,
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => a.add(b),
  'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: Quantity, b: bigint) => a.add(Quantity.of(b)),
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => a.sub(b),
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: Quantity, b: bigint) => a.sub(Quantity.of(b)),
  'kubernetes.Quantity.isInteger(): bool': (a: Quantity) => a.isInteger(),
  'kubernetes.Quantity.asInteger(): int': (a: Quantity) => a.asInteger(),
  'kubernetes.Quantity.asApproximateFloat(): double': (a: Quantity) => a.asApproximateFloat(),

  'semver(string): kubernetes.Semver': parseSemver,
  'semver(string, bool): kubernetes.Semver': parseSemver,
  'isSemver(string): bool': isSemver,
  'isSemver(string, bool): bool': isSemver,
  'kubernetes.Semver.compareTo(kubernetes.Semver): int': (a: Semver, b: Semver) => BigInt(a.compare(b)),
  'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => a.compare(b) > 0,
  'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => a.compare(b) < 0,
  'kubernetes.Semver.major(): int': (a: Semver) => BigInt.asIntN(64, a.major),
  'kubernetes.Semver.minor(): int': (a: Semver) => BigInt.asIntN(64, a.minor),
  'kubernetes.Semver.patch(): int': (a: Semver) => BigInt.asIntN(64, a.patch),

  'ip(string): net.IP': parseCelIpAddress,
  'isIP(string): bool': (text: string) => succeeds(() => parseCelIpAddress(text)),
  'IpNamespace.isCanonical(string): bool': (_: unknown, text: string) => String(parseCelIpAddress(text)) === text,
  'net.IP.family(): int': (address: CelIpAddress) => BigInt(address.family),
  ...Object.fromEntries(Object.entries(PREDICATES).map(([name, is]) => [`net.IP.${name}(): bool`, is])),
  'String(net.IP): string': String,
  'cidr(string): net.CIDR': parseIpPrefix,
  'isCIDR(string): bool': (text: string) => succeeds(() => parseIpPrefix(text)),
  'net.CIDR.containsIP(net.IP): bool': (network: IpPrefix, address: CelIpAddress) => network.contains(address),
  'net.CIDR.containsIP(string): bool': (network: IpPrefix, text: string) => network.contains(parseCelIpAddress(text)),
  'net.CIDR.containsCIDR(net.CIDR): bool': (network: IpPrefix, other: IpPrefix) => network.containsNetwork(other),
  'net.CIDR.containsCIDR(string): bool': (network: IpPrefix, text: string) =>
    network.containsNetwork(parseIpPrefix(text)),
  'net.CIDR.ip(): net.IP': (network: IpPrefix) => network.address,
  'net.CIDR.masked(): net.CIDR': (network: IpPrefix) => network.masked(),
  'net.CIDR.prefixLength(): int': (network: IpPrefix) => BigInt(network.length),
  'String(net.CIDR): string': String,

  'url(string): kubernetes.URL': parseUrl,
  'isURL(string): bool': (text: string) => succeeds(() => checkUrl(text)),
  'kubernetes.URL.getScheme(): string': (url: Url) => url.scheme,
  'kubernetes.URL.getHost(): string': (url: Url) => url.host,
  'kubernetes.URL.getHostname(): string': (url: Url) => url.hostname,
  'kubernetes.URL.getPort(): string': (url: Url) => url.port,
  'kubernetes.URL.getEscapedPath(): string': (url: Url) => url.escapedPath,
  'kubernetes.URL.getQuery(): map<string, list<string>>': (url: Url) => url.query,

  ...Object.fromEntries(
    [...NAMED_FORMATS].map(([name, format]) => [`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format]),
  ),
  'FormatNamespace.named(string): optional<kubernetes.NamedFormat>': (_: unknown, name: string) =>
    Optional.of(NAMED_FORMATS.get(name)),
  'kubernetes.NamedFormat.validate(string): optional<list<string>>': (format: NamedFormat, text: string) => {
    const wrong = format.validate(text);
    return wrong.length > 0 ? Optional.of(wrong) : Optional.none();
  },
};

/** The Kubernetes function on list attributes. It treats a scalar as a list with one element. */
export const LIST_ATTRIBUTE_FUNCTIONS: Functions = {
  'dyn.includes(dyn): bool'(attribute: unknown, value: unknown) {
    if (!Array.isArray(attribute)) return equals(attribute, value);
    if (attribute.length <= MAX_ATTRIBUTE_VALUES) return attribute.some((element) => equals(element, value));
    throw new Error(`'includes' cannot be applied to a list of more than ${MAX_ATTRIBUTE_VALUES} values`);
  },
};

function isLoopback({ family, value }: CelIpAddress): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

function isMulticast({ family, value }: CelIpAddress): boolean {
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

function isLinkLocalUnicast({ family, value }: CelIpAddress): boolean {
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}
