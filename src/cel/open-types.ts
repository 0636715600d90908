import { type CheckedNode, checkedNode } from './checked-node';
import type { Type } from './macro';
import { callOf, children, type Node, nodesOf } from './syntax';

/** Parts whose type nothing tells: they come from an empty list or map. */
const OPEN = new WeakSet<Node>();

const READING = new Set(['id', 'rcall', '[]', '[?]', '.', '.?', '?:']);

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
    const typed = checked.meta.macro === undefined ? wrapped(node, checked.meta.check) : undefined;
    if (typed) checked.setMeta('check', typed);
  }
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
  if (node.op === '[]' && isNull(node.args[0])) return (...site) => ofNull(check, site);
  if (READING.has(node.op)) return (...site) => closed(node, check(...site), site[0]);
  return node.op in FIRST ? (...site) => calculated(node, check(...site), site[0]) : undefined;
}

function isNull(node: Node): boolean {
  return node.op === 'value' && node.args === null;
}

/** `null[0]` is found wrong only when it runs. */
function ofNull(check: Check, site: Parameters<Check>): Type {
  try {
    return check(...site);
  } catch {
    return site[0].getType('dyn');
  }
}

/** The type of a part, the unknown one where it is open. */
function closed(node: Node, type: Type, checker: Parameters<Check>[0]): Type {
  if (type.kind !== 'param') return type;
  const first = FIRST[callOf(node)?.name ?? ''];
  if (first !== undefined) return checker.getType(first);
  OPEN.add(node);
  return checker.getType('dyn');
}

/** The type of what is calculated with parts of which some are open: they are of the type of the others. */
function calculated(node: Node, type: Type, checker: Parameters<Check>[0]): Type {
  const operands = children(node);
  const known = operands.filter((operand) => !OPEN.has(operand));
  if (known.length === operands.length) return type;
  const [other] = known;
  return other ? (checkedNode(other).checkedType ?? type) : checker.getType(FIRST[node.op] ?? 'dyn');
}

function equivalent(a: Type, b: Type): boolean {
  if (a.kind === 'param' || b.kind === 'param') return true;
  if (a.kind !== b.kind) return false;
  if (!a.valueType || !b.valueType) return a.name === b.name;
  return (
    equivalent(a.valueType, b.valueType) && (!a.keyType || !b.keyType || equivalent(a.keyType, b.keyType))
  );
}
