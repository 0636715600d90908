import { allNodesOf, type AstNode, callOf, childrenOf, isIdentifier } from './syntax-tree';

/**
 * The outcomes of a comparison for which a relation holds, as a bit set of less, equal and greater. `<=` is less or
 * equal, its negation is greater, and with its sides swapped it is greater or equal.
 */
type OrderSet = number;

const LESS = 1;
const EQUAL = 2;
export const GREATER = 4;
const ALL = LESS | EQUAL | GREATER;

/** A relation between a value that a device publishes and another value. */
export interface Relation {
  /** The side that reads the device. */
  readonly subject: AstNode;

  readonly orders: OrderSet;

  readonly other: AstNode;
}

const OPERATORS: Readonly<Record<string, OrderSet>> = {
  '<': LESS,
  '<=': LESS | EQUAL,
  '==': EQUAL,
  '!=': LESS | GREATER,
  '>=': GREATER | EQUAL,
  '>': GREATER,
};
const METHODS: Readonly<Record<string, OrderSet>> = { isLessThan: LESS, isGreaterThan: GREATER };

/** The phrase between the value and the other side of a relation that does not hold, by the accepted orders. */
export const UNMET_PHRASES: Readonly<Record<OrderSet, string>> = {
  [LESS]: 'is at least',
  [LESS | EQUAL]: 'is greater than',
  [GREATER | EQUAL]: 'is less than',
  [GREATER]: 'is at most',
};

export const MUST_EQUAL = EQUAL;
export const MUST_DIFFER = LESS | GREATER;

/** Returns the relation with the device that a node states, if any. It is negated unless it is `wanted`. */
export function relationOf(node: AstNode, wanted: boolean): Relation | undefined {
  const relation = relationOfMethod(node) ?? relationOfOperator(node);
  if (!relation) return undefined;
  const orders = wanted ? relation.orders : ALL & ~relation.orders;
  const { subject, other } = relation;
  if (readsDevice(subject)) return { subject, orders, other };
  return readsDevice(other) ? { subject: other, orders: swapSides(orders), other: subject } : undefined;
}

export function readsDevice(node: AstNode): boolean {
  return allNodesOf(node).some((part) => isIdentifier(part, 'device'));
}

/** `a.isGreaterThan(b)` */
function relationOfMethod(node: AstNode): Relation | undefined {
  const call = callOf(node);
  const orders = call && METHODS[call.name];
  const [other] = call?.args ?? [];
  return call?.receiver && orders && other ? { subject: call.receiver, orders, other } : undefined;
}

/** `a < b`, or `a.compareTo(b) < 0`, which is equivalent. */
function relationOfOperator(node: AstNode): Relation | undefined {
  const orders = OPERATORS[node.op];
  const [left, right] = childrenOf(node);
  if (orders === undefined || !left || !right) return undefined;
  const flipped = swapSides(orders);
  return (
    relationOfCompareTo(left, orders, right) ??
    relationOfCompareTo(right, flipped, left) ?? { subject: left, orders, other: right }
  );
}

/** `a.compareTo(b) < 0`. Returns `undefined` if the number makes the comparison always or never true. */
function relationOfCompareTo(node: AstNode, orders: OrderSet, number: AstNode): Relation | undefined {
  const call = callOf(node);
  const [other] = call?.args ?? [];
  const bound = integerOf(number);
  if (call?.name !== 'compareTo' || !call.receiver || !other || bound === undefined) return undefined;
  const passing = ([-1n, 0n, 1n] as const).filter((result) => orders & orderOf(result, bound));
  const wanted = passing.reduce((sum, result) => sum | orderOf(result, 0n), 0);
  return wanted === 0 || wanted === ALL ? undefined : { subject: call.receiver, orders: wanted, other };
}

function orderOf(a: bigint, b: bigint): OrderSet {
  return a < b ? LESS : a > b ? GREATER : EQUAL;
}

function integerOf(node: AstNode): bigint | undefined {
  if (node.op === 'value') return typeof node.args === 'bigint' ? node.args : undefined;
  const positive = node.op === '-_' ? integerOf(node.args) : undefined;
  return positive === undefined ? undefined : -positive;
}

function swapSides(orders: OrderSet): OrderSet {
  return (orders & EQUAL) | (orders & LESS ? GREATER : 0) | (orders & GREATER ? LESS : 0);
}
