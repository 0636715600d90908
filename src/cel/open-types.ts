import { type CheckedNode, checkedNode } from './checked-node';
import { failure, type Type } from './macro';
import { lettingNull } from './null-operands';
import { callOf, children, type Node, nodesOf } from './syntax';

/** Parts whose type nothing tells: they come from an empty list or map. */
const OPEN = new WeakSet<Node>();

/** Lists of parts that are open, though their type is one of lists of anything. */
const OPEN_LISTS = new WeakSet<Node>();

const READING = new Set(['id', 'rcall', '[]', '[?]', '.', '.?']);

/** What cel-go has operators and functions give for operands of open type: the type of their first overload. */
const FIRST: Readonly<Record<string, string>> = {
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
export function openTypes(root: Node): void {
  for (const node of nodesOf(root)) {
    const checked = checkedNode(node);
    if (checked.meta.macro !== undefined) continue;
    const check = lettingNull(node, checked.meta.check);
    checked.setMeta('check', wrapped(node, check) ?? check);
  }
}

/** Takes a part that is run for a list of whatever type its place asks for. */
export function openList(node: Node): void {
  OPEN_LISTS.add(node);
}

/** Whether nothing tells the type of a part. */
export function isOpen(node: Node | undefined): boolean {
  return node !== undefined && OPEN.has(node);
}

/** Whether two parts can have one type, as the elements of a list must. */
export function sameType(a: Node, b: Node): boolean {
  const [left, right] = [checkedNode(a).checkedType, checkedNode(b).checkedType];
  if (left?.name === 'type' && a.op === 'id' && b.op === 'id') return a.args === b.args;
  return OPEN.has(a) || OPEN.has(b) || !left || !right || equivalent(left, right);
}

type Check = CheckedNode['meta']['check'];

function wrapped(node: Node, check: Check): Check | undefined {
  if (mayFailLate(node)) return (...site) => failsLate(node, check, site);
  if (node.op === '?:') return (...site) => chosen(node.args.slice(1), node, check(...site));
  if (node.op === 'list') return (...site) => listOf(node.args, check(...site), site[0]);
  if (READING.has(node.op)) return (...site) => closed(node, check(...site), site[0]);
  return node.op in FIRST ? (...site) => calculated(node, check(...site), site[0]) : undefined;
}

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** `null[0]`, `null < device.attributes["d"].x`: cel-go finds them wrong only when they run. */
function mayFailLate(node: Node): boolean {
  if (node.op === '[]') return isNull(node.args[0]);
  const binary = ORDERS.has(node.op) || (node.op in FIRST && node.op !== '-_');
  return binary && children(node).some(isNull);
}

function isNull(node: Node): boolean {
  return node.op === 'value' && node.args === null;
}

function failsLate(node: Node, check: Check, site: Parameters<Check>): Type {
  try {
    return check(...site);
  } catch (error) {
    const other = children(node).find((operand) => !isNull(operand));
    if (node.op !== '[]' && other && checkedNode(other).checkedType?.kind !== 'dyn') throw error;
    return site[0].getType(ORDERS.has(node.op) ? 'bool' : 'dyn');
  }
}

/** The type of a part, the unknown one where it is open. */
function closed(node: Node, type: Type, checker: Parameters<Check>[0]): Type {
  const { name = '', receiver } = callOf(node) ?? {};
  if (receiver && type.kind === 'list' && OPEN_LISTS.has(receiver)) OPEN_LISTS.add(node);
  if (INTEGER_LISTS.has(name)) takeIntegersAlone(node);
  if (isOfUnknownList(name, receiver)) return checker.getType('dyn');
  if (name === 'sort' && type.valueType?.kind === 'param') return checker.getType('list<int>');
  return type.kind === 'param' ? typeOfOpen(node, name, checker) : type;
}

function typeOfOpen(node: Node, name: string, checker: Parameters<Check>[0]): Type {
  const first = FIRST[name];
  if (first !== undefined) return checker.getType(first);
  OPEN.add(node);
  return checker.getType('dyn');
}

/** Whether a function gives what a list of unknown type holds. */
function isOfUnknownList(name: string, receiver: Node | undefined): boolean {
  return TYPED_BY_ELEMENTS.has(name) && !!receiver && checkedNode(receiver).checkedType?.kind === 'dyn';
}

/** Functions of lists of one type of elements each, of which cel-go takes the first where nothing tells that type. */
const INTEGER_LISTS = new Set(['isSorted', 'sum', 'min', 'max', 'sort']);

/** Those of them that give an element, or a list of its type: nobody knows of which where nobody knows the list's. */
const TYPED_BY_ELEMENTS = new Set(['sum', 'min', 'max', 'sort']);

/** `attribute.reverse().isSorted()`: the list of an attribute is of whatever type its place asks for, and then of it. */
function takeIntegersAlone(node: Node): void {
  const checked = checkedNode(node);
  const [list] = checked.receiverWithArgs ?? [];
  const { handle } = checked;
  if (!handle || !list) return;
  if (!OPEN_LISTS.has(list) && checkedNode(list).checkedType?.valueType?.kind !== 'param') return;
  checked.handle = (...call) => {
    const [[elements]] = call as unknown as readonly [readonly unknown[]];
    const first: unknown = Array.isArray(elements) ? elements[0] : undefined;
    if (first === undefined || typeof first === 'bigint') return handle(...call);
    throw failure(`no such overload: the list is taken for one of integers`, node);
  };
}

/** The type of a choice: that of the other side where one is open. */
function chosen(sides: readonly Node[], node: Node, type: Type): Type {
  const known = sides.filter((side) => !OPEN.has(side));
  if (known.length === 0) OPEN.add(node);
  return known.length === 1 && known[0] ? (checkedNode(known[0]).checkedType ?? type) : type;
}

/** The type of a list some of whose elements are open: they are of the type of the others. */
function listOf(elements: readonly Node[], type: Type, checker: Parameters<Check>[0]): Type {
  const known = elements.filter((element) => !OPEN.has(element));
  const [name, ...others] = known.map((element) => checkedNode(element).checkedType?.name);
  const closes = known.length < elements.length && name !== undefined && others.every((one) => one === name);
  return closes ? checker.getType(`list<${name}>`) : type;
}

/** The type of what is calculated with parts of which some are open: they are of the type of the others. */
function calculated(node: Node, type: Type, checker: Parameters<Check>[0]): Type {
  const operands = children(node);
  const known = operands.filter((operand) => !OPEN.has(operand));
  if (known.length === operands.length) return widest(operands, type);
  const [other] = known;
  return other ? (checkedNode(other).checkedType ?? type) : checker.getType(FIRST[node.op] ?? 'dyn');
}

/** Two lists of which one has elements of unknown type make another such list. */
function widest(operands: readonly Node[], type: Type): Type {
  if (type.kind !== 'list') return type;
  const types = operands.flatMap((operand) => checkedNode(operand).checkedType ?? []);
  return types.find(({ kind, hasDynType }) => kind === 'list' && hasDynType) ?? type;
}

function equivalent(a: Type, b: Type): boolean {
  if (a.kind === 'param' || b.kind === 'param') return true;
  if (a.kind !== b.kind) return false;
  if (!a.valueType || !b.valueType) return a.name === b.name;
  return (
    equivalent(a.valueType, b.valueType) && (!a.keyType || !b.keyType || equivalent(a.keyType, b.keyType))
  );
}
