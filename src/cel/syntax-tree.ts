import type { ASTNode } from 'cel-js';
import { originalNameOf } from './cel-go-compat/rename-overridden-calls';
import type { Token } from './tokens';

/** A node of the syntax tree of an expression. Treat it as read-only: the library stores state in it. */
export type AstNode = ASTNode;

/** A call: `name(args)`, or `receiver.name(args)`. */
export interface CallNode {
  readonly name: string;
  readonly receiver?: AstNode;
  readonly args: readonly AstNode[];
}

/** Returns the call that a node represents, with the function name that the user wrote. */
export function callOf(node: AstNode): CallNode | undefined {
  if (node.op === 'call') return { name: originalNameOf(node.args[0]), args: node.args[1] };
  if (node.op !== 'rcall') return undefined;
  return { name: originalNameOf(node.args[0]), receiver: node.args[1], args: node.args[2] };
}

export function isIdentifier(node: AstNode | undefined, name: string): boolean {
  return node?.op === 'id' && node.args === name;
}

/** Returns the operands of a node, from left to right. */
export function childrenOf(node: AstNode): readonly AstNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case '!_':
    case '-_':
      return [node.args];
    case 'map':
      return node.args.flat();
    default:
      return node.args;
  }
}

/** Returns a node and all nodes below it, parents before children, from left to right. */
export function allNodesOf(root: AstNode): readonly AstNode[] {
  const found: AstNode[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    open.push(...[...childrenOf(node)].reverse());
  }
  return found;
}

/** A map of the device that a node can read: `device.attributes` or `device.capacity`. */
export type DeviceField = 'attributes' | 'capacity';

/** Access to one domain: `device.attributes["domain"]`. */
export interface DomainAccess {
  readonly from: DeviceField;
  readonly domain: AstNode;
}

/** Access to one attribute or capacity: `device.attributes["domain"].name`, or `["name"]`. */
export interface AttributeAccess extends DomainAccess {
  readonly name: string;
}

export function deviceFieldOf(node: AstNode | undefined): DeviceField | undefined {
  if (node?.op !== '.' || !isIdentifier(node.args[0], 'device')) return undefined;
  const [, field] = node.args;
  return field === 'attributes' || field === 'capacity' ? field : undefined;
}

export function domainAccessOf(node: AstNode | undefined): DomainAccess | undefined {
  if (node?.op !== '[]') return undefined;
  const [map, domain] = node.args;
  const from = deviceFieldOf(map);
  return from && { from, domain };
}

export function attributeAccessOf(node: AstNode | undefined): AttributeAccess | undefined {
  if (node?.op !== '.' && node?.op !== '[]') return undefined;
  const [operand, key] = node.args;
  const names = domainAccessOf(operand);
  const name = typeof key === 'string' ? key : stringLiteralOf(key);
  return names && name !== undefined ? { ...names, name } : undefined;
}

/**
 * Returns the access whose presence a node tests: `has(device.attributes["domain"].name)` or
 * `"name" in device.attributes["domain"]`.
 */
export function presenceTestOf(node: AstNode): AttributeAccess | undefined {
  const call = callOf(node);
  if (call?.name === 'has' && !call.receiver) return attributeAccessOf(call.args[0]);
  if (node.op !== 'in') return undefined;
  const name = stringLiteralOf(node.args[0]);
  const names = domainAccessOf(node.args[1]);
  return names && name !== undefined ? { ...names, name } : undefined;
}

export function stringLiteralOf(node: AstNode | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

/** Reports whether a node is a negative number literal. A literal in parentheses does not count: `-(1)`. */
export function isNegativeLiteral(node: AstNode): node is AstNode & { readonly op: '-_' } {
  if (node.op !== '-_' || node.args.op !== 'value') return false;
  return !node.input.slice(node.start, node.args.start).includes('(');
}

/** The offsets of a node in an expression: the first character, and the position after the last character. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the span of a node in its expression. The library ignores parentheses: its span of `(a) == b` is `a) == b`.
 * This function includes the parentheses that the span needs.
 */
export function spanOf({ start, end }: AstNode, tokens: readonly Token[]): SourceSpan {
  const first = tokens.findIndex((token) => token.start >= start);
  const last = tokens.findLastIndex((token) => token.end <= end);
  let depth = 0;
  let unopened = 0;
  for (const { text } of tokens.slice(first, last + 1)) {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    unopened = Math.max(unopened, -depth);
  }
  const unclosed = depth + unopened;
  return { start: tokens[first - unopened]?.start ?? start, end: tokens[last + unclosed]?.end ?? end };
}
