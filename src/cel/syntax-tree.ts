import type { ASTNode } from 'cel-js';
import { originalNameOf } from './cel-go-compat/function-overrides';
import type { Token } from './tokens';

/** A node of the syntax tree of an expression. Read only: the library keeps state in it. */
export type AstNode = ASTNode;

/** A call: `name(args)`, or `receiver.name(args)`. */
export interface CallNode {
  readonly name: string;
  readonly receiver?: AstNode;
  readonly args: readonly AstNode[];
}

/** The call that a node is, under the name that the user wrote. */
export function callOf(node: AstNode): CallNode | undefined {
  if (node.op === 'call') return { name: originalNameOf(node.args[0]), args: node.args[1] };
  if (node.op !== 'rcall') return undefined;
  return { name: originalNameOf(node.args[0]), receiver: node.args[1], args: node.args[2] };
}

/** Whether a node is the variable or namespace of a name. */
export function isIdentifier(node: AstNode | undefined, name: string): boolean {
  return node?.op === 'id' && node.args === name;
}

/** The operands of a node, from left to right. */
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

/** A node and all nodes below it, parents before children, from left to right. */
export function allNodesOf(root: AstNode): readonly AstNode[] {
  const found: AstNode[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    open.push(...[...childrenOf(node)].reverse());
  }
  return found;
}

/** A map of a device that a node reads: `device.attributes` or `device.capacity`. */
export type DeviceField = 'attributes' | 'capacity';

/** The names of one domain: `device.attributes["domain"]`. */
export interface DomainAccess {
  readonly from: DeviceField;
  readonly domain: AstNode;
}

/** One attribute or capacity: `device.attributes["domain"].name`, or `["name"]`. */
export interface AttributeAccess extends DomainAccess {
  readonly name: string;
}

/** The map that a node is. */
export function deviceFieldOf(node: AstNode | undefined): DeviceField | undefined {
  if (node?.op !== '.' || !isIdentifier(node.args[0], 'device')) return undefined;
  const [, field] = node.args;
  return field === 'attributes' || field === 'capacity' ? field : undefined;
}

/** The names that a node is. */
export function domainAccessOf(node: AstNode | undefined): DomainAccess | undefined {
  if (node?.op !== '[]') return undefined;
  const [map, domain] = node.args;
  const from = deviceFieldOf(map);
  return from && { from, domain };
}

/** The attribute or capacity that a node is. */
export function attributeAccessOf(node: AstNode | undefined): AttributeAccess | undefined {
  if (node?.op !== '.' && node?.op !== '[]') return undefined;
  const [operand, key] = node.args;
  const names = domainAccessOf(operand);
  const name = typeof key === 'string' ? key : stringLiteralOf(key);
  return names && name !== undefined ? { ...names, name } : undefined;
}

/** The text that a node writes down. */
export function stringLiteralOf(node: AstNode | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

/** Whether a node is a number below zero that is written down; with parentheses it is none: `-(1)`. */
export function isNegativeLiteral(node: AstNode): node is AstNode & { readonly op: '-_' } {
  if (node.op !== '-_' || node.args.op !== 'value') return false;
  return !node.input.slice(node.start, node.args.start).includes('(');
}

/** Offsets of a part in an expression: of its first character, and behind its last. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of an expression that a node stands for. The library leaves parentheses out, and so its own part of
 * `(a) == b` is `a) == b`; parentheses that a part needs are taken in here.
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
