import { Optional } from 'cel-js';
import {
  asCheckedNode,
  type CelType,
  celTypeOf,
  createEvaluationError,
  type OperatorHandler,
} from '../cel-js-internals';
import { allNodesOf, type AstNode, childrenOf, stringLiteralOf } from '../syntax-tree';
import { equals, evaluateEquality, ORDERED_TYPES } from '../values/comparison';
import { kindOf, numberOf } from '../values/kinds';

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** Types that the library compares as cel-go does, if the types of both sides are known: all but doubles. */
const SIMPLE = new Set([...ORDERED_TYPES].filter((type) => type !== 'double'));

/**
 * Makes the operators of a checked tree behave as in cel-go, where the library does not allow overloads: equality,
 * membership in lists, and the order of doubles, which fails for NaN.
 */
export function overrideOperators(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    // cel-go does not evaluate the left side.
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
  if (!compares || childrenOf(node).every((operand) => SIMPLE.has(celTypeOf(operand)?.name ?? ''))) return undefined;
  return node.op === '==' ? evaluateEqual : node.op === '!=' ? evaluateNotEqual : compareWith(handle);
}

/** Reports whether the key is a string literal, or the library knows the types of both operands. */
function isSimpleIndex(node: AstNode): boolean {
  const [value, key] = childrenOf(node);
  const selects = node.op === '[]' && stringLiteralOf(key) !== undefined;
  return selects || [value, key].every((part) => part && isPlain(celTypeOf(part)));
}

/** Reports whether the library finds keys of a type. Unsigned integers are objects in the library. */
function isPlain(type: CelType | undefined): boolean {
  return type?.hasDynType === false && type.name !== 'uint';
}

function findKey(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  return typeof key === 'string' ? key : [...map.keys()].find((candidate) => equals(candidate, key));
}

function isEmptyList(node: AstNode): boolean {
  return node.op === 'list' && node.args.length === 0;
}

/** Lists accept any integral number as an index, and maps accept any number that equals a key. */
function indexWith(handle: OperatorHandler): OperatorHandler {
  return (value, index, node, evaluator) => {
    const inner = value instanceof Optional && value.hasValue() ? value.value() : value;
    if (inner instanceof Map) return handle(value, findKey(inner, index) ?? index, node, evaluator);
    if (!Array.isArray(inner)) return handle(value, index, node, evaluator);
    const number = numberOf(index);
    if (number === undefined) throw createEvaluationError(`a list has no index of type ${kindOf(index)}`, node);
    return handle(value, number, node, evaluator);
  };
}

function evaluateEqual(left: unknown, right: unknown, node: AstNode): boolean {
  const result = evaluateEquality(left, right);
  if (result !== undefined) return result;
  throw createEvaluationError(`no such overload: ${describeInequality(left, right)}`, node);
}

/** An equality that fails counts as unequal. */
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
    const key = range instanceof Map ? (findKey(range, value) ?? value) : value;
    return handle(key, range, node, evaluator);
  };
}

/** Compares an integer with a double as doubles. */
function compareWith(handle: OperatorHandler): OperatorHandler {
  return (left, right, node, evaluator) => {
    if (typeof left !== 'number' && typeof right !== 'number') return handle(left, right, node, evaluator);
    if (Number.isNaN(left) || Number.isNaN(right)) throw createEvaluationError('NaN values cannot be ordered', node);
    return handle(toDouble(left), toDouble(right), node, evaluator);
  };
}

function toDouble(value: unknown): unknown {
  const number = numberOf(value);
  return typeof number === 'bigint' ? Number(number) : value;
}
