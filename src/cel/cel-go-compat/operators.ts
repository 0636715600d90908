import { Optional } from 'cel-js';
import {
  asCheckedNode,
  type CelType,
  celTypeOf,
  createEvaluationError,
  type OperatorHandler,
} from '../cel-js-internals';
import { allNodesOf, type AstNode, childrenOf, stringLiteralOf } from '../syntax-tree';
import { equals, evaluateEquality } from '../values/comparison';
import { kindOf, numberOf } from '../values/kinds';

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
export function overrideOperators(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    // cel-go knows this without a look at what is sought.
    if (node.op === 'in' && isEmptyList(node.args[1])) asCheckedNode(node).setMeta('evaluate', () => false);
    const { handle } = asCheckedNode(node);
    const replacement = handle && overrideHandler(node, handle);
    if (replacement) asCheckedNode(node).handle = replacement;
  }
}

function overrideHandler(node: AstNode, handle: OperatorHandler): OperatorHandler | undefined {
  if (node.op === '[]' || node.op === '[?]') return isSimpleIndex(node) ? undefined : indexWith(handle);
  if (node.op === 'in') return isEmptyList(node.args[1]) ? undefined : evaluateMembership(handle);
  const compares = node.op === '==' || node.op === '!=' || ORDERS.has(node.op);
  if (!compares || childrenOf(node).every((operand) => SIMPLE.has(celTypeOf(operand)?.name ?? '')))
    return undefined;
  return node.op === '==' ? evaluateEqual : node.op === '!=' ? evaluateNotEqual : compareWith(handle);
}

/** Whether a text stands there, or the library knows the types of both. */
function isSimpleIndex(node: AstNode): boolean {
  const [value, key] = childrenOf(node);
  const selects = node.op === '[]' && stringLiteralOf(key) !== undefined;
  return selects || [value, key].every((part) => part && isPlain(celTypeOf(part)));
}

/** Whether the library finds keys of a type as they are: it has objects for unsigned integers. */
function isPlain(type: CelType | undefined): boolean {
  return type?.hasDynType === false && type.name !== 'uint';
}

function keyIn(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  return typeof key === 'string' ? key : [...map.keys()].find((own) => equals(own, key));
}

function isEmptyList(node: AstNode): boolean {
  return node.op === 'list' && node.args.length === 0;
}

/**
 * A list can be indexed by any number that is whole, and a map by one that is equal to a key. `list[?index]` fails for
 * what is none, as `list[index]` does.
 */
function indexWith(handle: OperatorHandler): OperatorHandler {
  return (value, index, node, evaluator) => {
    const inner = value instanceof Optional && value.hasValue() ? value.value() : value;
    if (inner instanceof Map) return handle(value, keyIn(inner, index) ?? index, node, evaluator);
    if (!Array.isArray(inner)) return handle(value, index, node, evaluator);
    const number = numberOf(index);
    if (number === undefined)
      throw createEvaluationError(`a list has no index of type ${kindOf(index)}`, node);
    return handle(value, number, node, evaluator);
  };
}

function evaluateEqual(left: unknown, right: unknown, node: AstNode): boolean {
  const result = evaluateEquality(left, right);
  if (result !== undefined) return result;
  throw createEvaluationError(`no such overload: ${describeInequality(left, right)}`, node);
}

/** An equality that fails is no equality here. */
function evaluateNotEqual(left: unknown, right: unknown): boolean {
  return !equals(left, right);
}

function describeInequality(left: unknown, right: unknown): string {
  if (kindOf(left) === 'version') {
    return 'a version is compared with a value of another type; write semver("1.2.3")';
  }
  return kindOf(left) === kindOf(right)
    ? 'Kubernetes cannot compare with a computed amount by ==; use compareTo'
    : `a ${kindOf(left)} is compared with a value of another type`;
}

function evaluateMembership(handle: OperatorHandler): OperatorHandler {
  return (value, range, node, evaluator) => {
    if (Array.isArray(range)) return range.some((element) => equals(value, element));
    const key = range instanceof Map ? (keyIn(range, value) ?? value) : value;
    return handle(key, range, node, evaluator);
  };
}

/** An integer is compared with a double as a double. */
function compareWith(handle: OperatorHandler): OperatorHandler {
  return (left, right, node, evaluator) => {
    if (typeof left !== 'number' && typeof right !== 'number') return handle(left, right, node, evaluator);
    if (Number.isNaN(left) || Number.isNaN(right))
      throw createEvaluationError('NaN values cannot be ordered', node);
    return handle(toDouble(left), toDouble(right), node, evaluator);
  };
}

function toDouble(value: unknown): unknown {
  const number = numberOf(value);
  return typeof number === 'bigint' ? Number(number) : value;
}
