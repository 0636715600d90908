import { asCheckedNode } from '../cel-js-internals';
import type { Fault } from '../selector-error';
import { allNodesOf, type AstNode, childrenOf } from '../syntax-tree';
import { isSelection, type Token } from '../tokens';

/** An expression in the spelling of the library, as long as it was. */
export interface RespelledExpression {
  readonly text: string;

  /** Numbers that the library cannot read, by their place. An integer stands there. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** What takes the place of some characters. */
interface TextChange {
  readonly start: number;
  readonly text: string;
  readonly number?: number;
}

/**
 * What CEL may write and the library does not read: `.5`, names with a dot in front, a comma alone in brackets, and
 * `!!`, which CEL drops whatever stands behind it.
 */
export function respellForLibrary(expression: string, tokens: readonly Token[]): RespelledExpression {
  const changes = tokens.flatMap(
    (_, i) =>
      replaceLoneComma(tokens, i) ?? replaceDoubleNot(tokens, i) ?? replaceLeadingDot(tokens, i) ?? [],
  );
  let text = expression;
  for (const { start, text: other } of changes) {
    text = text.slice(0, start) + other + text.slice(start + other.length);
  }
  const numbers = changes.flatMap(({ start, number }) =>
    number === undefined ? [] : [[start, number] as const],
  );
  return { text, numbers: new Map(numbers) };
}

/** Puts numbers where integers stood in for them. */
export function restoreNumbers(root: AstNode, numbers: RespelledExpression['numbers']): void {
  if (numbers.size === 0) return;
  for (const node of allNodesOf(root)) {
    const number = node.op === 'value' ? numbers.get(node.start) : undefined;
    if (number !== undefined) Object.assign(asCheckedNode(node), { args: number });
  }
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** `[,]` and `{,}` are empty. */
function replaceLoneComma(tokens: readonly Token[], i: number): TextChange | undefined {
  const [open, comma, close] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (!open || comma?.text !== ',' || close?.text !== CLOSING[open.text]) return undefined;
  return { start: comma.start, text: ' ' };
}

/** `!` in front of an odd number of others. They take each other away in pairs. */
function replaceDoubleNot(tokens: readonly Token[], i: number): TextChange | undefined {
  if (tokens[i]?.text !== '!') return undefined;
  const { start } = tokens[i] as Token;
  let [first, last] = [i, i];
  while (tokens[first - 1]?.text === '!') first--;
  while (tokens[last + 1]?.text === '!') last++;
  const stays = (last - first) % 2 === 0 && i === first;
  return stays ? undefined : { start, text: ' ' };
}

const FRACTION = /^\d+(?:[eE][-+]?\d+)?$/;
const NAME = /^(?!(?:true|false|null|in)$)[A-Za-z_]/;

/** Macros that declare variables. One whose name begins with a dot can never be read. */
const DECLARING = new Set(
  'all exists exists_one existsOne map filter transformList transformMap transformMapEntry sortBy bind optMap optFlatMap'.split(
    ' ',
  ),
);

function replaceLeadingDot(tokens: readonly Token[], i: number): TextChange | undefined {
  const [dot, name, after] = tokens.slice(i, i + 3);
  if (dot?.text !== '.' || !name || isSelection(tokens, i)) return undefined;
  const { start, end } = dot;
  if (FRACTION.test(name.text) && name.start === end) {
    return { start, text: '1'.repeat(name.text.length + 1), number: Number(`.${name.text}`) };
  }
  if (!NAME.test(name.text) || isMacro(name, after)) return undefined;
  const declares = after?.text === ',' && DECLARING.has(enclosingCallOf(tokens, i)) && name.start === end;
  return { start, text: declares ? '_' : ' ' };
}

/** The macros that no receiver stands before. With a dot in front CEL takes them for functions, which there are none of. */
function isMacro(name: Token, after: Token | undefined): boolean {
  return (name.text === 'has' && after?.text === '(') || (name.text === 'cel' && after?.text === '.');
}

/** The name of the call whose arguments a token stands in; nothing where it stands in none. */
function enclosingCallOf(tokens: readonly Token[], i: number): string {
  let depth = 0;
  for (let k = i - 1; k >= 0; k--) {
    const { text } = tokens[k] as Token;
    if (')]}'.includes(text)) depth++;
    else if ('([{'.includes(text) && depth-- === 0) return text === '(' ? (tokens[k - 1]?.text ?? '') : '';
  }
  return '';
}

const EQUALITIES = new Set(['==', '!=']);
const RELATIONS = new Set(['<', '<=', '>', '>=', 'in']);
const DEPTH: Readonly<Record<string, 1 | -1>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** An operator of a tree, as it can be rewritten. */
interface MutableOperation {
  op: string;
  args: readonly [AstNode, AstNode];
  start: number;
  end: number;
}

/**
 * Makes a tree of the library read `a == b < c` as CEL does, `(a == b) < c`: all relations bind equally there, from
 * left to right. The library has equality bind looser. Returns what to tell a user whose expression makes no sense
 * then, at the first relation behind an equality.
 */
export function reassociateRelations(root: AstNode, tokens: readonly Token[]): Fault | undefined {
  let first: Fault | undefined;
  for (const node of allNodesOf(root)) {
    const fault = EQUALITIES.has(node.op) ? rotate(node, tokens) : undefined;
    if (fault && (!first || fault.offset < first.offset)) first = fault;
  }
  return first;
}

/** `a == (b < c)` to `(a == b) < c`, where nobody wrote the parentheses. */
function rotate(node: AstNode, tokens: readonly Token[]): Fault | undefined {
  const [left, right] = childrenOf(node);
  if (!left || !right || !RELATIONS.has(right.op)) return undefined;
  const [middle, last] = childrenOf(right);
  const operator = middle && last && operatorOf(right.op, last, tokens);
  if (
    !middle ||
    !last ||
    !operator ||
    bracketDepthAt(operator, operatorOf(node.op, right, tokens), tokens) > 0
  ) {
    return undefined;
  }
  const what = `'${right.op}' behind '${node.op}' needs parentheses: both bind equally in CEL`;
  const [outer, inner] = [node, right] as unknown as [MutableOperation, MutableOperation];
  Object.assign(inner, { op: outer.op, args: [left, middle], start: outer.start, end: middle.end });
  Object.assign(outer, { op: operator.text, args: [inner, last] });
  const hint = 'Put parentheses around the part that is meant to come first';
  return rotate(right, tokens) ?? { offset: operator.start, what, hint };
}

/** The token of an operator in front of its right operand. */
function operatorOf(text: string, right: AstNode, tokens: readonly Token[]): Token | undefined {
  return tokens.findLast((token) => token.text === text && token.end <= right.start);
}

/** How many brackets are open at a token that were not at another. */
function bracketDepthAt(token: Token, from: Token | undefined, tokens: readonly Token[]): number {
  const between = tokens.filter(({ start }) => start >= (from?.end ?? 0) && start < token.start);
  return between.reduce((depth, { text }) => depth + (DEPTH[text] ?? 0), 0);
}
