import type { RegisteredFunctionHandler } from 'cel-js';
import { isQuantity, parseQuantity, Quantity } from './quantity';
import { isSemver, parseSemver, type Semver } from './semver';
import { equals } from './values';

/** The most elements of a list that `includes` takes: the most values of an attribute. */
const MOST_VALUES = 48;

/** Results of add and sub. Kubernetes' equality fails when one stands on its right, by mistake. */
const COMPUTED = new WeakSet<Quantity>();

function computed(quantity: Quantity): Quantity {
  COMPUTED.add(quantity);
  return quantity;
}

/** Kubernetes' functions on quantities, by signature. */
export const QUANTITIES: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'quantity(string): kubernetes.Quantity': (text: string) => parseQuantity(text),
  'isQuantity(string): bool': (text: string) => isQuantity(text),
  'sign(kubernetes.Quantity): int': (a: Quantity) => BigInt(a.sign()),
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) =>
    BigInt(a.compare(b)),
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
    a.compare(b) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.compare(b) < 0,
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) =>
    computed(a.add(b)),
  'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: Quantity, b: bigint) =>
    computed(a.add(Quantity.of(b))),
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) =>
    computed(a.sub(b)),
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: Quantity, b: bigint) =>
    computed(a.sub(Quantity.of(b))),
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

/** An operator between two parts of an expression. */
interface Comparison {
  readonly op: string;
  readonly args: readonly { readonly checkedType?: { readonly kind: string } }[];
}

/** What an operator does with two values, at a place in the tree. */
export type Operator = (a: never, b: never, node: Comparison) => boolean;

/** Operators on quantities and versions. They have no order but by their functions. */
export const EQUALITIES: Readonly<Record<string, Operator>> = {
  'kubernetes.Quantity == kubernetes.Quantity': (a: Quantity, b: Quantity, { op }: Comparison) => {
    if (!COMPUTED.has(b)) return a.compare(b) === 0;
    if (op === '!=') return false;
    throw new Error(
      'no such overload: Kubernetes cannot compare with a computed amount by ==; use compareTo',
    );
  },
  'kubernetes.Semver == kubernetes.Semver': (a: Semver, b: Semver) => a.compare(b) === 0,
  'optional<dyn> == optional<dyn>': equals,
};

/**
 * To compare a version with anything else is an error for Kubernetes, where CEL's own types are just not equal. So
 * it is behind `==` alone, and only where the version stands in front.
 */
export function noVersion(_: unknown, __: unknown, { op, args: [left] }: Comparison): boolean {
  const typed = left?.checkedType !== undefined && left.checkedType.kind !== 'dyn';
  if (op === '!=' || typed) return false;
  throw new Error(
    'no such overload: a version is compared with a value of another type; write semver("1.2.3")',
  );
}
