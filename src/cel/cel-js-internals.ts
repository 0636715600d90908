import { EvaluationError, ParseError } from 'cel-js';
import type { AstNode } from './syntax-tree';

/** A type of the CEL library. */
export interface CelType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;

  /** Whether only evaluation tells the type, or a part of it. */
  readonly hasDynType: boolean;
  isDynOrBool(): boolean;

  /** Whether a value of another type may stand where one of this type does. */
  matches(other: CelType): boolean;

  /** The type of both, if there is one. */
  unify(registry: unknown, other: CelType): CelType | null;
}

/** The values of the variables in sight of an expression that runs. */
export interface VariableValues {
  getCheckedValue(evaluator: Evaluator, node: AstNode): unknown;
  getValue(name: string): unknown;
}

/** The variables in sight of an expression: their types while it is checked, their values while it runs. */
export interface VariableScope extends VariableValues {
  forkWithVariable(name: string, type: CelType): VariableScope;
  reuse(parent: VariableValues): VariableScope;
  setIterValue(value: unknown, evaluator: Evaluator): VariableScope;
}

export interface TypeChecker {
  readonly registry: unknown;
  check(node: AstNode, scope: VariableScope): CelType;
  getType(name: string): CelType;
  createError(code: string, message: string, node: AstNode): Error;
}

export interface Evaluator {
  run(node: AstNode, values: VariableValues): unknown;
}

/** Where a macro stands. */
export interface MacroCall {
  readonly ast: AstNode;
  readonly receiver: AstNode | null;
  readonly args: readonly AstNode[];
}

/**
 * A macro of the CEL library at one place: it types and runs its arguments itself, in scopes that it makes.
 * The library always checks it before it first runs it.
 */
export interface CelMacro {
  readonly async: false;
  typeCheck(checker: TypeChecker, macro: CelMacro, scope: VariableScope): CelType;
  evaluate(evaluator: Evaluator, macro: CelMacro, values: VariableValues): unknown;
}

/** The name that an argument declares. Throws where it is anything but a plain name. */
export function declaredNameOf(node: AstNode): string {
  if (node.op === 'id') return node.args;
  throw new ParseError({
    code: 'invalid_macro_argument',
    message: 'the argument must be a simple name',
    node,
  });
}

/** An error while an expression runs. */
export function createEvaluationError(message: string, node: AstNode): EvaluationError {
  return new EvaluationError({ message, node });
}

/**
 * What the library keeps in the nodes of a tree that it has checked, and what it reads there when it runs. Nothing of
 * it is documented but `op` and `args`: only what cannot be done by registering functions, operators and macros is
 * done here, and the package is pinned to one version.
 */
export interface CheckedNode {
  /** What an operator does with its two operands. */
  handle?: OperatorHandler;

  /** The operands of a method: its receiver, then its arguments. Macros have none. */
  readonly receiverWithArgs?: readonly AstNode[];

  readonly checkedType?: CelType;

  /** The functions of the name and number of arguments of a call, and the types of its arguments. */
  readonly candidates?: FunctionCandidates;
  readonly argTypes?: readonly CelType[];
  readonly meta: {
    readonly check: (checker: Pick<TypeChecker, 'getType'>, node: AstNode, scope: VariableScope) => CelType;
    readonly macro?: unknown;
  };

  /** Replaces how the node is checked or how it runs. */
  setMeta(
    key: 'check',
    check: (checker: Pick<TypeChecker, 'getType'>, node: AstNode, scope: VariableScope) => CelType,
  ): void;
  setMeta(
    key: 'evaluate',
    evaluate: (evaluator: Evaluator, node: AstNode, values: VariableValues) => unknown,
  ): void;
}

/** The functions of a name and number of arguments. */
interface FunctionCandidates extends Iterable<FunctionDeclaration> {
  findFunction(types: readonly CelType[], receiver: CelType): unknown;
}

/** A function with its types. */
export interface FunctionDeclaration {
  readonly receiverType: CelType | null;
  readonly argTypes: readonly CelType[];
  readonly returnType: CelType;
}

/** An operator on two values, at a place in the tree. */
export type OperatorHandler = (left: unknown, right: unknown, node: AstNode, evaluator: Evaluator) => unknown;

/** A node as the library keeps it. */
export function asCheckedNode(node: AstNode): CheckedNode {
  return node as unknown as CheckedNode;
}

/** The type of a part of an expression that has been checked. */
export function celTypeOf(node: AstNode): CelType | undefined {
  return (node as { readonly checkedType?: CelType }).checkedType;
}

/** Whether a part can only be told by evaluation to be of a type. */
export function isDynamic(node: AstNode): boolean {
  const kind = celTypeOf(node)?.kind;
  return kind === undefined || kind === 'dyn';
}
