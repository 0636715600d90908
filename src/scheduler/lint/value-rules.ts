import type { ComparisonOperator } from '../../api/select/condition';
import { findQuantityFault, isByteName, LEAST_DEVICE_MEMORY, LEAST_MEMORY } from '../../api/schema/quantity-faults';
import { findContradiction, type ValueBound } from '../../api/select/where-value';
import { type Diagnostic, errorAt, type Span, warningAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { AttributeType } from '../../catalog/drivers';
import { GREATER, readsDevice, type Relation, relationOf } from '../../cel/attribute-comparison';
import { prepareDevice } from '../../cel/device';
import { compileSelector } from '../../cel/selector';
import {
  allNodesOf,
  type AstNode,
  attributeAccessOf,
  callOf,
  childrenOf,
  stringLiteralOf,
} from '../../cel/syntax-tree';
import { isQuantity } from '../../cel/values/quantity';
import { isSemver } from '../../cel/values/semver';
import type { SelectorContext, SelectorPart } from './selector-context';

/** Checks comparisons of a published value with a value of another type. */
export function* checkComparedTypes(subject: SelectorContext): Generator<Diagnostic<Span>> {
  for (const part of subject.parts) {
    const mismatch = findComparedTypes(part) ?? findTextMethod(part);
    const type = mismatch && typeOfName(subject, mismatch.name);
    if (!mismatch || !type || mismatch.types.includes(type)) continue;
    const [label, other] = [nameOf(mismatch.name), subject.text(mismatch.other)];
    const what = `'${label}' is ${NOUNS[type]}, and ${other} is ${NOUNS[mismatch.types[0] ?? 'string']}: the comparison fails or is never true`;
    const hint = HINTS[type](subject.text(mismatch.name));
    yield (part.certain ? errorAt : warningAt)('wrong-comparison', subject.span(part.node), what, hint);
  }
}

/** Checks for amounts that no device has: `quantity("22GB")` fails wherever it is evaluated, and "22" of memory are bytes. */
export function* checkAmounts(subject: SelectorContext): Generator<Diagnostic<Span>> {
  for (const { node } of subject.parts) {
    const relation = relationOf(node, true);
    const least = relation && leastOf(relation);
    for (const literal of allNodesOf(node)) {
      const call = callOf(literal);
      const text = call?.name === 'quantity' && !call.receiver ? stringLiteralOf(call.args[0]) : undefined;
      const fault = text === undefined ? undefined : findQuantityFault(text, { least });
      if (text === undefined || !fault) continue;
      const at = subject.span(literal);
      if (isQuantity(text)) yield warningAt('wrong-amount', at, fault.what, fault.hint);
      else yield errorAt('wrong-amount', at, fault.what, fault.hint);
    }
  }
}

/** The least amount of bytes that a comparison can mean. Undefined for other amounts. */
function leastOf({ subject, orders }: Relation): number | undefined {
  const name = nameOf(subject);
  if (!isByteName(name)) return undefined;
  return name === 'memory' && (orders & GREATER) !== 0 ? LEAST_DEVICE_MEMORY : LEAST_MEMORY;
}

interface TypeMismatch {
  readonly name: AstNode;
  readonly other: AstNode;
  /** The types that the other side compares with, its own type first. */
  readonly types: readonly AttributeType[];
}

/** Finds a comparison such as `x == "9.0.0"`, `x.compareTo(quantity("1"))` or `x in ["9.0.0"]`. */
function findComparedTypes({ node }: SelectorPart): TypeMismatch | undefined {
  const relation = relationOf(node, true);
  const [item, list] = node.op === 'in' ? node.args : [];
  if (item && list?.op === 'list') {
    const [first] = list.args;
    return first && mismatchOf(item, first);
  }
  return relation && mismatchOf(relation.subject, relation.other);
}

function mismatchOf(name: AstNode, other: AstNode): TypeMismatch | undefined {
  const literal = literalOf(other);
  return attributeAccessOf(name) && literal ? { name, other, types: [literal.type] } : undefined;
}

const TEXT_METHODS = new Set(['startsWith', 'endsWith', 'contains', 'matches', 'lowerAscii', 'upperAscii']);

/** Finds a string method on a value that is not a string: `x.startsWith("9")`. */
function findTextMethod({ node }: SelectorPart): TypeMismatch | undefined {
  const call = allNodesOf(node)
    .map(callOf)
    .find((method) => method?.receiver && TEXT_METHODS.has(method.name) && attributeAccessOf(method.receiver));
  return call?.receiver ? { name: call.receiver, other: node, types: ['string'] } : undefined;
}

/** The type of a literal, and its value if it has one that can be compared. */
function literalOf(node: AstNode): { readonly type: AttributeType; readonly value?: string } | undefined {
  const text = stringLiteralOf(node);
  if (text !== undefined) return { type: 'string', value: text };
  if (node.op === 'value' && typeof node.args === 'bigint') return { type: 'int', value: String(node.args) };
  if (node.op === 'value' && typeof node.args === 'boolean') return { type: 'bool' };
  const call = callOf(node);
  if (!call || call.receiver) return undefined;
  const argument = stringLiteralOf(call.args[0]) ?? '';
  if (call.name === 'semver') return { type: 'version', ...(isSemver(argument) && { value: argument }) };
  return call.name === 'quantity' ? { type: 'quantity', ...(isQuantity(argument) && { value: argument }) } : undefined;
}

function typeOfName({ vocabulary }: SelectorContext, node: AstNode): AttributeType | undefined {
  const access = attributeAccessOf(node);
  const domain = stringLiteralOf(access?.domain);
  return access && domain !== undefined ? vocabulary.find(access.from, domain, access.name)?.type : undefined;
}

function nameOf(node: AstNode): string {
  return attributeAccessOf(node)?.name ?? '';
}

const NOUNS: Readonly<Record<AttributeType, string>> = {
  string: 'a text',
  version: 'a version',
  quantity: 'an amount',
  int: 'a whole number',
  bool: 'true or false',
};

const HINTS: Readonly<Record<AttributeType, (name: string) => string>> = {
  string: (name) => `Use ${name} == "..."`,
  version: (name) => `Use ${name}.compareTo(semver("9.0.0")) >= 0`,
  quantity: (name) => `Use ${name}.compareTo(quantity("79Gi")) >= 0`,
  int: (name) => `Use ${name} == 1, without quotes`,
  bool: (name) => `Use ${name}, or !${name}`,
};

const OPERATORS: Readonly<Record<number, ComparisonOperator>> = { 1: '<', 2: '==', 3: '<=', 4: '>', 5: '!=', 6: '>=' };

interface WrittenBound {
  readonly node: AstNode;
  readonly subject: string;
  readonly type: AttributeType;
  readonly bound: ValueBound;
}

/** Checks for bounds that no device meets at once: `memory >= 80Gi` and `memory < 40Gi`. */
export function* checkBounds(subject: SelectorContext): Generator<Diagnostic<Span>> {
  const certain = subject.parts.filter((part) => part.certain);
  const written = certain.flatMap(({ node, wanted }) => boundOf(node, wanted, subject));
  for (const bounds of groupBy(written, (bound) => `${bound.type} ${bound.subject}`).values()) {
    const [first] = bounds;
    const values = bounds.map(({ bound }) => bound);
    const pair = first && findContradiction(first.type, values);
    const second = pair && bounds.find(({ bound }) => bound === pair[1]);
    const other = pair && bounds.find(({ bound }) => bound === pair[0]);
    if (!second || !other) continue;
    const what = `no device matches both this and ${subject.text(other.node)}`;
    yield errorAt('contradiction', subject.span(second.node), what, 'Keep one of the two, or use || between them');
  }
}

function boundOf(node: AstNode, wanted: boolean, subject: SelectorContext): WrittenBound[] {
  const relation = relationOf(node, wanted);
  const operator = relation && OPERATORS[relation.orders];
  const { type, value } = (relation && literalOf(relation.other)) ?? {};
  if (!relation || !operator || !type || value === undefined) return [];
  return [{ node, subject: subject.text(relation.subject), type, bound: { operator, value } }];
}

const NO_DEVICE = prepareDevice({ driver: '', attributes: {}, capacity: {} });

const COMPARISON_OPERATORS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Checks for parts whose value does not depend on the device. */
export function* checkConstants(subject: SelectorContext): Generator<Diagnostic<Span>> {
  for (const part of subject.parts) {
    const value = constantOf(part, subject);
    if (value === undefined) continue;
    const neverTrue = part.certain && value !== String(part.wanted);
    const outcome = value === 'error' ? 'always fails' : `is always ${value}`;
    const what = `${subject.text(part.node)} ${outcome}, for all devices`;
    const hint =
      'Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver';
    yield (neverTrue ? errorAt : warningAt)('constant-condition', subject.span(part.node), what, hint);
  }
}

function constantOf({ node }: SelectorPart, subject: SelectorContext): 'true' | 'false' | 'error' | undefined {
  if (comparesWithItself(node, subject))
    return node.op === '==' || (node.op.endsWith('=') && node.op !== '!=') ? 'true' : 'false';
  if (readsDevice(node)) return undefined;
  const { kind } = compileSelector(subject.text(node)).match(NO_DEVICE);
  return kind === 'error' ? 'error' : kind === 'match' ? 'true' : 'false';
}

function comparesWithItself(node: AstNode, subject: SelectorContext): boolean {
  const [left, right] = childrenOf(node);
  return COMPARISON_OPERATORS.has(node.op) && !!left && !!right && subject.text(left) === subject.text(right);
}
