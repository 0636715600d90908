import {
  asCheckedNode,
  type CelType,
  type CheckedNode,
  createEvaluationError,
  type FunctionDeclaration,
} from '../cel-js-internals';
import { allNodesOf, type AstNode, callOf, childrenOf } from '../syntax-tree';

/** Parts whose type nothing tells: they come from an empty list or map. */
const OPEN_NODES = new WeakSet<AstNode>();

/** Lists of parts that are open, though their type is one of lists of anything. */
const OPEN_LISTS = new WeakSet<AstNode>();

const READ_OPERATORS = new Set(['id', 'rcall', '[]', '[?]', '.', '.?']);

/** What cel-go has operators and functions give for operands of open type: the type of their first overload. */
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
 * Makes what comes out of an empty list or map be of the unknown type where the library has a type without a name,
 * which fits nothing: `[].max() < 1`, `{}.a`. cel-go has it be of whatever type its place asks for.
 */
export function inferOpenTypes(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    const checked = asCheckedNode(node);
    if (checked.meta.macro !== undefined) continue;
    const check = allowNullOperands(node, checked.meta.check);
    checked.setMeta('check', wrapCheck(node, check) ?? check);
  }
}

/** Takes a part that is run for a list of whatever type its place asks for. */
export function markOpenList(node: AstNode): void {
  OPEN_LISTS.add(node);
}

/** Whether nothing tells the type of a part. */
export function isOpenType(node: AstNode | undefined): boolean {
  return node !== undefined && OPEN_NODES.has(node);
}

/** Whether two parts can have one type, as the elements of a list must. */
export function haveSameType(a: AstNode, b: AstNode): boolean {
  const [left, right] = [asCheckedNode(a).checkedType, asCheckedNode(b).checkedType];
  if (left?.name === 'type' && a.op === 'id' && b.op === 'id') return a.args === b.args;
  return OPEN_NODES.has(a) || OPEN_NODES.has(b) || !left || !right || areEquivalent(left, right);
}

type NodeCheck = CheckedNode['meta']['check'];

function wrapCheck(node: AstNode, check: NodeCheck): NodeCheck | undefined {
  if (mayFailLate(node)) return (...site) => deferFailure(node, check, site);
  if (node.op === '?:') return (...site) => typeOfChoice(node.args.slice(1), node, check(...site));
  if (node.op === 'list') return (...site) => typeOfList(node.args, check(...site), site[0]);
  if (READ_OPERATORS.has(node.op)) return (...site) => closeType(node, check(...site), site[0]);
  return node.op in FIRST_OVERLOAD
    ? (...site) => typeOfCalculation(node, check(...site), site[0])
    : undefined;
}

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** `null[0]`, `null < device.attributes["d"].x`: cel-go finds them wrong only when they run. */
function mayFailLate(node: AstNode): boolean {
  if (node.op === '[]') return isNull(node.args[0]);
  const binary = ORDERS.has(node.op) || (node.op in FIRST_OVERLOAD && node.op !== '-_');
  return binary && childrenOf(node).some(isNull);
}

function isNull(node: AstNode): boolean {
  return node.op === 'value' && node.args === null;
}

function deferFailure(node: AstNode, check: NodeCheck, site: Parameters<NodeCheck>): CelType {
  try {
    return check(...site);
  } catch (error) {
    const other = childrenOf(node).find((operand) => !isNull(operand));
    if (node.op !== '[]' && other && asCheckedNode(other).checkedType?.kind !== 'dyn') throw error;
    return site[0].getType(ORDERS.has(node.op) ? 'bool' : 'dyn');
  }
}

/** The type of a part, the unknown one where it is open. */
function closeType(node: AstNode, type: CelType, checker: Parameters<NodeCheck>[0]): CelType {
  const { name = '', receiver } = callOf(node) ?? {};
  if (receiver && type.kind === 'list' && OPEN_LISTS.has(receiver)) OPEN_LISTS.add(node);
  if (INTEGER_LISTS.has(name)) takeIntegersAlone(node);
  if (isOfUnknownList(name, receiver)) return checker.getType('dyn');
  if (name === 'sort' && type.valueType?.kind === 'param') return checker.getType('list<int>');
  return type.kind === 'param' ? typeOfOpen(node, name, checker) : type;
}

function typeOfOpen(node: AstNode, name: string, checker: Parameters<NodeCheck>[0]): CelType {
  const first = FIRST_OVERLOAD[name];
  if (first !== undefined) return checker.getType(first);
  OPEN_NODES.add(node);
  return checker.getType('dyn');
}

/** Whether a function gives what a list of unknown type holds. */
function isOfUnknownList(name: string, receiver: AstNode | undefined): boolean {
  return TYPED_BY_ELEMENTS.has(name) && !!receiver && asCheckedNode(receiver).checkedType?.kind === 'dyn';
}

/** Functions of lists of one type of elements each, of which cel-go takes the first where nothing tells that type. */
const INTEGER_LISTS = new Set(['isSorted', 'sum', 'min', 'max', 'sort']);

/** Those of them that give an element, or a list of its type: nobody knows of which where nobody knows the list's. */
const TYPED_BY_ELEMENTS = new Set(['sum', 'min', 'max', 'sort']);

/** `attribute.reverse().isSorted()`: the list of an attribute is of whatever type its place asks for, and then of it. */
function takeIntegersAlone(node: AstNode): void {
  const checked = asCheckedNode(node);
  const [list] = checked.receiverWithArgs ?? [];
  const { handle } = checked;
  if (!handle || !list) return;
  if (!OPEN_LISTS.has(list) && asCheckedNode(list).checkedType?.valueType?.kind !== 'param') return;
  checked.handle = (...call) => {
    const [[elements]] = call as unknown as readonly [readonly unknown[]];
    const first: unknown = Array.isArray(elements) ? elements[0] : undefined;
    if (first === undefined || typeof first === 'bigint') return handle(...call);
    throw createEvaluationError(`no such overload: the list is taken for one of integers`, node);
  };
}

/** The type of a choice: that of the other side where one is open. */
function typeOfChoice(sides: readonly AstNode[], node: AstNode, type: CelType): CelType {
  const known = sides.filter((side) => !OPEN_NODES.has(side));
  if (known.length === 0) OPEN_NODES.add(node);
  return known.length === 1 && known[0] ? (asCheckedNode(known[0]).checkedType ?? type) : type;
}

/** The type of a list some of whose elements are open: they are of the type of the others. */
function typeOfList(elements: readonly AstNode[], type: CelType, checker: Parameters<NodeCheck>[0]): CelType {
  const known = elements.filter((element) => !OPEN_NODES.has(element));
  const [name, ...others] = known.map((element) => asCheckedNode(element).checkedType?.name);
  const closes = known.length < elements.length && name !== undefined && others.every((one) => one === name);
  return closes ? checker.getType(`list<${name}>`) : type;
}

/** The type of what is calculated with parts of which some are open: they are of the type of the others. */
function typeOfCalculation(node: AstNode, type: CelType, checker: Parameters<NodeCheck>[0]): CelType {
  const operands = childrenOf(node);
  const known = operands.filter((operand) => !OPEN_NODES.has(operand));
  if (known.length === operands.length) return widestType(operands, type);
  const [other] = known;
  return other
    ? (asCheckedNode(other).checkedType ?? type)
    : checker.getType(FIRST_OVERLOAD[node.op] ?? 'dyn');
}

/** Two lists of which one has elements of unknown type make another such list. */
function widestType(operands: readonly AstNode[], type: CelType): CelType {
  if (type.kind !== 'list') return type;
  const types = operands.flatMap((operand) => asCheckedNode(operand).checkedType ?? []);
  return types.find(({ kind, hasDynType }) => kind === 'list' && hasDynType) ?? type;
}

function areEquivalent(a: CelType, b: CelType): boolean {
  if (a.kind === 'param' || b.kind === 'param') return true;
  if (a.kind !== b.kind) return false;
  if (!a.valueType || !b.valueType) return a.name === b.name;
  return (
    areEquivalent(a.valueType, b.valueType) &&
    (!a.keyType || !b.keyType || areEquivalent(a.keyType, b.keyType))
  );
}

type NodeTypeRegistry = Parameters<NodeCheck>[0];

/** Parts whose operands cel-go lets be null, with the types that they have then. */
const OPERATIONS: Readonly<
  Record<string, (node: AstNode, checker: NodeTypeRegistry) => CelType | undefined>
> = {
  call: typeOfCall,
  rcall: typeOfCall,
  '?:': typeOfNullChoice,
  in: typeOfNullMembership,
};

/** Types that have null among their values for cel-go: those of messages, and optionals. */
const NULLABLE = new Set(['message', 'optional']);

/**
 * The check of a part that lets null stand for a value of a type of Kubernetes: `null.isLoopback()`. cel-go finds that
 * wrong only when it runs.
 */
export function allowNullOperands(node: AstNode, check: NodeCheck): NodeCheck {
  const typeWithNull = OPERATIONS[node.op];
  if (!typeWithNull) return check;
  return (...site) => {
    try {
      return check(...site);
    } catch (error) {
      const type = typeWithNull(node, site[0]);
      if (type) return type;
      throw error;
    }
  };
}

/** The type of a choice between null and something else. */
function typeOfNullChoice(node: AstNode): CelType | undefined {
  const [, yes, no] = childrenOf(node).map((side) => asCheckedNode(side).checkedType);
  if (yes?.name === 'null' && isNullable(no)) return no;
  return no?.name === 'null' && isNullable(yes) ? yes : undefined;
}

/** `null in [quantity("1")]` */
function typeOfNullMembership(node: AstNode, checker: NodeTypeRegistry): CelType | undefined {
  const [value, range] = childrenOf(node).map((operand) => asCheckedNode(operand).checkedType);
  if (value?.name !== 'null' || range?.kind !== 'list' || !isNullable(range.valueType)) return undefined;
  asCheckedNode(node).handle = () => false;
  return checker.getType('bool');
}

function typeOfCall(node: AstNode): CelType | undefined {
  const operands = childrenOf(node).map((operand) => asCheckedNode(operand).checkedType);
  const checked = asCheckedNode(node);
  if (!checked.candidates || !operands.some((type) => type?.name === 'null')) return undefined;
  const found = [...checked.candidates].find((one) => acceptsOperands(one, operands));
  checked.handle ??= () => {
    throw createEvaluationError('no such overload: null is no value of a type of Kubernetes', node);
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
