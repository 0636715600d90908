import type { Evaluator, Scope, Type, Values } from './macro';
import type { Node } from './syntax';

/**
 * What the library keeps in the nodes of a tree that it has checked, and what it reads there when it runs. Nothing of
 * it is documented but `op` and `args`: only what cannot be done by registering functions, operators and macros is
 * done here, and the package is pinned to one version.
 */
export interface CheckedNode {
  /** What an operator does with its two operands. */
  handle?: Handle;

  /** The operands of a method: its receiver, then its arguments. Macros have none. */
  readonly receiverWithArgs?: readonly Node[];

  readonly checkedType?: Type;

  /** The functions of the name and number of arguments of a call, and the types of its arguments. */
  readonly candidates?: Candidates;
  readonly argTypes?: readonly Type[];
  readonly meta: {
    readonly check: (checker: Checker, node: Node, scope: Scope) => Type;
    readonly macro?: unknown;
  };

  /** Replaces how the node is checked or how it runs. */
  setMeta(key: 'check', check: (checker: Checker, node: Node, scope: Scope) => Type): void;
  setMeta(key: 'evaluate', evaluate: (evaluator: Evaluator, node: Node, values: Values) => unknown): void;
}

/** The functions of a name and number of arguments. */
interface Candidates extends Iterable<Declaration> {
  findFunction(types: readonly Type[], receiver: Type): unknown;
}

/** A function with its types. */
export interface Declaration {
  readonly receiverType: Type | null;
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
}

interface Checker {
  getType(name: string): Type;
}

/** An operator on two values, at a place in the tree. */
export type Handle = (left: unknown, right: unknown, node: Node, evaluator: Evaluator) => unknown;

/** A node as the library keeps it. */
export function checkedNode(node: Node): CheckedNode {
  return node as unknown as CheckedNode;
}
