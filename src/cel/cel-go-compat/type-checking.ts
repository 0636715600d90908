import {
  asCheckedNode,
  type CelType,
  celTypeOf,
  createEvaluationError,
  type FunctionDeclaration,
  type NodeCheck,
  type TypeRegistry,
} from '../cel-js-internals';
import { allNodesOf, type AstNode, callOf, childrenOf } from '../syntax-tree';

/** Nodes with an open type, which nothing in the expression determines: they come from an empty list or map. */
const OPEN_NODES = new WeakSet<AstNode>();

/** Lists with an open type, though their declared type is a list of dyn. */
const OPEN_LISTS = new WeakSet<AstNode>();

const READ_OPERATORS = new Set(['id', 'rcall', '[]', '[?]', '.', '.?']);

/** The result types of cel-go for operands with an open type: the types of the first overloads. */
const FIRST_OVERLOAD: Readonly<Record<string, string>> = {
  '+': 'bytes',
  '-': 'double',
  '*': 'double',
  '/': 'double',
  '%': 'int',
  '-_': 'double',
  sum: 'int',
  min: 'int',
  max: 'int',
};

/**
 * Gives values from an empty list or map the unknown type: `[].max() < 1`, `{}.a`. The library gives them a type
 * without a name, which matches no other type. cel-go infers the type from the context.
 */
export function inferOpenTypes(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    const checked = asCheckedNode(node);
    if (checked.meta.macro !== undefined) continue;
    const check = allowNullOperands(node, checked.meta.check);
    checked.setMeta('check', wrapCheck(node, check) ?? check);
  }
}

/** Marks a node of a tree for evaluation as a list with an open type. */
export function markOpenList(node: AstNode): void {
  OPEN_LISTS.add(node);
}

/** Reports whether nothing determines the type of a node. */
export function isOpenType(node: AstNode | undefined): boolean {
  return node !== undefined && OPEN_NODES.has(node);
}

/** Reports whether two nodes can have the same type, as the elements of a list must. */
export function haveSameType(a: AstNode, b: AstNode): boolean {
  const [left, right] = [celTypeOf(a), celTypeOf(b)];
  if (left?.name === 'type' && a.op === 'id' && b.op === 'id') return a.args === b.args;
  return OPEN_NODES.has(a) || OPEN_NODES.has(b) || !left || !right || areEquivalent(left, right);
}

function wrapCheck(node: AstNode, check: NodeCheck): NodeCheck | undefined {
  if (mayFailLate(node)) return (...args) => deferFailure(node, check, args);
  if (node.op === '?:') return (...args) => typeOfChoice(node.args.slice(1), node, check(...args));
  if (node.op === 'list') return (...args) => typeOfList(node.args, check(...args), args[0]);
  if (READ_OPERATORS.has(node.op)) return (...args) => closeType(node, check(...args), args[0]);
  return node.op in FIRST_OVERLOAD ? (...args) => typeOfCalculation(node, check(...args), args[0]) : undefined;
}

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** `null[0]`, `null < device.attributes["d"].x`: cel-go rejects them only during evaluation. */
function mayFailLate(node: AstNode): boolean {
  if (node.op === '[]') return isNull(node.args[0]);
  const binary = ORDERS.has(node.op) || (node.op in FIRST_OVERLOAD && node.op !== '-_');
  return binary && childrenOf(node).some(isNull);
}

function isNull(node: AstNode): boolean {
  return node.op === 'value' && node.args === null;
}

function deferFailure(node: AstNode, check: NodeCheck, args: Parameters<NodeCheck>): CelType {
  try {
    return check(...args);
  } catch (error) {
    const other = childrenOf(node).find((operand) => !isNull(operand));
    if (node.op !== '[]' && other && celTypeOf(other)?.kind !== 'dyn') throw error;
    return args[0].getType(ORDERS.has(node.op) ? 'bool' : 'dyn');
  }
}

/** Returns the type of a node, or the unknown type if it is open. */
function closeType(node: AstNode, type: CelType, checker: TypeRegistry): CelType {
  const { name = '', receiver } = callOf(node) ?? {};
  if (receiver && type.kind === 'list' && OPEN_LISTS.has(receiver)) OPEN_LISTS.add(node);
  if (INTEGER_LISTS.has(name)) restrictToIntegers(node);
  const list = receiver && celTypeOf(receiver);
  if (TYPED_BY_ELEMENTS.has(name) && list?.kind === 'dyn') return checker.getType('dyn');
  if (name === 'sort' && type.valueType?.kind === 'param') return checker.getType('list<int>');
  return type.kind === 'param' ? typeOfOpen(node, name, checker) : type;
}

function typeOfOpen(node: AstNode, name: string, checker: TypeRegistry): CelType {
  const first = FIRST_OVERLOAD[name];
  if (first !== undefined) return checker.getType(first);
  OPEN_NODES.add(node);
  return checker.getType('dyn');
}

/** Functions of lists with one overload per element type. For an open element type, cel-go uses the first overload. */
const INTEGER_LISTS = new Set(['isSorted', 'sum', 'min', 'max', 'sort']);

/** The functions among them that return an element or a list. Unknown lists make their result type unknown. */
const TYPED_BY_ELEMENTS = new Set(['sum', 'min', 'max', 'sort']);

/** `attribute.reverse().isSorted()`: the type of the list is open, so cel-go uses the overload for integers. */
function restrictToIntegers(node: AstNode): void {
  const checked = asCheckedNode(node);
  const [list] = checked.receiverWithArgs ?? [];
  const { handle } = checked;
  if (!handle || !list) return;
  if (!OPEN_LISTS.has(list) && celTypeOf(list)?.valueType?.kind !== 'param') return;
  checked.handle = (...call) => {
    const [[elements]] = call as unknown as readonly [readonly unknown[]];
    const first: unknown = Array.isArray(elements) ? elements[0] : undefined;
    if (first === undefined || typeof first === 'bigint') return handle(...call);
    throw createEvaluationError(`no such overload: the list is assumed to have integers`, node);
  };
}

/** Returns the type of a choice. If one side is open, it is the type of the other side. */
function typeOfChoice(sides: readonly AstNode[], node: AstNode, type: CelType): CelType {
  const known = sides.filter((side) => !OPEN_NODES.has(side));
  if (known.length === 0) OPEN_NODES.add(node);
  return known.length === 1 && known[0] ? (celTypeOf(known[0]) ?? type) : type;
}

/** Returns the type of a list. Open elements have the type of the other elements. */
function typeOfList(elements: readonly AstNode[], type: CelType, checker: TypeRegistry): CelType {
  const known = elements.filter((element) => !OPEN_NODES.has(element));
  const [name, ...others] = known.map((element) => celTypeOf(element)?.name);
  const closes = known.length < elements.length && name !== undefined && others.every((other) => other === name);
  return closes ? checker.getType(`list<${name}>`) : type;
}

/** Returns the type of a calculation. Open operands have the type of the other operands. */
function typeOfCalculation(node: AstNode, type: CelType, checker: TypeRegistry): CelType {
  const operands = childrenOf(node);
  const known = operands.filter((operand) => !OPEN_NODES.has(operand));
  if (known.length === operands.length) return widestType(operands, type);
  const [other] = known;
  return other ? (celTypeOf(other) ?? type) : checker.getType(FIRST_OVERLOAD[node.op] ?? 'dyn');
}

/** The concatenation of two lists has unknown element types if one of the lists has. */
function widestType(operands: readonly AstNode[], type: CelType): CelType {
  if (type.kind !== 'list') return type;
  const types = operands.flatMap((operand) => celTypeOf(operand) ?? []);
  return types.find(({ kind, hasDynType }) => kind === 'list' && hasDynType) ?? type;
}

function areEquivalent(a: CelType, b: CelType): boolean {
  if (a.kind === 'param' || b.kind === 'param') return true;
  if (a.kind !== b.kind) return false;
  if (!a.valueType || !b.valueType) return a.name === b.name;
  return areEquivalent(a.valueType, b.valueType) && (!a.keyType || !b.keyType || areEquivalent(a.keyType, b.keyType));
}

/** Operations that accept null operands in cel-go, with functions that return their type for such operands. */
const OPERATIONS: Readonly<Record<string, (node: AstNode, checker: TypeRegistry) => CelType | undefined>> = {
  call: typeOfCall,
  rcall: typeOfCall,
  '?:': typeOfNullChoice,
  in: typeOfNullMembership,
};

/** Kinds of types that include null in cel-go: messages and optionals. */
const NULLABLE = new Set(['message', 'optional']);

/** Makes null valid for a Kubernetes type: `null.isLoopback()`. cel-go rejects it only during evaluation. */
function allowNullOperands(node: AstNode, check: NodeCheck): NodeCheck {
  const typeWithNull = OPERATIONS[node.op];
  if (!typeWithNull) return check;
  return (...args) => {
    try {
      return check(...args);
    } catch (error) {
      const type = typeWithNull(node, args[0]);
      if (type) return type;
      throw error;
    }
  };
}

function typeOfNullChoice(node: AstNode): CelType | undefined {
  const [, yes, no] = childrenOf(node).map(celTypeOf);
  if (yes?.name === 'null' && isNullable(no)) return no;
  return no?.name === 'null' && isNullable(yes) ? yes : undefined;
}

/** `null in [quantity("1")]` */
function typeOfNullMembership(node: AstNode, checker: TypeRegistry): CelType | undefined {
  const [value, range] = childrenOf(node).map(celTypeOf);
  if (value?.name !== 'null' || range?.kind !== 'list' || !isNullable(range.valueType)) return undefined;
  asCheckedNode(node).handle = () => false;
  return checker.getType('bool');
}

function typeOfCall(node: AstNode): CelType | undefined {
  const operands = childrenOf(node).map(celTypeOf);
  const checked = asCheckedNode(node);
  if (!checked.candidates || !operands.some((type) => type?.name === 'null')) return undefined;
  const found = [...checked.candidates].find((candidate) => acceptsOperands(candidate, operands));
  checked.handle ??= () => {
    throw createEvaluationError('no such overload: null is not a value of a type of Kubernetes', node);
  };
  return found?.returnType;
}

function acceptsOperands(
  { receiverType, argTypes }: FunctionDeclaration,
  operands: readonly (CelType | undefined)[],
): boolean {
  const declared = receiverType ? [receiverType, ...argTypes] : argTypes;
  return declared.every((type, i) => {
    const operand = operands[i];
    return operand?.name === 'null' ? isNullable(type) : operand !== undefined && type.matches(operand);
  });
}

function isNullable(type: CelType | undefined): boolean {
  return type !== undefined && NULLABLE.has(type.kind);
}
