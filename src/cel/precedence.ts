import type { Fault } from './fault';
import { children, type Node, nodesOf } from './syntax';
import type { Token } from './tokens';

const EQUALITIES = new Set(['==', '!=']);
const RELATIONS = new Set(['<', '<=', '>', '>=', 'in']);
const DEPTH: Readonly<Record<string, 1 | -1>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** An operator of a tree, as it can be rewritten. */
interface Operation {
  op: string;
  args: readonly [Node, Node];
  start: number;
  end: number;
}

/**
 * Makes a tree of the library read `a == b < c` as CEL does, `(a == b) < c`: all relations bind equally there, from
 * left to right. The library has equality bind looser. Returns what to tell a user whose expression makes no sense
 * then, at the first relation behind an equality.
 */
export function readRelationsInOrder(root: Node, tokens: readonly Token[]): Fault | undefined {
  let first: Fault | undefined;
  for (const node of nodesOf(root)) {
    const fault = EQUALITIES.has(node.op) ? rotate(node, tokens) : undefined;
    if (fault && (!first || fault.offset < first.offset)) first = fault;
  }
  return first;
}

/** `a == (b < c)` to `(a == b) < c`, where nobody wrote the parentheses. */
function rotate(node: Node, tokens: readonly Token[]): Fault | undefined {
  const [left, right] = children(node);
  if (!left || !right || !RELATIONS.has(right.op)) return undefined;
  const [middle, last] = children(right);
  const operator = middle && last && operatorOf(right.op, last, tokens);
  if (!middle || !last || !operator || depthAt(operator, operatorOf(node.op, right, tokens), tokens) > 0) {
    return undefined;
  }
  const what = `'${right.op}' behind '${node.op}' needs parentheses: both bind equally in CEL`;
  const [outer, inner] = [node, right] as unknown as [Operation, Operation];
  Object.assign(inner, { op: outer.op, args: [left, middle], start: outer.start, end: middle.end });
  Object.assign(outer, { op: operator.text, args: [inner, last] });
  const hint = 'Put parentheses around the part that is meant to come first';
  return rotate(right, tokens) ?? { offset: operator.start, what, hint };
}

/** The token of an operator in front of its right operand. */
function operatorOf(text: string, right: Node, tokens: readonly Token[]): Token | undefined {
  return tokens.findLast((token) => token.text === text && token.end <= right.start);
}

/** How many brackets are open at a token that were not at another. */
function depthAt(token: Token, from: Token | undefined, tokens: readonly Token[]): number {
  const between = tokens.filter(({ start }) => start >= (from?.end ?? 0) && start < token.start);
  return between.reduce((depth, { text }) => depth + (DEPTH[text] ?? 0), 0);
}
