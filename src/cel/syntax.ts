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
  return [root, ...children(root).flatMap(nodesOf)];
}

/** What a node reads from a device: `device.attributes["domain"].name` or `["name"]`, and so for capacity. */
export interface Access {
  readonly from: 'attributes' | 'capacity';
  readonly domain: Node;
  readonly name: string;
}

/** The access that a node is. */
export function accessOf(node: Node): Access | undefined {
  const name = fieldOf(node);
  const domainNode = operandOf(node);
  const source = domainNode && operandOf(domainNode);
  if (name === undefined || source?.op !== '.' || !isNamed(source.args[0], 'device')) return undefined;
  const from = source.args[1];
  if (domainNode?.op !== '[]' || (from !== 'attributes' && from !== 'capacity')) return undefined;
  return { from, domain: domainNode.args[1], name };
}

function operandOf(node: Node): Node | undefined {
  return node.op === '.' || node.op === '[]' ? node.args[0] : undefined;
}

function fieldOf(node: Node): string | undefined {
  if (node.op === '.') return node.args[1];
  if (node.op !== '[]') return undefined;
  const [, key] = node.args;
  return key.op === 'value' && typeof key.args === 'string' ? key.args : undefined;
}
