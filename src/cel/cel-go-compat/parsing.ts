import { asCheckedNode } from '../cel-js-internals';
import { type SyntaxFault, faultAt } from '../selector-error';
import { allNodesOf, type AstNode, childrenOf } from '../syntax-tree';
import { BRACKET_DEPTH, isSelection, type Token } from '../tokens';

/** An expression in the spelling of the library, with unchanged length. */
export interface RespelledExpression {
  readonly text: string;

  /** The numbers that the library cannot parse, by offset. The text has an integer in their place. */
  readonly numbers: ReadonlyMap<number, number>;
}

interface TextChange {
  readonly start: number;
  readonly text: string;
  readonly number?: number;
}

/**
 * Respells CEL syntax that the library does not parse: `.5`, names with a leading dot, a lone comma in brackets, and
 * `!!`, which CEL drops before any operand.
 */
export function respellForLibrary(expression: string, tokens: readonly Token[]): RespelledExpression {
  const changes = tokens.flatMap(
    (_, i) => replaceLoneComma(tokens, i) ?? replaceDoubleNot(tokens, i) ?? replaceLeadingDot(tokens, i) ?? [],
  );
  let text = expression;
  const numbers = new Map<number, number>();
  for (const { start, text: replacement, number } of changes) {
    text = text.slice(0, start) + replacement + text.slice(start + replacement.length);
    if (number !== undefined) numbers.set(start, number);
  }
  return { text, numbers };
}

/** Replaces the placeholder integers of a tree with the original numbers. */
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

/** Removes `!` tokens in pairs. Keeps one of an odd number. */
function replaceDoubleNot(tokens: readonly Token[], i: number): TextChange | undefined {
  const token = tokens[i];
  if (token?.text !== '!') return undefined;
  let [first, last] = [i, i];
  while (tokens[first - 1]?.text === '!') first--;
  while (tokens[last + 1]?.text === '!') last++;
  const stays = (last - first) % 2 === 0 && i === first;
  return stays ? undefined : { start: token.start, text: ' ' };
}

const FRACTION = /^\d+(?:[eE][-+]?\d+)?$/;
const NAME = /^(?!(?:true|false|null|in)$)[A-Za-z_]/;

/** Macros that iterate over a list or a map. */
export const COMPREHENSIONS: ReadonlySet<string> = new Set(
  'all exists exists_one existsOne map filter sortBy transformList transformMap transformMapEntry'.split(' '),
);

/** Macros that declare variables. A variable whose name has a leading dot cannot be read. */
const DECLARING: ReadonlySet<string> = new Set([...COMPREHENSIONS, 'bind', 'optMap', 'optFlatMap']);

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

/** Macros without a receiver. With a leading dot, CEL treats them as functions, which do not exist. */
function isMacro(name: Token, after: Token | undefined): boolean {
  return (name.text === 'has' && after?.text === '(') || (name.text === 'cel' && after?.text === '.');
}

/** Returns the name of the call whose arguments contain a token, or an empty string. */
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

interface MutableOperation {
  op: string;
  args: readonly [AstNode, AstNode];
  start: number;
  end: number;
}

/**
 * Regroups `a == b < c` of a library tree as `(a == b) < c`: in CEL, all relations have equal precedence and associate
 * to the left. In the library, equality has lower precedence. Returns the fault to report if the types do not fit, at
 * the first relation after an equality.
 */
export function reassociateRelations(root: AstNode, tokens: readonly Token[]): SyntaxFault | undefined {
  let first: SyntaxFault | undefined;
  for (const node of allNodesOf(root)) {
    const fault = EQUALITIES.has(node.op) ? rotate(node, tokens) : undefined;
    if (fault && (!first || fault.at < first.at)) first = fault;
  }
  return first;
}

/** Rotates `a == (b < c)` to `(a == b) < c`, unless the expression has the parentheses. */
function rotate(node: AstNode, tokens: readonly Token[]): SyntaxFault | undefined {
  const [left, right] = childrenOf(node);
  if (!left || !right || !RELATIONS.has(right.op)) return undefined;
  const [middle, last] = childrenOf(right);
  const operator = middle && last && operatorOf(right.op, last, tokens);
  if (!middle || !last || !operator || bracketDepthAt(operator, operatorOf(node.op, right, tokens), tokens) > 0) {
    return undefined;
  }
  const what = `'${right.op}' behind '${node.op}' needs parentheses: both bind equally in CEL`;
  const [outer, inner] = [node, right] as unknown as [MutableOperation, MutableOperation];
  Object.assign(inner, { op: outer.op, args: [left, middle], start: outer.start, end: middle.end });
  Object.assign(outer, { op: operator.text, args: [inner, last] });
  const hint = 'Put parentheses around the part to evaluate first';
  return rotate(right, tokens) ?? faultAt(operator.start, what, hint);
}

function operatorOf(text: string, right: AstNode, tokens: readonly Token[]): Token | undefined {
  return tokens.findLast((token) => token.text === text && token.end <= right.start);
}

/** Returns the number of brackets that open between two tokens and are still open at the second. */
function bracketDepthAt(token: Token, from: Token | undefined, tokens: readonly Token[]): number {
  const between = tokens.filter(({ start }) => start >= (from?.end ?? 0) && start < token.start);
  return between.reduce((depth, { text }) => depth + (BRACKET_DEPTH[text] ?? 0), 0);
}
