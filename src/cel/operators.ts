import { Optional } from 'cel-js';
import { checkedNode, type Handle } from './checked-node';
import { equality, equals } from './equality';
import { typeOf } from './estimate';
import { failure, type Type } from './macro';
import { children, type Node, nodesOf, textOf } from './syntax';
import { kindOf, numberOf } from './values';

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** Types whose values the library compares as cel-go does, where both sides have one of them for sure. */
const SIMPLE = new Set([
  'string',
  'int',
  'uint',
  'bool',
  'bytes',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/**
 * Makes the operators of a checked tree do what cel-go's do, where the library has its own and takes no others:
 * equality, membership of lists, and the order of doubles, which fails for NaN.
 */
export function overrideOperators(root: Node): void {
  for (const node of nodesOf(root)) {
    // cel-go knows this without a look at what is sought.
    if (node.op === 'in' && isEmptyList(node.args[1])) checkedNode(node).setMeta('evaluate', () => false);
    const { handle } = checkedNode(node);
    const replacement = handle && overridden(node, handle);
    if (replacement) checkedNode(node).handle = replacement;
  }
}

function overridden(node: Node, handle: Handle): Handle | undefined {
  if (node.op === '[]' || node.op === '[?]') return isSimpleIndex(node) ? undefined : indexed(handle);
  if (node.op === 'in') return isEmptyList(node.args[1]) ? undefined : membership(handle);
  const compares = node.op === '==' || node.op === '!=' || ORDERS.has(node.op);
  if (!compares || children(node).every((operand) => SIMPLE.has(typeOf(operand)?.name ?? '')))
    return undefined;
  return node.op === '==' ? same : node.op === '!=' ? different : ordered(handle);
}

/** Whether a text stands there, or the library knows the types of both. */
function isSimpleIndex(node: Node): boolean {
  const [value, key] = children(node);
  const selects = node.op === '[]' && textOf(key) !== undefined;
  return selects || [value, key].every((part) => part && isPlain(typeOf(part)));
}

/** Whether the library finds keys of a type as they are: it has objects for unsigned integers. */
function isPlain(type: Type | undefined): boolean {
  return type?.hasDynType === false && type.name !== 'uint';
}

function keyIn(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  return typeof key === 'string' ? key : [...map.keys()].find((own) => equals(own, key));
}

function isEmptyList(node: Node): boolean {
  return node.op === 'list' && node.args.length === 0;
}

/**
 * A list can be indexed by any number that is whole, and a map by one that is equal to a key. `list[?index]` fails for
 * what is none, as `list[index]` does.
 */
function indexed(handle: Handle): Handle {
  return (value, index, node, evaluator) => {
    const inner = value instanceof Optional && value.hasValue() ? value.value() : value;
    if (inner instanceof Map) return handle(value, keyIn(inner, index) ?? index, node, evaluator);
    if (!Array.isArray(inner)) return handle(value, index, node, evaluator);
    const number = numberOf(index);
    if (number === undefined) throw failure(`a list has no index of type ${kindOf(index)}`, node);
    return handle(value, number, node, evaluator);
  };
}

function same(left: unknown, right: unknown, node: Node): boolean {
  const result = equality(left, right);
  if (result !== undefined) return result;
  throw failure(`no such overload: ${inequality(left, right)}`, node);
}

/** An equality that fails is no equality here. */
function different(left: unknown, right: unknown): boolean {
  return !equals(left, right);
}

function inequality(left: unknown, right: unknown): string {
  if (kindOf(left) === 'version') {
    return 'a version is compared with a value of another type; write semver("1.2.3")';
  }
  return kindOf(left) === kindOf(right)
    ? 'Kubernetes cannot compare with a computed amount by ==; use compareTo'
    : `a ${kindOf(left)} is compared with a value of another type`;
}

function membership(handle: Handle): Handle {
  return (value, range, node, evaluator) => {
    if (Array.isArray(range)) return range.some((element) => equals(value, element));
    const key = range instanceof Map ? (keyIn(range, value) ?? value) : value;
    return handle(key, range, node, evaluator);
  };
}

/** An integer is compared with a double as a double. */
function ordered(handle: Handle): Handle {
  return (left, right, node, evaluator) => {
    if (typeof left !== 'number' && typeof right !== 'number') return handle(left, right, node, evaluator);
    if (Number.isNaN(left) || Number.isNaN(right)) throw failure('NaN values cannot be ordered', node);
    return handle(asDouble(left), asDouble(right), node, evaluator);
  };
}

function asDouble(value: unknown): unknown {
  const number = numberOf(value);
  return typeof number === 'bigint' ? Number(number) : value;
}
