import type { ASTNode } from 'cel-js';
import { originalName } from './twins';

/** A node of the syntax tree of an expression. Read only: the library keeps state in it. */
export type Node = ASTNode;

/** A call: `name(args)`, or `receiver.name(args)`. */
export interface Call {
  readonly name: string;
  readonly receiver?: Node;
  readonly args: readonly Node[];
}

/** The call that a node is, under the name that the user wrote. */
export function callOf(node: Node): Call | undefined {
  if (node.op === 'call') return { name: originalName(node.args[0]), args: node.args[1] };
  if (node.op !== 'rcall') return undefined;
  return { name: originalName(node.args[0]), receiver: node.args[1], args: node.args[2] };
}

/** Whether a node is the variable or namespace of a name. */
export function isNamed(node: Node | undefined, name: string): boolean {
  return node?.op === 'id' && node.args === name;
}

/** The operands of a node, from left to right. */
export function children(node: Node): readonly Node[] {
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
export function nodesOf(root: Node): readonly Node[] {
  const found: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    open.push(...[...children(node)].reverse());
  }
  return found;
}

/** A map of a device that a node reads: `device.attributes` or `device.capacity`. */
export type Source = 'attributes' | 'capacity';

/** The names of one domain: `device.attributes["domain"]`. */
export interface Names {
  readonly from: Source;
  readonly domain: Node;
}

/** One attribute or capacity: `device.attributes["domain"].name`, or `["name"]`. */
export interface Access extends Names {
  readonly name: string;
}

/** The map that a node is. */
export function sourceOf(node: Node | undefined): Source | undefined {
  if (node?.op !== '.' || !isNamed(node.args[0], 'device')) return undefined;
  const [, field] = node.args;
  return field === 'attributes' || field === 'capacity' ? field : undefined;
}

/** The names that a node is. */
export function namesOf(node: Node | undefined): Names | undefined {
  if (node?.op !== '[]') return undefined;
  const [map, domain] = node.args;
  const from = sourceOf(map);
  return from && { from, domain };
}

/** The attribute or capacity that a node is. */
export function accessOf(node: Node | undefined): Access | undefined {
  if (node?.op !== '.' && node?.op !== '[]') return undefined;
  const [operand, key] = node.args;
  const names = namesOf(operand);
  const name = typeof key === 'string' ? key : textOf(key);
  return names && name !== undefined ? { ...names, name } : undefined;
}

/** The text that a node writes down. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

/** Whether a node is a number below zero that is written down; with parentheses it is none: `-(1)`. */
export function isNegativeLiteral(node: Node): node is Node & { readonly op: '-_' } {
  if (node.op !== '-_' || node.args.op !== 'value') return false;
  return !node.input.slice(node.start, node.args.start).includes('(');
}
