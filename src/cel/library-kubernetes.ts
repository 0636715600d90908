import type { RegisteredFunctionHandler } from 'cel-js';
import { isQuantity, parseQuantity, Quantity } from './quantity';
import { isSemver, parseSemver, type Semver } from './semver';
import { equals } from './equality';

/** The most elements of a list that `includes` takes: the most values of an attribute. */
const MOST_VALUES = 48;

/** Kubernetes' functions on quantities, by signature. */
export const QUANTITIES: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'quantity(string): kubernetes.Quantity': (text: string) => parseQuantity(text),
  'isQuantity(string): bool': (text: string) => isQuantity(text),
  'sign(kubernetes.Quantity): int': (a: Quantity) => BigInt(a.sign()),
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) => BigInt(a.order(b)),
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
    a.order(b) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.order(b) < 0,
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => a.add(b),
  'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: Quantity, b: bigint) => a.add(Quantity.of(b)),
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => a.sub(b),
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: Quantity, b: bigint) => a.sub(Quantity.of(b)),
  'kubernetes.Quantity.isInteger(): bool': (a: Quantity) => a.isInteger(),
  'kubernetes.Quantity.asInteger(): int': (a: Quantity) => a.asInteger(),
  'kubernetes.Quantity.asApproximateFloat(): double': (a: Quantity) => a.asApproximateFloat(),
};

/** Kubernetes' functions on semantic versions, by signature. */
export const VERSIONS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'semver(string): kubernetes.Semver': (text: string) => parseSemver(text),
  'semver(string, bool): kubernetes.Semver': (text: string, normalize: boolean) =>
    parseSemver(text, normalize),
  'isSemver(string): bool': (text: string) => isSemver(text),
  'isSemver(string, bool): bool': (text: string, normalize: boolean) => isSemver(text, normalize),
  'kubernetes.Semver.compareTo(kubernetes.Semver): int': (a: Semver, b: Semver) => BigInt(a.compare(b)),
  'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => a.compare(b) > 0,
  'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => a.compare(b) < 0,
  'kubernetes.Semver.major(): int': (a: Semver) => BigInt.asIntN(64, a.major),
  'kubernetes.Semver.minor(): int': (a: Semver) => BigInt.asIntN(64, a.minor),
  'kubernetes.Semver.patch(): int': (a: Semver) => BigInt.asIntN(64, a.patch),
};

/** Kubernetes' function on list attributes, which takes a scalar for a list of one. */
export const LIST_ATTRIBUTES: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'dyn.includes(dyn): bool'(attribute: unknown, value: unknown) {
    if (!Array.isArray(attribute)) return equals(attribute, value);
    if (attribute.length <= MOST_VALUES) return attribute.some((element) => equals(element, value));
    throw new Error(`'includes' cannot be applied to a list of more than ${MOST_VALUES} values`);
  },
};

/**
 * What may stand on the two sides of `==`, either way round, besides CEL's own types. The types are what matters:
 * `equality` decides when an expression runs.
 */
export const EQUALITIES = [
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'net.IP',
  'net.CIDR',
  'kubernetes.URL',
  'kubernetes.NamedFormat',
  'optional<dyn>',
].flatMap((type) => [`${type} == ${type}`, `${type} == null`]);
